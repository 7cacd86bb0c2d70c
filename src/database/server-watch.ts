// What a process knows about the state of its database server, for all its pools: whether it is frozen, away, or has a full disk.
//
// A frozen server (stopped, paused, behind a network that drops everything) is told from a slow one by a probe. When an answer is
// late, the server is asked about it over a new connection. If that stays silent too, everything that waits for the
// server fails with `DatabaseAway`, and so does whatever comes next, until the server answers again. If the server
// answers that a connection is lost (`lost-backends.ts`), whoever waits on it fails.

import type { Observe } from '../observability/observation.ts';
import { DatabaseAway, DatabaseFull, isRefused } from './database-away.ts';
import { selectLostBackends } from './lost-backends.ts';
import { Outage } from './outage.ts';
import { type Probe, type ProbeResult, probeServer } from './probe-server.ts';
import type { RowClient } from './received-row.ts';
import type { BatchedStatement } from './statement-batch.ts';

/** An answer is late, and the server is probed. */
const lateMs = 3_000;
/** A request is answered within 10 s: all three together must stay well below that. */
const probeMs = 2_000;
const tickMs = 500;

const spaceEveryMs = 5_000;
const spaceProbeMs = 5_000;
/**
 * 8 MB on the disk of the database: a page more or less is found even where the disk is full. Not a temporary table:
 * that may be on another disk, and needs a right that the rest of the service does not. Rolled back: nothing is left.
 */
const spaceProbe: BatchedStatement[] = [
  { text: 'begin' },
  {
    text: `create table flaghoist_system.space_probe as
      select repeat('x', 1000) as filling from generate_series(1, 8000)`,
  },
  { text: 'rollback' },
];

interface Wait {
  /** The connection on which the answer is to come; undefined while there is none. */
  client: RowClient | undefined;
  /** On the connection, when last looked at. */
  bytesRead: number;
  /** When it began, something was last received for it, or a probe last found nothing wrong. */
  inOrderAt: number;
  fail(error: Error): void;
}

export class ServerWatch {
  readonly #url: string;
  readonly #outage: Outage;
  readonly #waits = new Set<Wait>();
  readonly #ticking: NodeJS.Timeout;
  /** When the server last answered anything. */
  #heardAt = 0;
  #isFrozen = false;
  #lostAt = 0;
  #probe: Probe | undefined;
  #spaceProbedAt = 0;
  /** That can wait; whether the server is frozen cannot. */
  #isLookingForSpace = false;

  constructor(url: string, observe: Observe) {
    this.#url = url;
    this.#outage = new Outage(observe);
    this.#ticking = setInterval(() => this.#tick(), tickMs);
    this.#ticking.unref();
  }

  /** The same promise, unless the server is found frozen first, or the connection lost. */
  guard<T>(asked: Promise<T>, client?: RowClient): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#isFrozen) reject(frozen());
      const wait = { client, bytesRead: client?.bytesRead ?? 0, inOrderAt: performance.now(), fail: reject };
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

  /** When connections were last found lost: one on which nothing was heard since is not to be trusted. */
  get lostAt(): number {
    return this.#lostAt;
  }

  /** Fails while the last thing that is known about the disk is that it is full. */
  checkDisk(): void {
    if (this.#outage.isDiskFull) throw new DatabaseFull(undefined);
  }

  /** The server has answered something. */
  heard(): void {
    this.#heardAt = performance.now();
    this.#outage.answered();
  }

  /** Something that was asked of the server failed for its sake. */
  failed(error: DatabaseAway): void {
    this.#outage.failed(error instanceof DatabaseFull ? 'diskFull' : 'away', reasonOf(error.cause));
  }

  lostIdle(error: Error): void {
    this.#outage.lostIdle(error.message);
  }

  /** One connection got no answer. Is it the connection, or the server? */
  suspect(): void {
    const startedAt = performance.now();
    if (this.#isLookingForSpace) this.#probe?.cancel();
    const late = this.#lateWaits(startedAt);
    const backends = late.flatMap(({ client }) => client?.backend ?? []);
    this.#ask([selectLostBackends(backends, lateMs)], probeMs, (result) => {
      // An answer on any other connection is as good: a busy server may take long to accept a new one.
      this.#isFrozen = result.kind === 'silent' && this.#heardAt < startedAt;
      if (result.kind === 'answered') this.heard();
      if (this.#isFrozen) this.#fail(this.#waits, frozen());
      else this.#judge(late, result);
    });
  }

  async stop(): Promise<void> {
    clearInterval(this.#ticking);
    this.#probe?.cancel();
    await this.#probe?.result;
  }

  #tick(): void {
    const now = performance.now();
    const isLate = this.#lateWaits(now).length > 0;
    if (isLate || this.#isFrozen) this.suspect();
    else if (this.#outage.isDiskFull && now - this.#spaceProbedAt > spaceEveryMs) this.#lookForSpace();
  }

  /** Whoever waits for a connection may be waiting for its turn: late only if the server says nothing at all. */
  #lateWaits(now: number): Wait[] {
    for (const wait of this.#waits)
      if (hasReceived(wait)) Object.assign(wait, { bytesRead: wait.client?.bytesRead, inOrderAt: now });
    return [...this.#waits].filter(
      ({ client, inOrderAt }) => now - (client ? inOrderAt : Math.max(inOrderAt, this.#heardAt)) > lateMs,
    );
  }

  /** Of those that were late before the probe. */
  #judge(late: readonly Wait[], result: ProbeResult): void {
    const lost = lostAmong(late, result).filter((wait) => this.#waits.has(wait) && !hasReceived(wait));
    this.#fail(lost, new DatabaseAway(new Error('A connection was lost without notice.')));
    for (const wait of late) wait.inOrderAt = performance.now();
  }

  #lookForSpace(): void {
    this.#spaceProbedAt = performance.now();
    this.#isLookingForSpace = true;
    this.#ask(spaceProbe, spaceProbeMs, (result) => {
      this.#isLookingForSpace = false;
      if (result.kind === 'answered') this.#outage.hasSpace();
    });
  }

  /** One at a time. */
  #ask(statements: readonly BatchedStatement[], timeoutMs: number, judge: (result: ProbeResult) => void): void {
    if (this.#probe) return;
    this.#probe = probeServer(this.#url, statements, timeoutMs);
    void this.#probe.result.then((result) => {
      this.#probe = undefined;
      judge(result);
    });
  }

  /** Connections that nobody is using are probably lost for the same reason. */
  #fail(waits: Iterable<Wait>, error: DatabaseAway): void {
    for (const wait of [...waits]) {
      this.#lostAt = performance.now();
      this.#waits.delete(wait);
      wait.fail(error);
    }
  }
}

/** Since last looked at. */
function hasReceived({ client, bytesRead }: Wait): boolean {
  return client !== undefined && client.bytesRead !== bytesRead;
}

/** Where nobody listens, there are no backends. A server that refuses for another reason may still serve the others. */
function lostAmong(waits: readonly Wait[], result: ProbeResult): Wait[] {
  if (result.kind === 'failed' && isRefused(result.error)) return waits.filter(({ client }) => client !== undefined);
  if (result.kind !== 'answered') return [];
  const lost = new Set(result.answers[0]!.map(({ backend }) => backend));
  return waits.filter(({ client }) => client && lost.has(client.backend));
}

function frozen(): DatabaseAway {
  return new DatabaseAway(new Error(`The server has not answered for ${(lateMs + probeMs) / 1000} s.`));
}

function reasonOf(cause: unknown): string {
  if (cause instanceof AggregateError) return cause.errors.map(reasonOf).join('; ');
  return cause instanceof Error ? cause.message : String(cause);
}
