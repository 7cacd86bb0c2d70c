// A snapshot of who may call: the users by key, the clients by id, each with its user, and the signing keys of the
// built-in issuer.

import { createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import { isScope, type Scope } from '../../model/scopes.ts';
import type { Encryption } from '../encryption/encryption.ts';
import { privateKeyPurpose, tokenAlgorithm } from '../signing-keys/signing-keys.ts';
import type { AccessRow, ApiUser, ClientRow, SigningKeyRow } from './access-table.ts';

export interface Access {
  readonly revision: string;
  readonly users: ReadonlyMap<number, ApiUser>;
  readonly clients: ReadonlyMap<string, ApiClient>;
  /** By key id, in the order in which they start to sign. */
  readonly signingKeys: ReadonlyMap<string, SigningKey>;
  /** The difference between the clock of the database and the monotonic clock of this process. */
  readonly clockOffsetMs: number;
}

export interface ApiClient {
  readonly key: number;
  readonly clientId: string;
  readonly user: ApiUser;
  readonly scopes: readonly Scope[];
  readonly audiences: readonly string[];
  readonly isActive: boolean;
  readonly secretHash: Buffer | undefined;
  /** Valid until its grace period ends. */
  readonly previousSecretHash: Buffer | undefined;
  readonly previousSecretUntilMs: number;
}

export interface SigningKey {
  readonly kid: string;
  readonly publicJwk: JsonWebKey;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
  /** By the clock of the database. */
  readonly signsFromMs: number;
  readonly verifiesUntilMs: number | undefined;
}

export function buildAccess(row: AccessRow, encryption: Encryption, monotonicMs: number): Access {
  const users = new Map(row.users.map((user) => [user.key, user]));
  return {
    revision: row.revision,
    users,
    clients: new Map(row.clients.map((client) => [client.clientId, clientOf(client, users)])),
    signingKeys: new Map(row.keys.map((key) => [key.kid, signingKeyOf(key, encryption)])),
    clockOffsetMs: row.nowMs - monotonicMs,
  };
}

/** The time of the database, extrapolated from the last query. A step of the local wall clock has no effect. */
export function databaseNowMs({ clockOffsetMs }: Access, clock: Pick<Clock, 'monotonicMs'>): number {
  return clock.monotonicMs() + clockOffsetMs;
}

/** The newest key that may sign already. */
export function signingKeyAt({ signingKeys }: Access, nowMs: number): SigningKey {
  const keys = [...signingKeys.values()];
  const key = keys.findLast(({ signsFromMs }) => signsFromMs <= nowMs) ?? keys[0];
  if (!key) throw new Error('There is no key to sign tokens with.');
  return key;
}

/** Whether tokens that this key signed are still accepted. */
export function isVerifying({ verifiesUntilMs }: SigningKey, nowMs: number): boolean {
  return verifiesUntilMs === undefined || nowMs < verifiesUntilMs;
}

function clientOf(row: ClientRow, users: ReadonlyMap<number, ApiUser>): ApiClient {
  const bytesOf = (hash: string | null) => (hash === null ? undefined : Buffer.from(hash, 'base64url'));
  const { key, clientId, audiences, isActive } = row;
  return {
    key,
    clientId,
    audiences,
    isActive,
    user: users.get(row.user)!,
    scopes: row.scopes.filter(isScope),
    secretHash: bytesOf(row.secretHash),
    previousSecretHash: bytesOf(row.previousSecretHash),
    previousSecretUntilMs: row.previousSecretUntilMs ?? 0,
  };
}

/** The public key is derived from the private one, so that a forged public key in the table has no effect. */
function signingKeyOf({ kid, privateJwk, signsFromMs, verifiesUntilMs }: SigningKeyRow, encryption: Encryption) {
  const jwk = JSON.parse(encryption.decrypt(privateKeyPurpose(kid), privateJwk)) as JsonWebKey;
  const privateKey = createPrivateKey({ key: jwk, format: 'jwk' });
  const publicKey = createPublicKey(privateKey);
  const publicJwk = { ...publicKey.export({ format: 'jwk' }), kid, use: 'sig', alg: tokenAlgorithm };
  return { kid, publicJwk, publicKey, privateKey, signsFromMs, verifiesUntilMs: verifiesUntilMs ?? undefined };
}
