// Creates, replaces and deletes the signing keys for tokens. All processes share the keys through the database; the
// private key is stored encrypted.

import { randomBytes } from 'node:crypto';
import { exportJWK, generateKeyPair } from 'jose';
import { tokenLifetimeMaxSeconds } from '../../config/settings-table.ts';
import type { Actor, Database } from '../../database/database.ts';
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

/** Every process loads a new key within a second. The key starts to sign when all processes certainly have it. */
const publishedSeconds = 3;

/**
 * A replaced key is kept for the maximum lifetime of any token, whatever the setting is or was. This way an expired
 * token is reported as expired, not as invalid. The margin covers different clocks, and a process that still signs
 * with the old key for a moment.
 */
const keptMarginSeconds = 600;

/** Replaces the key if it is older than `ageMaxSeconds` or missing. Returns the id of the new key. */
export async function rotateKeyOlderThan(
  rotation: KeyRotation,
  ageMaxSeconds: number,
  actor: Actor,
): Promise<string | undefined> {
  const { database, encryption } = rotation;
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

export async function forgetExpiredKeys(database: Database): Promise<void> {
  await database.run(deleteExpiredKeys());
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
