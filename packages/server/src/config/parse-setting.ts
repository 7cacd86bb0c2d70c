// Parses the text of an environment variable into a value, or throws an error that says what was expected.

import { BlockList, isIP } from 'node:net';
import { parseUrl } from '../parse-url.ts';

/** Throws an Error whose message completes "FLAGHOIST_X …". */
export type Parse<T> = (text: string) => T;

export const parseText: Parse<string> = (text) => text;

export function parseInteger(min: number, max: number): Parse<number> {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= min && value <= max)) throw new Error(`must be a whole number from ${min} to ${max}`);
    return value;
  };
}

/** Parses seconds, with optional fractions, to milliseconds. */
export function parseSeconds(min: number, max: number): Parse<number> {
  return (text) => {
    const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= min && value <= max)) throw new Error(`must be a number of seconds from ${min} to ${max}`);
    return Math.round(value * 1000);
  };
}

/** Parses whole days to milliseconds. */
export function parseDays(min: number, max: number): Parse<number> {
  const parseCount = parseInteger(min, max);
  return (text) => parseCount(text) * 86_400_000;
}

export function parseChoice<const T extends string>(...choices: T[]): Parse<T> {
  return (text) => {
    const choice = choices.find((known) => known === text);
    if (choice === undefined) throw new Error(`must be one of ${choices.join(', ')}`);
    return choice;
  };
}

/** `dev` and `development` are other names of `test`. */
export const parseEnvironment: Parse<'production' | 'test'> = (text) => {
  const name = text.toLowerCase();
  return parseChoice('production', 'test')(name === 'dev' || name === 'development' ? 'test' : name);
};

/** Parses at least one of the choices, separated by commas. */
export function parseSome<const T extends string>(...choices: T[]): Parse<ReadonlySet<T>> {
  const parseOne = parseChoice(...choices);
  return (text) => new Set(text.split(',').map((part) => parseOne(part.trim())));
}

/** Without a trailing slash, a query or credentials, because paths are appended to it. */
export const parseBaseUrl: Parse<string> = (text) => {
  // `new URL` silently drops tabs and line breaks.
  const url = /^[\x21-\x7e]+$/.test(text) ? parseUrl(text) : undefined;
  const isPlain = url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash;
  if (!isPlain) throw new Error('must be an http or https URL without query, fragment or credentials');
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
};

/** Keeps the spelling of the issuer's metadata, with or without a trailing slash. */
export const parseIssuerUrl: Parse<string> = (text) => {
  parseBaseUrl(text);
  return text;
};

/** A name that may appear in a token or a header. */
export const parseName: Parse<string> = (text) => {
  if (!/^[\x21-\x7e]{1,255}$/.test(text)) throw new Error('must have 1 to 255 visible ASCII characters');
  return text;
};

/** RFC 6749 §3.3. */
export const parseScopes: Parse<string> = (text) => {
  if (!/^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/.test(text))
    throw new Error('must be scopes separated by single spaces, without quotes and backslashes');
  return text;
};

export const parseClientId: Parse<string> = (text) => {
  if (!/^[\x21\x23-\x5b\x5d-\x7e]{3,128}$/.test(text))
    throw new Error('must have 3 to 128 visible ASCII characters, none of them a quote or a backslash');
  return text;
};

/** Here and below, the message never repeats the text, because it is a secret. */
export const parseGivenSecret: Parse<string> = (text) => {
  if (!/^[\x21-\x7e]{32,255}$/.test(text)) throw new Error('must have 32 to 255 visible ASCII characters');
  return text;
};

export const parseEncryptionKey: Parse<Buffer> = (text) => {
  const isHex = /^[\da-f]{64}$/i.test(text);
  const key = Buffer.from(text, isHex ? 'hex' : 'base64');
  if (!isHex && !/^[\w+/-]{43}=?$/.test(text))
    throw new Error('must be 32 bytes in Base64 or hexadecimal; `openssl rand -base64 32` creates one');
  return key;
};

export const parseCidrList: Parse<string[]> = (text) => {
  const ranges = text
    .split(',')
    .map((range) => range.trim())
    .filter((range) => range !== '');
  for (const range of ranges)
    if (!isRange(range)) throw new Error(`has ${JSON.stringify(range)}, which is not an address or CIDR range`);
  return ranges;
};

/** At least one server, separated by commas: `10.0.0.2`, `10.0.0.2:5353`, `fd00::2` or `[fd00::2]:5353`. */
export const parseNameServers: Parse<string[]> = (text) => {
  const servers = text.split(',').map((server) => server.trim());
  for (const server of servers)
    if (!isNameServer(server))
      throw new Error(`has ${JSON.stringify(server)}, which is not an address with or without a port`);
  return servers;
};

/** Node takes larger ports modulo 65,536, and crashes on port 0. */
function isNameServer(text: string): boolean {
  const [, bracketed, address = text, port = '53'] = /^(?:\[([^\]]*)\]|([\d.]+)):(\d{1,5})$/.exec(text) ?? [];
  const family = isIP(bracketed ?? address);
  return (bracketed === undefined ? family !== 0 : family === 6) && Number(port) >= 1 && Number(port) <= 65_535;
}

function isRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  if (bits === undefined) return true;
  try {
    new BlockList().addSubnet(address, /^\d+$/.test(bits) ? Number(bits) : -1, family === 4 ? 'ipv4' : 'ipv6');
    return true;
  } catch {
    return false;
  }
}
