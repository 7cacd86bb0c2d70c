// Sends streamed notifications to the consumers that are connected to this process. One loop serves all of them: it is
// woken when notifications are stored or acknowledged, in this process or another, and leases what the consumers can
// take. Now and then it looks for what it was not woken for: leases that have run out, and lost wake-ups.

import type { Database, Row } from '../../database/database.ts';
import { WorkLoop } from '../../database/work-loop.ts';
import { entryOf } from '../../entry-of.ts';
import type { Observe } from '../../observe/observation.ts';
import type { Links } from '../../query/view-columns.ts';
import { completeBodies } from '../queue/content-table.ts';
import { readyOf } from '../queue/ready-notification.ts';
import { notificationMessage } from '../send/notification-message.ts';
import type { DeliveryTargets } from '../targets/delivery-targets.ts';
import type { Target } from '../targets/target.ts';
import { type Consumer, streamedOf } from './consumer.ts';
import { StreamRates } from './stream-rates.ts';
import { type ConsumerLease, StreamSchedule } from './stream-schedule.ts';
import { type EndedLease, type LeaseRequest, leaseStreamed, releaseLeases, selectWaiting } from './stream-table.ts';

export interface StreamHubParts {
  database: Database;
  targets: DeliveryTargets;
  links: Links;
  observe: Observe;
}

const pollEveryMs = 1_000;
/** How often to look for notifications that this process was not woken for. */
const lookEveryMs = 5_000;
/** How often to look whether a subscription has changed. */
const refreshEveryMs = 250;
const beatEveryMs = 15_000;
const bytesEach = 262_144;

export class StreamHub {
  readonly #parts: StreamHubParts;
  readonly #schedule = new StreamSchedule();
  readonly #loop: WorkLoop;
  readonly #heart: WorkLoop;
  readonly #rates: StreamRates;
  /** Leases of consumers that have gone, or that never got what was leased. */
  #ended: EndedLease[] = [];
  /** Until when consumers may keep what they were sent last. */
  readonly #leasedUntil = new WeakMap<Consumer, string>();
  #lookedAt = performance.now();
  #isStopped = false;
  #refreshedAt = 0;

  constructor(parts: StreamHubParts) {
    this.#parts = parts;
    this.#rates = new StreamRates({ ...parts, onAllowed: (keys) => this.wake(keys) });
    const onError = (error: Error) => parts.observe({ kind: 'delivery.failed', error });
    this.#loop = new WorkLoop({ round: () => this.#round(), pollEveryMs, onError });
    this.#heart = new WorkLoop({
      round: async () => this.#beat(),
      pollEveryMs: beatEveryMs,
      onError,
      restsFirst: true,
    });
  }

  start(): void {
    this.#loop.start();
    this.#heart.start();
  }

  countOf(subscriptionKey: number): number {
    return this.#schedule.countOf(subscriptionKey);
  }

  add(consumer: Consumer): void {
    this.#schedule.add(consumer);
    if (this.#isStopped) this.#end(consumer);
    else this.wake([consumer.subscriptionKey]);
  }

  /** `isReleased`: whether what the consumer has not acknowledged goes to others at once. */
  remove(consumer: Consumer, isReleased: boolean): void {
    if (this.#schedule.remove(consumer) && isReleased) this.release(consumer);
  }

  /** What was leased under this id goes to others at once. */
  release({ subscriptionKey, leaseId }: Pick<LeaseRequest, 'subscriptionKey' | 'leaseId'>): void {
    this.#ended.push({ leaseId });
    this.wake([subscriptionKey]);
  }

  /** There may be notifications of these subscriptions. Undefined: of any. */
  wake(subscriptionKeys?: Iterable<number>): void {
    if (!subscriptionKeys) this.#lookedAt = Number.NEGATIVE_INFINITY;
    for (const key of subscriptionKeys ?? []) this.#schedule.wake(key);
    this.#loop.wake();
  }

  /** A consumer of this subscription can take more, if there is more. */
  wakeWaiting(subscriptionKey: number): void {
    if (this.#schedule.isWaiting(subscriptionKey)) this.wake([subscriptionKey]);
  }

  /** The consumers with these leases have acknowledged something. */
  noteAcknowledged(subscriptionKey: number, leaseIds: Iterable<number>): void {
    this.#schedule.noteAcknowledged(subscriptionKey, leaseIds);
  }

  /**
   * Ends all streams, and those that are opened from now on. What was not acknowledged goes to consumers of other
   * processes.
   */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all([this.#loop.stop(), this.#heart.stop(), this.#rates.stop()]);
    for (const key of this.#schedule.keys()) for (const each of this.#schedule.consumersOf(key)) this.#end(each);
    // If this fails, the leases run out.
    await this.#releaseEnded().catch(() => undefined);
  }

  #end(consumer: Consumer): void {
    this.remove(consumer, true);
    consumer.end();
  }

  async #round(): Promise<boolean> {
    await this.#releaseEnded();
    if (this.#schedule.keys().length === 0) return false;
    await this.#look();
    await this.#endClosed();
    const leases = this.#schedule.nextLeases((key) => this.#rates.allowed(key));
    if (leases.length > 0) await this.#serve(leases);
    return leases.length > 0;
  }

  #beat(): false {
    for (const key of this.#schedule.keys()) for (const consumer of this.#schedule.consumersOf(key)) consumer.beat();
    return false;
  }

  async #releaseEnded(): Promise<void> {
    if (this.#ended.length === 0) return;
    const ended = this.#ended;
    this.#ended = [];
    try {
      await this.#parts.database.run(releaseLeases(ended));
    } catch (error) {
      this.#ended.push(...ended);
      throw error;
    }
  }

  async #look(): Promise<void> {
    const now = performance.now();
    this.#schedule.tryExpired(now);
    if (now - this.#lookedAt < lookEveryMs) return;
    this.#lookedAt = now;
    const rows = await this.#parts.database.run(selectWaiting(this.#schedule.idleKeys()));
    for (const { key } of rows) this.#schedule.wake(Number(key));
  }

  /** Reads the subscriptions again if they have changed, and ends the streams of those that have ended. */
  async #endClosed(): Promise<void> {
    const { targets } = this.#parts;
    const now = performance.now();
    if (now - this.#refreshedAt >= refreshEveryMs) await targets.refresh(this.#schedule.keys());
    await targets.load(this.#schedule.keys());
    if (now - this.#refreshedAt < refreshEveryMs) return;
    this.#refreshedAt = now;
    this.#rates.noteChangedRates();
    for (const key of this.#schedule.keys())
      if (!isSent(targets.get(key))) for (const consumer of this.#schedule.consumersOf(key)) this.#end(consumer);
  }

  async #serve(leases: readonly ConsumerLease[]): Promise<void> {
    const { database } = this.#parts;
    const rows = await database.run(leaseStreamed(leases, bytesEach)).catch((error: unknown) => {
      // The statement may have been committed, and its answer lost.
      for (const { request } of leases)
        this.#ended.push({ leaseId: request.leaseId, beyond: this.#leasedUntil.get(request) ?? '-infinity' });
      throw error;
    });
    const bySubscription = new Map<number, Row[]>();
    for (const row of completeBodies(rows)) entryOf(bySubscription, Number(row.subscription_key), () => []).push(row);
    for (const { request: consumer } of leases) {
      const [first, ...others] = bySubscription.get(consumer.subscriptionKey) ?? [];
      const found = first?.key == null ? [] : [first, ...others];
      const leased = found.filter(({ body }) => body !== null);
      this.#schedule.note(consumer, {
        found: found.length,
        leased: leased.length,
        capacity: Number(first?.capacity ?? 0),
        ranOut: new Set(found.flatMap(({ ran_out }) => (ran_out === null ? [] : Number(ran_out)))),
      });
      if (leased.length > 0) this.#leasedUntil.set(consumer, String(first?.leased_until));
      this.#rates.use(consumer.subscriptionKey, leased.length);
      this.#pass(consumer, leased);
    }
  }

  #pass(consumer: Consumer, rows: readonly Row[]): void {
    const { targets, links, observe } = this.#parts;
    const target = targets.get(consumer.subscriptionKey);
    const now = new Date();
    try {
      if (consumer.isOpen && target)
        consumer.take(
          rows.map((row) => {
            const ready = readyOf(row, row);
            return streamedOf(ready.key, notificationMessage(ready, links.restUrl), target, now);
          }),
        );
      else this.#ended.push({ leaseId: consumer.leaseId });
    } catch (error) {
      // A fault of the service. It concerns one subscription, and the lease runs out.
      observe({ kind: 'delivery.failed', error: error as Error });
    }
  }
}

function isSent(target: Target | undefined): boolean {
  return target?.isUsable === true && target.state !== 'UNSUBSCRIBED';
}
