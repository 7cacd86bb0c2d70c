// Parses DATABASE_URL as libpq does: one host or several, each with its port, and `target_session_attrs`. Nothing here
// connects. The messages never repeat the text, because it contains a password.

import { parseUrl } from '../parse-url.ts';

/** What a host must allow: anything, a primary, or a primary that is not set to read-only. */
export const hostNeeds = ['any', 'read-write', 'primary'] as const;
export type HostNeeds = (typeof hostNeeds)[number];

export interface DatabaseHost {
  /** Such as `one:5432`, for the log. Without a password. */
  name: string;
  /** Names this host only. */
  url: string;
}

export interface DatabaseHosts {
  /** In the order of the URL; at least one. */
  hosts: DatabaseHost[];
  needs: HostNeeds;
}

/** Throws an Error whose message completes "DATABASE_URL …". Returns the text itself. */
export function parseDatabaseUrl(text: string): string {
  listDatabaseHosts(text);
  return text;
}

/** One host is used as it is, unless the URL asks for more. Of several, the one that can be written is needed. */
export function listDatabaseHosts(text: string): DatabaseHosts {
  const { scheme, user, authority, path, query } = splitUrl(text);
  const given = new URLSearchParams(query);
  const addresses = listAddresses(given.get('host') ?? decode(authority), given.get('port'));
  const needs = readNeeds(given.get('target_session_attrs'), addresses.length > 1);
  if (addresses.length === 1) {
    if (!isUrl(text)) throw new Error(form);
    return { hosts: [{ name: nameOf(addresses[0]!), url: text }], needs };
  }
  const rest = `${path}${withoutHosts(query)}`;
  const hosts = addresses.map((address) => {
    const url = `${scheme}${user}${wireHost(address.host)}:${address.port}${rest}`;
    if (address.host === '' || !isUrl(url)) throw new Error(form);
    return { name: nameOf(address), url };
  });
  return { hosts, needs };
}

const form =
  'must be a URL like postgres://user:password@host:5432/database or ' +
  'postgres://user@/database?host=/run/postgresql; several hosts are separated by commas: ' +
  'postgres://user:password@one:5432,two:5432/database';

const defaultPort = '5432';

interface Address {
  host: string;
  port: string;
}

function splitUrl(text: string) {
  const parts = /^(postgres(?:ql)?:\/\/)([^/?#]*@)?([^/?#@]*)([^?#]*)(?:\?([^#]*))?(?:#.*)?$/.exec(text);
  if (!parts) throw new Error(form);
  const [, scheme = '', user = '', authority = '', path = '', query = ''] = parts;
  return { scheme, user, authority, path, query };
}

/** `ports`: one for all hosts, or as many as hosts. It overrides those in `hosts`, as in the driver. */
function listAddresses(hosts: string, ports: string | null): Address[] {
  const written = hosts.split(',').map(readAddress);
  const listed = ports?.split(',') ?? [];
  if (listed.length > 1 && listed.length !== written.length)
    throw new Error('must have one port for all hosts, or a port for each');
  return written.map(({ host, port }, index) => {
    const chosen = (listed.length > 1 ? listed[index] : listed[0]) || port || defaultPort;
    if (!/^\d{1,5}$/.test(chosen) || Number(chosen) < 1 || Number(chosen) > 65_535)
      throw new Error('must have ports from 1 to 65535, and special characters of its password percent-encoded');
    return { host, port: chosen };
  });
}

/** A path of a Unix socket, an IPv6 address with or without brackets, or a name or IPv4 address. */
function readAddress(text: string): Address {
  if (text.split(':').length > 2 && !text.startsWith('[')) return { host: text, port: '' };
  const [, bracketed, plain = '', port = ''] = /^(?:\[([^\]]*)\]|([^:]*))(?::(.*))?$/.exec(text) ?? [];
  return { host: bracketed ?? plain, port };
}

function readNeeds(given: string | null, areSeveral: boolean): HostNeeds {
  if (given === null) return areSeveral ? 'read-write' : 'any';
  const needs = hostNeeds.find((known) => known === given);
  if (needs === undefined)
    throw new Error(`may have target_session_attrs=${hostNeeds.join(', ')}, because Flaghoist must write`);
  return needs;
}

function withoutHosts(query: string): string {
  const names = ['host', 'port', 'target_session_attrs'];
  const kept = query.split('&').filter((pair) => pair !== '' && !names.includes(decode(pair.split('=')[0]!)));
  return kept.length === 0 ? '' : `?${kept.join('&')}`;
}

function wireHost(host: string): string {
  if (host.startsWith('/')) return encodeURIComponent(host);
  return host.includes(':') ? `[${host}]` : host;
}

function nameOf({ host, port }: Address): string {
  return `${host.includes(':') ? `[${host}]` : host || 'localhost'}:${port}`;
}

/** The standard knows no URL without a host, which is how libpq writes a Unix socket. */
function isUrl(text: string): boolean {
  const isSocket = /[?&]host=(\/|%2f)/i.test(text);
  return parseUrl(isSocket ? text.replace(/@(?=\/)/, '@localhost') : text) !== undefined;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error(form);
  }
}
