// A snapshot of who may call: clients by their id, users by their key, and the signing keys of the built-in issuer.

import { createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { type CryptoKey, importJWK, type JWK } from 'jose';
import type { Clock } from '../../clock.ts';
import type { Edition } from '../../model/editions.ts';
import { isScope, type Scope } from '../../model/scopes.ts';
import type { Encryption } from '../encryption/encryption.ts';
import { privateKeyPurpose, tokenAlgorithm } from '../signing-keys/signing-keys.ts';
import type { AccessRow, ClientRow, SigningKeyRow, UserRow } from './access-table.ts';

export interface Access {
  readonly revision: string;
  readonly clients: ReadonlyMap<string, ApiClient>;
  readonly users: ReadonlyMap<number, ApiUser>;
  /** By key id, in the order in which they start to sign. */
  readonly signingKeys: ReadonlyMap<string, SigningKey>;
  /** The difference between the clock of the database and the monotonic clock of this process. */
  readonly clockOffsetMs: number;
}

export interface ApiUser {
  readonly key: number;
  readonly userCode: string;
  readonly edition: Edition;
  readonly apiVersion: string | null;
  readonly isActive: boolean;
}

export interface ApiClient {
  readonly key: number;
  readonly clientId: string;
  readonly user: ApiUser;
  readonly scopes: readonly Scope[];
  readonly audiences: readonly string[];
  readonly isActive: boolean;
  /** The current secret first, then the previous one, which is valid until its grace period ends. */
  readonly secrets: readonly { hash: Buffer; untilMs: number | undefined }[];
}

export interface SigningKey {
  readonly kid: string;
  readonly publicJwk: JWK;
  readonly publicKey: CryptoKey;
  readonly privateKey: KeyObject;
  /** By the clock of the database. */
  readonly signsFromMs: number;
  readonly verifiesUntilMs: number | undefined;
}

export async function buildAccess(
  row: AccessRow,
  {
    encryption,
    knownKeys,
    monotonicMs,
  }: { encryption: Encryption; knownKeys: ReadonlyMap<string, SigningKey>; monotonicMs: number },
): Promise<Access> {
  const users = new Map(row.users.map((user) => [user.key, userOf(user)]));
  const keys = await Promise.all(row.keys.map((key) => signingKeyOf(key, encryption, knownKeys.get(key.kid))));
  return {
    revision: row.revision,
    users,
    clients: new Map(row.clients.map((client) => [client.client_id, clientOf(client, users)])),
    signingKeys: new Map(keys.map((key) => [key.kid, key])),
    clockOffsetMs: row.now_ms - monotonicMs,
  };
}

/** The time of the database, extrapolated from the last query. A step of the local wall clock has no effect. */
export function databaseNowMs({ clockOffsetMs }: Access, clock: Pick<Clock, 'monotonicMs'>): number {
  return clock.monotonicMs() + clockOffsetMs;
}

/** The newest key that may sign already. */
export function signingKeyAt({ signingKeys }: Access, nowMs: number): SigningKey {
  const signing = [...signingKeys.values()].filter(({ signsFromMs }) => signsFromMs <= nowMs);
  const key = signing.at(-1) ?? [...signingKeys.values()][0];
  if (!key) throw new Error('There is no key to sign tokens with.');
  return key;
}

/** Whether tokens that this key signed are still accepted. */
export function isVerifying({ verifiesUntilMs }: SigningKey, nowMs: number): boolean {
  return verifiesUntilMs === undefined || nowMs < verifiesUntilMs;
}

function userOf({ key, user_code, edition, api_version, active }: UserRow): ApiUser {
  return { key, userCode: user_code, edition, apiVersion: api_version, isActive: active };
}

function clientOf(row: ClientRow, users: ReadonlyMap<number, ApiUser>): ApiClient {
  const secret = (hash: string | null, untilMs: number | undefined) =>
    hash === null ? [] : [{ hash: Buffer.from(hash, 'base64url'), untilMs }];
  return {
    key: row.key,
    clientId: row.client_id,
    user: users.get(row.user)!,
    scopes: row.scopes.filter(isScope),
    audiences: row.audiences,
    isActive: row.active,
    secrets: [
      ...secret(row.secret_hash, undefined),
      ...secret(row.previous_secret_hash, row.previous_secret_until ?? 0),
    ],
  };
}

async function signingKeyOf(row: SigningKeyRow, encryption: Encryption, known?: SigningKey): Promise<SigningKey> {
  const times = { signsFromMs: row.signs_from, verifiesUntilMs: row.verifies_until ?? undefined };
  if (known) return { ...known, ...times };
  const privateJwk = JSON.parse(encryption.decrypt(privateKeyPurpose(row.kid), row.private_jwk)) as JsonWebKey;
  const privateKey = createPrivateKey({ key: privateJwk, format: 'jwk' });
  // Derived from the private key, so that a forged public key in the row has no effect.
  const publicJwk = {
    ...createPublicKey(privateKey).export({ format: 'jwk' }),
    kid: row.kid,
    use: 'sig',
    alg: tokenAlgorithm,
  } as JWK;
  return {
    kid: row.kid,
    publicJwk,
    publicKey: (await importJWK(publicJwk, tokenAlgorithm)) as CryptoKey,
    privateKey,
    ...times,
  };
}
