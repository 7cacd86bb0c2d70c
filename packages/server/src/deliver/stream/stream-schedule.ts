// Decides which consumer of each stream is next, and notices when nothing is left for any of them. Does no I/O.

import { entryOf } from '../../entry-of.ts';
import type { Consumer } from './consumer.ts';
import type { Lease } from './stream-table.ts';

export type ConsumerLease = Lease & { readonly request: Consumer };

/** What a statement has found for a consumer. */
export interface Found {
  found: number;
  leased: number;
  /** How many the consumer could take. */
  capacity: number;
  /** Leases that had run out. */
  ranOut: ReadonlySet<number>;
}

interface Stream {
  /** Those that were not served lately come first. */
  consumers: Consumer[];
  /** Consumers to try before the stream is idle. */
  untried: Set<Consumer>;
  /** Leases that have run out, of consumers that have acknowledged nothing since: these may hang. */
  late: Set<number>;
  /** Woken since the last statement began: it may have missed what was stored meanwhile. */
  isWoken: boolean;
  /** Whether the last lease took everything that waited. */
  isDrained: boolean;
  /** When the first lease of this process runs out. */
  expiresAt: number;
}

const subscriptionsAtOnce = 50;
/** What all clients together have to read. Each stream may use an equal share, at most a quarter. */
const unreadBytesMax = 64_000_000;
const sharesMin = 4;

export class StreamSchedule {
  readonly #streams = new Map<number, Stream>();

  keys(): number[] {
    return [...this.#streams.keys()];
  }

  /** A copy: the caller may remove some. */
  consumersOf(subscriptionKey: number): Consumer[] {
    return [...(this.#streams.get(subscriptionKey)?.consumers ?? [])];
  }

  countOf(subscriptionKey: number): number {
    return this.#streams.get(subscriptionKey)?.consumers.length ?? 0;
  }

  add(consumer: Consumer): void {
    entryOf(this.#streams, consumer.subscriptionKey, newStream).consumers.push(consumer);
  }

  /** Returns whether it was there. */
  remove(consumer: Consumer): boolean {
    const stream = this.#streams.get(consumer.subscriptionKey);
    const index = stream?.consumers.indexOf(consumer) ?? -1;
    if (!stream || index < 0) return false;
    stream.consumers.splice(index, 1);
    stream.untried.delete(consumer);
    stream.late.delete(consumer.leaseId);
    if (stream.consumers.length === 0) this.#streams.delete(consumer.subscriptionKey);
    return true;
  }

  /** There may be notifications of this subscription. */
  wake(subscriptionKey: number): void {
    const stream = this.#streams.get(subscriptionKey);
    if (!stream) return;
    tryAll(stream);
    stream.isWoken = true;
  }

  /** Whether more may be left than the consumers could take. */
  isWaiting(subscriptionKey: number): boolean {
    return this.#streams.get(subscriptionKey)?.isDrained === false;
  }

  /** Tries the streams again of which a lease may have run out. */
  tryExpired(now: number): void {
    for (const stream of this.#streams.values())
      if (stream.expiresAt <= now) {
        tryAll(stream);
        stream.expiresAt = Number.POSITIVE_INFINITY;
      }
  }

  /** The subscriptions of streams that are not to be tried. */
  idleKeys(): number[] {
    return [...this.#streams].filter(([, { untried }]) => untried.size === 0).map(([key]) => key);
  }

  /** By this process. A consumer that acknowledges at another one stays the last, and gets what no other can take. */
  noteAcknowledged(subscriptionKey: number, leaseIds: Iterable<number>): void {
    for (const leaseId of leaseIds) this.#streams.get(subscriptionKey)?.late.delete(leaseId);
  }

  /** `allowed`: how many notifications of a subscription may be sent now. Undefined: it will be known in a moment. */
  nextLeases(allowed: (subscriptionKey: number) => number | undefined): ConsumerLease[] {
    const leases: ConsumerLease[] = [];
    const unread = new Map([...this.#streams.values()].map((stream) => [stream, unreadBytesOf(stream)]));
    const unreadStreams = [...unread.values()].filter((bytes) => bytes > 0).length;
    const shareBytes = unreadBytesMax / Math.max(sharesMin, unreadStreams);
    for (const [key, stream] of this.#streams) {
      const hasTooMuchUnread = unread.get(stream)! > shareBytes;
      const request = nextOf(stream, hasTooMuchUnread);
      const countMax = request && allowed(key);
      stream.isWoken = false;
      if (request && countMax) leases.push({ request, countMax });
      else if (request || !hasTooMuchUnread) {
        // A consumer that is ready again wakes the stream, and so does the next slot of a rate.
        stream.untried.clear();
        if (countMax === 0) answerEmpty(stream);
      }
      if (leases.length === subscriptionsAtOnce) break;
    }
    return leases;
  }

  /** After a consumer that got something, another one is next, and each may get more. */
  note(consumer: Consumer, { found, leased, capacity, ranOut }: Found): void {
    const { subscriptionKey, acknowledgeSeconds } = consumer;
    const stream = this.#streams.get(subscriptionKey);
    if (!stream) return;
    // Other subscriptions come first in the next round.
    this.#streams.delete(subscriptionKey);
    this.#streams.set(subscriptionKey, stream);
    const { consumers, late, untried } = stream;
    const isMore = found > leased || (found > 0 && found >= capacity);
    stream.isDrained = found < capacity && !isMore;
    if (leased > 0) stream.expiresAt = Math.min(stream.expiresAt, performance.now() + acknowledgeSeconds * 1_000);
    for (const { leaseId } of consumers) if (ranOut.has(leaseId)) late.add(leaseId);
    const index = consumers.indexOf(consumer);
    if (index >= 0) consumers.push(...consumers.splice(index, 1));
    untried.delete(consumer);
    if (stream.isWoken || isMore) tryAll(stream);
    else if (stream.isDrained) {
      untried.clear();
      answerEmpty(stream, consumer);
    }
  }
}

function newStream(): Stream {
  return {
    consumers: [],
    untried: new Set(),
    late: new Set(),
    isWoken: false,
    isDrained: false,
    expiresAt: Number.POSITIVE_INFINITY,
  };
}

function tryAll(stream: Stream): void {
  stream.untried = new Set(stream.consumers);
}

/** A consumer that may hang is the last one. While clients have too much to read, only pulls get something. */
function nextOf({ untried, late }: Stream, hasTooMuchUnread: boolean): Consumer | undefined {
  const ready = [...untried].filter(
    ({ isReady, unreadBytes }) => isReady && !(hasTooMuchUnread && unreadBytes !== undefined),
  );
  return ready.find(({ leaseId }) => !late.has(leaseId)) ?? ready[0];
}

function unreadBytesOf({ consumers }: Stream): number {
  return consumers.reduce((sum, { unreadBytes = 0 }) => sum + unreadBytes, 0);
}

/** Pulls that do not wait get their response. `other`: is told what it got by the caller. */
function answerEmpty({ consumers }: Stream, other?: Consumer): void {
  for (const consumer of [...consumers]) if (consumer !== other && consumer.isReady) consumer.take([]);
}
