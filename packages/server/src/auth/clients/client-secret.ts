// Client secrets: generated at random, stored as a hash, compared in constant time.

import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { ApiClient } from '../directory/access.ts';
import type { Encryption } from '../encryption/encryption.ts';

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
  const [present = none, previous = none] = client?.secrets ?? [];
  const isPresent = timingSafeEqual(given, present.hash);
  const isPrevious = timingSafeEqual(given, previous.hash) && nowMs < (previous.untilMs ?? 0);
  return isPresent || isPrevious;
}

/** A placeholder that is the hash of no secret. */
const none = { hash: Buffer.alloc(32), untilMs: undefined };
