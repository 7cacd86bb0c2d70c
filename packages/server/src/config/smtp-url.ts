// Parses the URL of the mail server into connection options. Error messages repeat no part of the URL, because it
// contains a password.

import { isIP } from 'node:net';
import { parseUrl } from '../parse-url.ts';
import type { Parse } from './parse-setting.ts';

export interface SmtpServer {
  host: string;
  port: number;
  /** TLS from the first byte (`smtps`). */
  isSecure: boolean;
  login: { user: string; password: string } | undefined;
  /** Send no mail without TLS. */
  requireTls: boolean;
  /** Do not use TLS, even if the server offers it. */
  ignoreTls: boolean;
  /** The name that the service gives in EHLO. */
  name: string | undefined;
  tls: { servername?: string; ca?: string | string[]; rejectUnauthorized?: boolean };
}

/** Checks the URL and returns it unchanged. */
export const parseSmtpUrl: Parse<string> = (text) => {
  readSmtpUrl(text);
  return text;
};

export function readSmtpUrl(text: string): SmtpServer {
  const url = /^smtps?:\/\/[\x21-\x7e]+$/i.test(text) ? parseUrl(text) : undefined;
  if (!url)
    throw new Error(
      'must be a URL like smtp://user:password@mail.example:587 or smtps://mail.example; special characters in ' +
        'user and password are percent-encoded, such as %40 for @',
    );
  checkPlace(url);
  const isSecure = url.protocol === 'smtps:';
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const login = readLogin(url);
  const options = readOptions(url.searchParams);
  return {
    host,
    port: url.port === '' ? (isSecure ? 465 : 587) : Number(url.port),
    isSecure,
    login,
    // Without this, an attacker in between could strip the offer of TLS and read the password.
    requireTls: options.requireTLS ?? (login !== undefined && !options.ignoreTLS && !isLoopback(host)),
    ignoreTls: options.ignoreTLS ?? false,
    name: options.name,
    tls: {
      ...(options['tls.servername'] !== undefined && { servername: options['tls.servername'] }),
      ...(options['tls.ca'] !== undefined && { ca: options['tls.ca'] }),
      ...(options['tls.rejectUnauthorized'] !== undefined && {
        rejectUnauthorized: options['tls.rejectUnauthorized'],
      }),
    },
  };
}

function checkPlace({ hostname, port, pathname, hash }: URL): void {
  const isHost = /^[a-z\d_-]+(\.[a-z\d_-]+)*\.?$/i.test(hostname) || isIP(hostname.replace(/^\[(.*)\]$/, '$1')) === 6;
  if (!isHost) throw new Error('must name the host of the mail server');
  if (port === '0') throw new Error('cannot have port 0');
  if (hash !== '' || (pathname !== '' && pathname !== '/'))
    throw new Error('cannot have a path or a fragment; # in a password is written as %23, / as %2F');
}

function readLogin({ username, password }: URL): SmtpServer['login'] {
  if (username === '' && password === '') return undefined;
  if (username === '' || password === '') throw new Error('must have both a user and a password, or none of them');
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    throw new Error('has an invalid percent escape in user or password; % itself is written as %25');
  }
}

interface SmtpOptions {
  requireTLS?: boolean;
  ignoreTLS?: boolean;
  name?: string;
  'tls.servername'?: string;
  'tls.ca'?: string;
  'tls.rejectUnauthorized'?: boolean;
}

/** The nodemailer options that an operator needs, under the same names. */
const optionParsers: { [Name in keyof SmtpOptions]-?: (text: string) => SmtpOptions[Name] | undefined } = {
  requireTLS: parseBoolean,
  ignoreTLS: parseBoolean,
  name: (text) => (/^[\w.:[\]-]{1,255}$/.test(text) ? text : undefined),
  'tls.servername': (text) => (/^[\w.-]{1,255}$/.test(text) ? text : undefined),
  'tls.ca': (text) => (text.includes('-----BEGIN CERTIFICATE-----') ? text : undefined),
  'tls.rejectUnauthorized': parseBoolean,
};

function parseBoolean(text: string): boolean | undefined {
  return text === 'true' || text === 'false' ? text === 'true' : undefined;
}

function readOptions(given: URLSearchParams): SmtpOptions {
  const options: Record<string, unknown> = {};
  for (const [name, text] of given) {
    const parse = Object.hasOwn(optionParsers, name) ? optionParsers[name as keyof SmtpOptions] : undefined;
    if (!parse) throw new Error(`has an unknown option; known are ${Object.keys(optionParsers).join(', ')}`);
    options[name] = parse(text);
    if (options[name] === undefined) throw new Error(`has a value of ${name} that is invalid`);
  }
  if (options.requireTLS === true && options.ignoreTLS === true)
    throw new Error('cannot have both requireTLS and ignoreTLS');
  return options;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
