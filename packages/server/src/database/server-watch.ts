// Tracks the state of the database server for all pools of a process: frozen, unavailable, or out of disk space.
//
// A probe distinguishes a frozen server (stopped, paused, behind a network that drops all packets) from a slow one.
// When an answer is late, the watch asks over a new connection whether the server is still working on it. If the probe
// gets no answer either, all waiting calls fail with `DatabaseAway`, and new calls fail until the server answers again.
// If the server answers that a connection is lost (`lost-backends.ts`), the calls that wait on that connection fail.

import type { Observe } from '../observe/observation.ts';
import { DatabaseAway, DatabaseFull, isRefused } from './database-away.ts';
import type { DatabaseClient } from './database-client.ts';
import { selectLostBackends } from './lost-backends.ts';
import { Outage } from './outage.ts';
import { type Probe, type ProbeResult, probeServer } from './probe-server.ts';
import type { ServerHosts } from './server-hosts.ts';
import type { BatchedStatement } from './statement-batch.ts';

/** After this time an answer is late, and the server is probed. */
const lateMs = 3_000;
/** A request is answered within 10 s, so `lateMs`, `probeMs` and `tickMs` together must stay well below that. */
const probeMs = 2_000;
const tickMs = 500;

const diskCheckEveryMs = 5_000;
const diskCheckTimeoutMs = 5_000;
/**
 * Writes 8 MB to the disk of the database, because a single page may fit even on a full disk. It does not use a
 * temporary table: that may be on another disk, and needs a privilege that the service otherwise does not need. The
 * rollback removes the table.
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
  /** The connection that will deliver the answer; undefined while the call waits for a connection. */
  client: DatabaseClient | undefined;
  /** The bytes received on the connection at the last check. */
  bytesRead: number;
  /** When the wait began, bytes last arrived for it, or a probe last found nothing wrong. */
  confirmedAt: number;
  fail(error: Error): void;
}

export class ServerWatch {
  /** The hosts of the server. They are asked when something is wrong with the one that is used. */
  readonly hosts: ServerHosts;
  readonly #outage: Outage;
  readonly #waits = new Set<Wait>();
  readonly #ticker: NodeJS.Timeout;
  /** When the server last answered anything. */
  #answeredAt = 0;
  #isFrozen = false;
  /** When connections were last found lost. A connection that has not answered since then must not be used. */
  lostAt = 0;
  /** At most one probe of each kind runs at a time. */
  #probe: Probe | undefined;
  #diskProbe: Probe | undefined;
  #diskCheckedAt = 0;

  constructor(hosts: ServerHosts, observe: Observe) {
    this.hosts = hosts;
    hosts.onChanged(() => {
      this.#isFrozen = false;
    });
    this.#outage = new Outage(observe);
    // Not a `WorkLoop`: a tick waits for nothing, because it must come on time while probes and calls hang.
    this.#ticker = setInterval(() => this.#tick(), tickMs);
    this.#ticker.unref();
  }

  /** Resolves like `asked`, but fails earlier if the server is found frozen or the connection lost. */
  guard<T>(asked: Promise<T>, client?: DatabaseClient): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#isFrozen) reject(frozen());
      const wait = { client, bytesRead: client?.bytesRead ?? 0, confirmedAt: performance.now(), fail: reject };
      this.#waits.add(wait);
      const then =
        <A>(settle: (answer: A) => void) =>
        (answer: A) => {
          this.#waits.delete(wait);
          settle(answer);
        };
      asked.then(then(resolve), then(reject));
    });
  }

  /** Fails at once while the server is known to be frozen. */
  check(): void {
    if (this.#isFrozen) throw frozen();
  }

  /** Fails if the disk was full when last checked. */
  checkDisk(): void {
    if (this.#outage.isDiskFull) throw new DatabaseFull(undefined);
  }

  /** Records that the server answered. */
  answered(): void {
    this.#answeredAt = performance.now();
    this.#outage.answered();
  }

  /** Records that a call failed because of the server. */
  failed(error: DatabaseAway): void {
    const isFull = error instanceof DatabaseFull;
    this.#outage.failed(isFull ? 'diskFull' : 'away', reasonOf(error.cause));
    if (!isFull) this.hosts.seek();
  }

  lostIdle(error: Error): void {
    this.#outage.lostIdle(error.message);
    this.hosts.seek();
  }

  /** Called when a connection gets no answer. Probes whether the connection or the server is the cause. */
  suspect(): void {
    this.hosts.seek();
    if (this.#probe) return;
    const { url } = this.hosts;
    const startedAt = performance.now();
    const late = this.#lateWaits(startedAt);
    const backends = late.flatMap(({ client }) => client?.backend ?? []);
    this.#probe = probeServer(url, [selectLostBackends(backends, lateMs)], probeMs);
    void this.#probe.result.then((result) => {
      this.#probe = undefined;
      if (url !== this.hosts.url) return;
      // An answer on any other connection counts too: a busy server may be slow to accept a new connection.
      this.#isFrozen = result.kind === 'silent' && this.#answeredAt < startedAt;
      if (result.kind === 'answered') this.answered();
      if (this.#isFrozen) this.#fail(this.#waits, frozen());
      else this.#judge(late, result);
    });
  }

  async stop(): Promise<void> {
    clearInterval(this.#ticker);
    const probes = [this.#probe, this.#diskProbe];
    for (const probe of probes) probe?.cancel();
    await Promise.all([this.hosts.stop(), ...probes.map((probe) => probe?.result)]);
  }

  #tick(): void {
    const now = performance.now();
    const isLate = this.#lateWaits(now).length > 0;
    if (isLate || this.#isFrozen) this.suspect();
    else if (this.#outage.isDiskFull && now - this.#diskCheckedAt > diskCheckEveryMs) this.#checkSpace();
  }

  /** A call without a connection is still queued. It counts as late only if no connection has had an answer. */
  #lateWaits(now: number): Wait[] {
    for (const wait of this.#waits)
      if (hasReceived(wait)) Object.assign(wait, { bytesRead: wait.client?.bytesRead, confirmedAt: now });
    return [...this.#waits].filter(
      ({ client, confirmedAt }) => now - (client ? confirmedAt : Math.max(confirmedAt, this.#answeredAt)) > lateMs,
    );
  }

  /** `late`: the waits that were late before the probe. */
  #judge(late: readonly Wait[], result: ProbeResult): void {
    const lost = lostAmong(late, result).filter((wait) => this.#waits.has(wait) && !hasReceived(wait));
    this.#fail(lost, new DatabaseAway(new Error('A connection was lost without notice.')));
    for (const wait of late) wait.confirmedAt = performance.now();
  }

  #checkSpace(): void {
    if (this.#diskProbe) return;
    this.#diskCheckedAt = performance.now();
    this.#diskProbe = probeServer(this.hosts.url, spaceProbe, diskCheckTimeoutMs);
    void this.#diskProbe.result.then((result) => {
      this.#diskProbe = undefined;
      if (result.kind === 'answered') this.#outage.hasSpace();
    });
  }

  /** Updates `lostAt` too: idle connections are probably lost for the same reason. */
  #fail(waits: Iterable<Wait>, error: DatabaseAway): void {
    for (const wait of [...waits]) {
      this.lostAt = performance.now();
      this.#waits.delete(wait);
      wait.fail(error);
    }
  }
}

/** Whether bytes have arrived since the last check. */
function hasReceived({ client, bytesRead }: Wait): boolean {
  return client !== undefined && client.bytesRead !== bytesRead;
}

/** Connection refused: the server is gone, and all its connections with it. Other errors prove nothing about them. */
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
