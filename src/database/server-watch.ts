// Tells a server that is frozen (stopped, paused, behind a network that drops everything) from one that is only slow. When an
// answer is late it asks `select 1` over a connection of its own; if that stays silent too, everything that waits for the server
// fails with `DatabaseAway`, and so does whatever comes next, until the server answers again. Knows nothing of statements.

import { DatabaseAway } from './database-away.ts';
import { RowClient } from './received-row.ts';
import { runBatch } from './statement-batch.ts';

/** An answer is late, and the server is probed. */
const lateMs = 3_000;
/** For connecting and for the answer. A request is answered within 10 s: all three together must stay well below that. */
const probeMs = 2_000;
const tickMs = 500;

interface Wait {
  since: number;
  fail(error: Error): void;
}

export class ServerWatch {
  readonly #url: string;
  /** The oldest first, as a Set keeps its order. */
  readonly #waits = new Set<Wait>();
  readonly #ticking: NodeJS.Timeout;
  /** When the server last answered anything, or was last found alive. */
  #heardAt = 0;
  #isFrozen = false;
  #probing: Promise<void> | undefined;
  #probe: RowClient | undefined;

  constructor(url: string) {
    this.#url = url;
    this.#ticking = setInterval(() => this.#tick(), tickMs);
    this.#ticking.unref();
  }

  /** The same promise, unless the server is found frozen first. */
  guard<T>(asked: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const wait = { since: performance.now(), fail: reject };
      this.#waits.add(wait);
      asked.then(
        (answer) => {
          this.#waits.delete(wait);
          resolve(answer);
        },
        (error: unknown) => {
          this.#waits.delete(wait);
          reject(error);
        },
      );
    });
  }

  /** Fails at once while the server is known to be frozen. */
  check(): void {
    if (this.#isFrozen) throw frozen();
  }

  /** The server has answered something. */
  heard(): void {
    this.#heardAt = performance.now();
  }

  /** One connection got no answer. Is it the connection, or the server? */
  suspect(): void {
    this.#probing ??= this.#find().finally(() => {
      this.#probing = undefined;
    });
  }

  async stop(): Promise<void> {
    clearInterval(this.#ticking);
    this.#probe?.cutOff();
    await this.#probing;
  }

  #tick(): void {
    const [oldest] = this.#waits;
    const isLate = oldest !== undefined && performance.now() - Math.max(oldest.since, this.#heardAt) > lateMs;
    if (isLate || this.#isFrozen) this.suspect();
  }

  async #find(): Promise<void> {
    const startedAt = performance.now();
    const isSilent = await this.#isProbeUnanswered();
    // An answer on any other connection is as good as one to the probe: a busy server may take long to accept a connection.
    this.#isFrozen = isSilent && this.#heardAt < startedAt;
    if (!isSilent) this.heard();
    if (!this.#isFrozen) return;
    for (const { fail } of this.#waits) fail(frozen());
    this.#waits.clear();
  }

  async #isProbeUnanswered(): Promise<boolean> {
    const probe = new RowClient({ connectionString: this.#url, application_name: 'flaghoist probe' });
    probe.on('error', () => undefined);
    this.#probe = probe;
    let isSilent = false;
    const deadline = setTimeout(() => {
      isSilent = true;
      probe.cutOff();
    }, probeMs);
    try {
      await probe.connect();
      await runBatch(probe, [{ text: 'select 1' }], probeMs);
    } catch {
      // A refusal is an answer too. What it means, the next statement finds out.
    }
    clearTimeout(deadline);
    probe.cutOff();
    this.#probe = undefined;
    return isSilent;
  }
}

function frozen(): DatabaseAway {
  return new DatabaseAway(new Error(`The server has not answered for ${(lateMs + probeMs) / 1000} s.`));
}
