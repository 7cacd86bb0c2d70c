// Replaces the key that signs tokens once it is too old, and forgets those that no living token needs.

import { DatabaseAway } from '../../database/database-away.ts';
import type { Observe } from '../../observability/observation.ts';
import { forgetExpiredKeys, type KeyRotation, rotateKeyOlderThan } from './signing-keys.ts';

export interface RotateKeyLoopParts extends KeyRotation {
  ageMaxSeconds: number;
  observe: Observe;
}

const pauseMs = 10 * 60_000;

export class RotateKeyLoop {
  readonly #parts: RotateKeyLoopParts;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(parts: RotateKeyLoopParts) {
    this.#parts = parts;
  }

  /** There is a key when it has started. */
  async start(): Promise<void> {
    await this.#rotate();
    this.#timer = setInterval(() => {
      this.#running = this.#rotate().catch((error) => this.#report(error));
    }, pauseMs);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  async #rotate(): Promise<void> {
    const { ageMaxSeconds, observe, database } = this.#parts;
    const kid = await rotateKeyOlderThan(this.#parts, ageMaxSeconds, { userKey: undefined, client: 'key rotation' });
    if (kid !== undefined) observe({ kind: 'signingKey.rotated', kid });
    await forgetExpiredKeys(database);
  }

  /** A database that is away is told by those who wait for it; the next round finds the same key. */
  #report(error: unknown): void {
    if (!(error instanceof DatabaseAway)) this.#parts.observe({ kind: 'housekeeping.failed', error: error as Error });
  }
}
