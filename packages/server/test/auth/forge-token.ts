// Tokens that the service never issued, signed with the service's own key or with whatever an attacker has: each part
// is written as the test wants it, byte by byte.

import { createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject, sign } from 'node:crypto';
import { openEncryption } from '../../src/auth/encryption/encryption.ts';
import { privateKeyPurpose } from '../../src/auth/signing-keys/signing-keys.ts';
import { administrator, administratorSettings, testAudience } from '../support/access.ts';
import type { TestDatabase } from '../support/test-database.ts';

export type Claims = Record<string, unknown>;

export interface Forge {
  kid: string;
  publicJwk: JsonWebKey;
  privateKey: KeyObject;
  publicKey: KeyObject;
  /** As the service writes it, but for what is changed; undefined leaves a member out. */
  header(change?: Claims): Claims;
  claims(change?: Claims): Claims;
  /** Signed with the service's key. A text is taken as it is. */
  sign(header: Claims | string, claims: Claims | string): string;
}

export async function openForge(database: TestDatabase, issuer: string): Promise<Forge> {
  const { rows } = await database.pool.query<{ kid: string; private_jwk: string; public_jwk: JsonWebKey }>(
    'select kid, private_jwk, public_jwk from flaghoist_system.signing_key where verifies_until is null',
  );
  const { kid, private_jwk, public_jwk: publicJwk } = rows[0]!;
  const clients = await database.pool.query<{ key: string }>(
    'select key from flaghoist_service.api_client where client_id = $1',
    [administrator.clientId],
  );
  const encryption = openEncryption(Buffer.from(administratorSettings.FLAGHOIST_ENCRYPTION_KEY!, 'base64'));
  const jwk = JSON.parse(encryption.decrypt(privateKeyPurpose(kid), private_jwk)) as JsonWebKey;
  const privateKey = createPrivateKey({ key: jwk, format: 'jwk' });
  const nowSeconds = Math.floor(Date.now() / 1000);
  return {
    kid,
    publicJwk,
    privateKey,
    publicKey: createPublicKey(privateKey),
    header: (change = {}) => ({ alg: 'ES256', typ: 'at+jwt', kid, ...change }),
    claims: (change = {}) => ({
      iss: issuer,
      sub: administrator.clientId,
      aud: testAudience,
      client_id: administrator.clientId,
      client_key: Number(clients.rows[0]!.key),
      scope: 'admin',
      iat: nowSeconds,
      exp: nowSeconds + 3600,
      jti: 'forged',
      ...change,
    }),
    sign: (header, claims) => signWith(privateKey, header, claims),
  };
}

/** ES256, or whatever the key signs. */
export function signWith(key: KeyObject, header: Claims | string, claims: Claims | string): string {
  const input = `${encode(header)}.${encode(claims)}`;
  const algorithm = key.asymmetricKeyType === 'ed25519' ? null : 'sha256';
  return `${input}.${sign(algorithm, Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}

export function encode(part: Claims | string | Buffer): string {
  return Buffer.from(Buffer.isBuffer(part) || typeof part === 'string' ? part : JSON.stringify(part)).toString(
    'base64url',
  );
}
