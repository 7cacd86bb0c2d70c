// Makes, replaces and forgets the keys that sign tokens. All processes share them through the database; the private half is
// stored encrypted.

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

/** Every process loads a new key within a second; it signs once all of them surely have. */
const publishedSeconds = 3;

/**
 * A key that was replaced is kept for as long as any token may live, whatever the setting is or was: a token that has expired is
 * told so, and not that it is bad. A process may sign with the old key for a moment longer, and clocks differ.
 */
const keptMarginSeconds = 600;

/** Replaces the key if it is older than that, or if there is none. Answers the id of the new one. */
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
    // The first key of all signs at once: nobody holds an older set of keys.
    const signsInSeconds = age === undefined ? 0 : publishedSeconds;
    await transaction.commitWith(
      retireSigningKeys(tokenLifetimeMaxSeconds + publishedSeconds + keptMarginSeconds),
      insertSigningKey(key, signsInSeconds),
      auditKeyRotation(key.kid),
    );
    return key.kid;
  });
}

/** For a key that has leaked: every token that was issued so far is bad within a second, on all processes. */
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

/** As it is shown to people. */
export interface ShownSigningKey {
  kid: string;
  createdDate: string;
  signsFromDate: string;
  /** Null for the newest. */
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
