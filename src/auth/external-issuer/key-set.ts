// Which keys of a JWK Set (RFC 7517) may verify tokens: public ones for signatures, strong enough, and each the only one of
// its id. The others are left out; a token that names one of them is signed by nobody.

import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import type { JsonObject, JsonValue } from '../../json/parse-json.ts';

/** By key id. */
export type KeySet = ReadonlyMap<string, VerifyingKey>;

export interface VerifyingKey {
  publicKey: KeyObject;
  algorithms: readonly string[];
  /** Of the key itself: an id can come to mean another key, this cannot. */
  thumbprint: string;
}

/** Throws an Error if this is no key set at all. */
export function readKeySet(document: JsonValue, issuer: string): KeySet {
  const list = document instanceof Map ? document.get('keys') : undefined;
  if (!Array.isArray(list)) throw new Error(`The keys of ${issuer} are not a JWK Set: there is no list "keys".`);
  const listed = list.filter((key) => key instanceof Map).filter((key) => isOf(key, issuer));
  const keys = new Map<string, VerifyingKey>();
  for (const [kid, [jwk, ...others]] of groupByKid(listed)) {
    const key = jwk && others.length === 0 ? readKey(jwk) : undefined;
    if (key) keys.set(kid, key);
  }
  return keys;
}

function groupByKid(listed: JsonObject[]): Map<string, JsonObject[]> {
  const groups = new Map<string, JsonObject[]>();
  for (const jwk of listed) {
    const kid = jwk.get('kid');
    if (typeof kid !== 'string') continue;
    const group = groups.get(kid);
    if (group) group.push(jwk);
    else groups.set(kid, [jwk]);
  }
  return groups;
}

/** Entra lists keys of other issuers too, and says whose: a key for personal accounts must not sign for a tenant. */
function isOf(jwk: JsonObject, issuer: string): boolean {
  const owner = jwk.get('issuer');
  return typeof owner !== 'string' || owner.includes('{tenantid}') || owner === issuer;
}

function readKey(jwk: JsonObject): VerifyingKey | undefined {
  const algorithms = algorithmsOf(jwk);
  const publicKey = algorithms.length > 0 && isForVerifying(jwk) ? importKey(jwk) : undefined;
  return publicKey && isStrong(publicKey) ? { publicKey, algorithms, thumbprint: thumbprintOf(publicKey) } : undefined;
}

/** Those that the key can be used with and that we take, or the one it is meant for. */
function algorithmsOf(jwk: JsonObject): string[] {
  const possible = jwk.get('kty') === 'RSA' ? ['RS256', 'PS256'] : jwk.get('crv') === 'P-256' ? ['ES256'] : [];
  return jwk.has('alg') ? possible.filter((algorithm) => algorithm === jwk.get('alg')) : possible;
}

/** A private part that has been published is nobody's secret any more. */
const secretMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

function isForVerifying(jwk: JsonObject): boolean {
  const operations = jwk.get('key_ops');
  const isMeant = !jwk.has('key_ops') || (Array.isArray(operations) && operations.includes('verify'));
  const isForSignatures = !jwk.has('use') || jwk.get('use') === 'sig';
  return isMeant && isForSignatures && !secretMembers.some((member) => jwk.has(member));
}

function importKey(jwk: JsonObject): KeyObject | undefined {
  const members = ['kty', 'n', 'e', 'crv', 'x', 'y'].filter((name) => jwk.has(name));
  try {
    return createPublicKey({ key: Object.fromEntries(members.map((name) => [name, jwk.get(name)])), format: 'jwk' });
  } catch {
    return undefined;
  }
}

/** With an exponent of 1 everything is its own signature. */
function isStrong({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean {
  if (asymmetricKeyType !== 'rsa') return true;
  const { modulusLength = 0, publicExponent = 0n } = asymmetricKeyDetails ?? {};
  return modulusLength >= 2048 && publicExponent >= 3n;
}

function thumbprintOf(key: KeyObject): string {
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('base64url');
}
