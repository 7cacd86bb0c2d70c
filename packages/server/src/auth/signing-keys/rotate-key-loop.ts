// Replaces the signing key for tokens when it is too old, and deletes keys that no unexpired token needs.

import { DatabaseAway } from '../../database/database-away.ts';
import type { Observe } from '../../observe/observation.ts';
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

  /** After the start, a signing key exists. */
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

  /** A database outage is reported by other parts. The next round tries again. */
  #report(error: unknown): void {
    if (!(error instanceof DatabaseAway)) this.#parts.observe({ kind: 'housekeeping.failed', error: error as Error });
  }
}
