// Loads the keys of an external issuer through its metadata: OpenID Connect Discovery §4, otherwise RFC 8414 §3. Trusts
// only the URL that the operator configured, and the key URL in the metadata found there.

import type { OperatorGet } from '../../channels/http/operator-get.ts';
import type { JsonObject, JsonValue } from '../../json/parse-json.ts';
import { parseUrl } from '../../parse-url.ts';
import { fetchJson } from './fetch-json.ts';
import { type KeySet, readKeySet } from './key-set.ts';

export interface IssuerKeys {
  /** The issuer name exactly as the metadata spells it. Tokens must use the same spelling. */
  issuer: string;
  keys: KeySet;
  /** Undefined: people cannot sign in there. */
  signIn: SignInEndpoints | undefined;
}

/** For people who sign in with a browser (RFC 6749 §3). */
export interface SignInEndpoints {
  authorizationUrl: string;
  tokenUrl: string;
  /** How a client can authenticate: `client_secret_basic`, …; undefined if the metadata does not say. */
  clientAuthentication: readonly string[] | undefined;
}

/** Throws an Error that states the URL and the problem. */
export async function loadIssuerKeys(get: OperatorGet, issuerUrl: string, signal: AbortSignal): Promise<IssuerKeys> {
  const { issuer, keysUrl, signIn } = await loadMetadata(get, issuerUrl, signal);
  return { issuer, signIn, keys: readKeySet(await fetchJson(get, keysUrl, signal), issuer) };
}

export interface Metadata {
  issuer: string;
  keysUrl: string;
  signIn: SignInEndpoints | undefined;
}

async function loadMetadata(get: OperatorGet, issuerUrl: string, signal: AbortSignal): Promise<Metadata> {
  const failures: string[] = [];
  for (const url of metadataUrls(issuerUrl)) {
    try {
      return readMetadata(await fetchJson(get, url, signal), url, issuerUrl);
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
  return { issuer, keysUrl, signIn: readSignIn(members, issuerUrl) };
}

function readSignIn(members: JsonObject, issuerUrl: string): SignInEndpoints | undefined {
  const [authorizationUrl, tokenUrl] = [members.get('authorization_endpoint'), members.get('token_endpoint')];
  const methods = members.get('token_endpoint_auth_methods_supported');
  if (typeof authorizationUrl !== 'string' || typeof tokenUrl !== 'string') return undefined;
  if (![authorizationUrl, tokenUrl].every((url) => isAsSafe(url, issuerUrl))) return undefined;
  const clientAuthentication = Array.isArray(methods) ? methods.filter((one) => typeof one === 'string') : undefined;
  return { authorizationUrl, tokenUrl, clientAuthentication };
}

/** Operators may write the trailing slash or omit it. Nothing else may differ. */
function withoutSlash(url: string): string {
  return url.replace(/\/$/, '');
}

function isAsSafe(url: string, issuerUrl: string): boolean {
  const protocol = parseUrl(url)?.protocol;
  return protocol === 'https:' || (protocol === 'http:' && new URL(issuerUrl).protocol === 'http:');
}
