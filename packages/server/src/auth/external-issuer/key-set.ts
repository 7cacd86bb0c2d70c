// Selects the keys of a JWK Set (RFC 7517) that may verify tokens: public signature keys that are strong enough and
// whose id is unique. Other keys are ignored, and a token that names one of them is rejected.

import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import type { JsonObject, JsonValue } from '../../json/parse-json.ts';

/** By key id. */
export type KeySet = ReadonlyMap<string, VerifyingKey>;

export interface VerifyingKey {
  publicKey: KeyObject;
  algorithms: readonly string[];
  /** Identifies the key itself. The same key id may be reused for another key; the thumbprint may not. */
  thumbprint: string;
}

/** Throws an Error if the document is not a key set. */
export function readKeySet(document: JsonValue, issuer: string): KeySet {
  const list = document instanceof Map ? document.get('keys') : undefined;
  if (!Array.isArray(list)) throw new Error(`The keys of ${issuer} are not a JWK Set: there is no list "keys".`);
  const keys = new Map<string, VerifyingKey | undefined>();
  for (const jwk of list) {
    if (!(jwk instanceof Map) || !isOf(jwk, issuer)) continue;
    const kid = jwk.get('kid');
    if (typeof kid === 'string') keys.set(kid, keys.has(kid) ? undefined : parseJwk(jwk));
  }
  return new Map([...keys].filter((entry): entry is [string, VerifyingKey] => entry[1] !== undefined));
}

/** Entra also lists keys of other issuers and names them. A key for personal accounts must not sign for a tenant. */
function isOf(jwk: JsonObject, issuer: string): boolean {
  const owner = jwk.get('issuer');
  return typeof owner !== 'string' || owner.includes('{tenantid}') || owner === issuer;
}

function parseJwk(jwk: JsonObject): VerifyingKey | undefined {
  const algorithms = algorithmsOf(jwk);
  const publicKey = algorithms.length > 0 && isForVerifying(jwk) ? importKey(jwk) : undefined;
  return publicKey && isStrong(publicKey) ? { publicKey, algorithms, thumbprint: thumbprintOf(publicKey) } : undefined;
}

/** The supported algorithms that the key can be used with. A key with `alg` is limited to that one. */
function algorithmsOf(jwk: JsonObject): string[] {
  const possible = jwk.get('kty') === 'RSA' ? ['RS256', 'PS256'] : jwk.get('crv') === 'P-256' ? ['ES256'] : [];
  return jwk.has('alg') ? possible.filter((algorithm) => algorithm === jwk.get('alg')) : possible;
}

/** A key whose private part was published is not secret any more. */
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

/** With a public exponent of 1, every message is its own signature. */
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
