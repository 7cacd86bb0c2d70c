// Creates the signing keys for tokens, replaces them when they are old, and deletes those that no unexpired token
// needs. All processes share the keys through the database; the private key is stored encrypted.

import { randomBytes } from 'node:crypto';
import { exportJWK, generateKeyPair } from 'jose';
import { tokenLifetimeMaxSeconds } from '../../config/settings-table.ts';
import type { Actor, Database } from '../../database/database.ts';
import { WorkLoop } from '../../database/work-loop.ts';
import type { Observe } from '../../observe/observation.ts';
import type { Encryption } from '../encryption/encryption.ts';
import {
  auditDistrust,
  auditKeyRotation,
  deleteAllKeys,
  deleteExpiredKeys,
  insertSigningKey,
  lockSigningKeys,
  type NewSigningKey,
  retireSigningKeys,
  selectNewestKeyAge,
  selectSigningKeys,
} from './signing-key-table.ts';

export interface KeyRotation {
  database: Database;
  encryption: Encryption;
}

export const tokenAlgorithm = 'ES256';

const pollEveryMs = 10 * 60_000;

/** Every process loads a new key within a second. The key starts to sign when all processes certainly have it. */
const publishedSeconds = 3;

/**
 * A replaced key is kept for the maximum lifetime of any token, whatever the setting is or was. This way an expired
 * token is reported as expired, not as invalid. The margin covers different clocks, and a process that still signs
 * with the old key for a moment.
 */
const keptMarginSeconds = 600;

/** Resolves when a signing key exists, and replaces it from then on. Returns the function that ends this. */
export async function startKeyRotation(
  parts: KeyRotation & { ageMaxSeconds: number; observe: Observe },
): Promise<() => Promise<void>> {
  const { database, ageMaxSeconds, observe } = parts;
  const rotateIfDue = async (): Promise<false> => {
    const kid = await rotateKeyOlderThan(parts, ageMaxSeconds, { userKey: undefined, client: 'key rotation' });
    if (kid !== undefined) observe({ kind: 'signingKey.rotated', kid });
    await database.run(deleteExpiredKeys());
    return false;
  };
  await rotateIfDue();
  const onError = (error: Error) => observe({ kind: 'housekeeping.failed', error });
  const loop = new WorkLoop({ round: rotateIfDue, pollEveryMs, onError, restsFirst: true });
  loop.start();
  return () => loop.stop();
}

/** Replaces the key if it is older than `ageMaxSeconds` or missing. Returns the id of the new key. */
export async function rotateKeyOlderThan(
  { database, encryption }: KeyRotation,
  ageMaxSeconds: number,
  actor: Actor,
): Promise<string | undefined> {
  const key = await makeKey(encryption);
  return database.transaction(actor, async (transaction) => {
    const [, newest] = await transaction.run(lockSigningKeys(), selectNewestKeyAge());
    const age = newest?.[0]?.age_seconds as number | undefined;
    if (age !== undefined && age <= ageMaxSeconds) return undefined;
    // The very first key signs immediately, because no process has an older set of keys.
    const signsInSeconds = age === undefined ? 0 : publishedSeconds;
    await transaction.commitWith(
      retireSigningKeys(tokenLifetimeMaxSeconds + publishedSeconds + keptMarginSeconds),
      insertSigningKey(key, signsInSeconds),
      auditKeyRotation(key.kid),
    );
    return key.kid;
  });
}

/** For a leaked key: all tokens issued so far become invalid on all processes within a second. */
export async function distrustAllKeys({ database, encryption }: KeyRotation, actor: Actor): Promise<string> {
  const key = await makeKey(encryption);
  await database.runTogether(actor, [
    lockSigningKeys(),
    auditDistrust(key.kid),
    deleteAllKeys(),
    insertSigningKey(key, 0),
  ]);
  return key.kid;
}

/** A signing key as shown to users. */
export interface ShownSigningKey {
  kid: string;
  createdDate: string;
  signsFromDate: string;
  /** Null for the newest key. */
  verifiesUntilDate: string | null;
}

export async function listSigningKeys(database: Database): Promise<ShownSigningKey[]> {
  return (await database.run(selectSigningKeys())) as unknown as ShownSigningKey[];
}

export function privateKeyPurpose(kid: string): string {
  return `signing key ${kid}`;
}

async function makeKey(encryption: Encryption): Promise<NewSigningKey> {
  const { publicKey, privateKey } = await generateKeyPair(tokenAlgorithm, { extractable: true });
  const kid = randomBytes(12).toString('base64url');
  const publicJwk = { ...(await exportJWK(publicKey)), kid, use: 'sig', alg: tokenAlgorithm };
  const privateJwk = JSON.stringify(await exportJWK(privateKey));
  return {
    kid,
    publicJwk: JSON.stringify(publicJwk),
    privateJwk: encryption.encrypt(privateKeyPurpose(kid), privateJwk),
  };
}
