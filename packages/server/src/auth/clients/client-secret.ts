// Client secrets: generated at random, stored as a hash, compared in constant time, and replaced with a grace period.

import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Transaction } from '../../database/database.ts';
import type { ApiClient } from '../directory/access.ts';
import type { Encryption } from '../encryption/encryption.ts';
import { lockClient, replaceSecret } from './client-table.ts';

/** 256 random bits. The prefix lets secret scanners find a leaked secret. */
export function makeSecret(): string {
  return `fhs_${randomBytes(32).toString('base64url')}`;
}

/** The hash as it is stored. */
export function hashOf({ clientId, secret }: { clientId: string; secret: string }, encryption: Encryption): string {
  return encryption.hashSecret(clientId, secret).toString('base64url');
}

/** Takes the same time for a known and an unknown client, so that callers cannot find out which ids exist. */
export function isSecretOf(
  client: ApiClient | undefined,
  { clientId, secret }: { clientId: string; secret: string },
  { encryption, nowMs }: { encryption: Encryption; nowMs: number },
): boolean {
  const given = encryption.hashSecret(clientId, secret);
  const isCurrent = timingSafeEqual(given, client?.secretHash ?? noHash);
  const isPrevious = timingSafeEqual(given, client?.previousSecretHash ?? noHash);
  return isCurrent || (isPrevious && nowMs < (client?.previousSecretUntilMs ?? 0));
}

/** A placeholder that is the hash of no secret. */
const noHash = Buffer.alloc(32);

export interface RotatedSecret {
  clientId: string;
  clientSecret: string;
  previousSecretExpiresDate: string;
}

/**
 * Gives a client a new secret. The previous one stays valid for a grace period, so that its owner has time to switch.
 * Returns undefined if no client has this key.
 */
export async function rotateSecret(
  transaction: Transaction,
  { key, graceSeconds }: { key: number; graceSeconds: number },
  encryption: Encryption,
): Promise<RotatedSecret | undefined> {
  const [found] = await transaction.run(lockClient(key));
  const clientId = found?.[0]?.client_id as string | undefined;
  if (clientId === undefined) return undefined;
  const clientSecret = makeSecret();
  const secretHash = hashOf({ clientId, secret: clientSecret }, encryption);
  const [rows] = await transaction.run(replaceSecret(key, secretHash, graceSeconds));
  return { clientId, clientSecret, previousSecretExpiresDate: rows![0]!.expires as string };
}
