// Loads the keys of an external issuer through its metadata: OpenID Connect Discovery §4, otherwise RFC 8414 §3. Trusts
// only the URL that the operator configured, and the key URL in the metadata found there.

import type { JsonValue } from '../../json/parse-json.ts';
import { parseUrl } from '../../parse-url.ts';
import { fetchJson } from './fetch-json.ts';
import { type KeySet, readKeySet } from './key-set.ts';

export interface IssuerKeys {
  /** The issuer name exactly as the metadata spells it. Tokens must use the same spelling. */
  issuer: string;
  keys: KeySet;
}

/** Throws an Error that states the URL and the problem. */
export async function loadIssuerKeys(issuerUrl: string, signal: AbortSignal): Promise<IssuerKeys> {
  const { issuer, keysUrl } = await loadMetadata(issuerUrl, signal);
  return { issuer, keys: readKeySet(await fetchJson(keysUrl, signal), issuer) };
}

export interface Metadata {
  issuer: string;
  keysUrl: string;
}

async function loadMetadata(issuerUrl: string, signal: AbortSignal): Promise<Metadata> {
  const failures: string[] = [];
  for (const url of metadataUrls(issuerUrl)) {
    try {
      return readMetadata(await fetchJson(url, signal), url, issuerUrl);
    } catch (error) {
      if (signal.aborted) throw error;
      failures.push((error as Error).message);
    }
  }
  throw new Error(failures.join(' '));
}

/** Discovery appends its path to the issuer's path; RFC 8414 inserts its path before it. */
function metadataUrls(issuerUrl: string): string[] {
  const { origin, pathname } = new URL(issuerUrl);
  const path = pathname.replace(/\/$/, '');
  return [
    `${origin}${path}/.well-known/openid-configuration`,
    `${origin}/.well-known/oauth-authorization-server${path}`,
  ];
}

export function readMetadata(document: JsonValue, url: string, issuerUrl: string): Metadata {
  const members = document instanceof Map ? document : new Map<string, JsonValue>();
  const [issuer, keysUrl] = [members.get('issuer'), members.get('jwks_uri')];
  if (typeof issuer !== 'string' || withoutSlash(issuer) !== withoutSlash(issuerUrl))
    throw new Error(`${url} is not the metadata of ${issuerUrl}: it names another issuer, or none.`);
  if (typeof keysUrl !== 'string' || !isAsSafe(keysUrl, issuerUrl))
    throw new Error(`${url} names no usable jwks_uri: it must be an https URL, or http if the issuer's is.`);
  return { issuer, keysUrl };
}

/** Operators may write the trailing slash or omit it. Nothing else may differ. */
function withoutSlash(url: string): string {
  return url.replace(/\/$/, '');
}

function isAsSafe(url: string, issuerUrl: string): boolean {
  const protocol = parseUrl(url)?.protocol;
  return protocol === 'https:' || (protocol === 'http:' && new URL(issuerUrl).protocol === 'http:');
}
