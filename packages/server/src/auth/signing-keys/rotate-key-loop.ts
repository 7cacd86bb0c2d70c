// Replaces the signing key for tokens when it is too old, and deletes keys that no unexpired token needs.

import { WorkLoop } from '../../database/work-loop.ts';
import type { Observe } from '../../observe/observation.ts';
import { forgetExpiredKeys, type KeyRotation, rotateKeyOlderThan } from './signing-keys.ts';

export interface RotateKeyParts extends KeyRotation {
  ageMaxSeconds: number;
  observe: Observe;
}

const pollEveryMs = 10 * 60_000;

/** Call `rotateKeyIfDue` first: without a signing key, no token can be issued. */
export function createRotateKeyLoop(parts: RotateKeyParts): WorkLoop {
  return new WorkLoop({
    round: () => rotateKeyIfDue(parts),
    pollEveryMs,
    onError: (error) => parts.observe({ kind: 'housekeeping.failed', error }),
    restsFirst: true,
  });
}

/** Afterwards a signing key exists. */
export async function rotateKeyIfDue(parts: RotateKeyParts): Promise<false> {
  const kid = await rotateKeyOlderThan(parts, parts.ageMaxSeconds, { userKey: undefined, client: 'key rotation' });
  if (kid !== undefined) parts.observe({ kind: 'signingKey.rotated', kid });
  await forgetExpiredKeys(parts.database);
  return false;
}
