// Buckets that count how often somebody does something: each starts full, is emptied one by one, and refills with time. Bounded
// in memory. Decides nothing; whoever asks throws the error of its own.

import { hash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { Clock } from './clock.ts';
import { Recent } from './recent.ts';

export interface RateBucketsOptions {
  capacity: number;
  /** How long an empty one takes to be full again. */
  refillMs: number;
  clock: Pick<Clock, 'monotonicMs'>;
}

/** At least; twice as many at most, which is what the memory of a process allows for. */
const bucketsKept = 10_000;

/**
 * By the hash of a name: a name is cut out of a request, and V8 would keep all of the request with it (measured: 60 kB for
 * each).
 */
export class RateBuckets {
  readonly #options: RateBucketsOptions;
  readonly #buckets = new Recent<string, { left: number; atMs: number }>(bucketsKept);

  constructor(options: RateBucketsOptions) {
    this.#options = options;
  }

  /** How many milliseconds to wait before there is something to take; 0 where there is. */
  waitMs(name: string): number {
    const left = this.#left(idOf(name));
    return left >= 1 ? 0 : ((1 - left) * this.#options.refillMs) / this.#options.capacity;
  }

  /** The same, and takes one if there is one. Whoever is refused pays nothing, or those who come back when told would be refused for ever. */
  take(name: string): number {
    const id = idOf(name);
    const left = this.#left(id);
    if (left < 1) return ((1 - left) * this.#options.refillMs) / this.#options.capacity;
    this.#buckets.set(id, { left: left - 1, atMs: this.#options.clock.monotonicMs() });
    return 0;
  }

  #left(id: string): number {
    const { capacity, refillMs, clock } = this.#options;
    const bucket = this.#buckets.get(id);
    if (!bucket) return capacity;
    const passedMs = clock.monotonicMs() - bucket.atMs;
    return Math.min(capacity, bucket.left + (passedMs * capacity) / refillMs);
  }
}

/** Whoever has one IPv6 address usually has 2^64 of them. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const rest = tail === undefined || tail === '' ? 0 : tail.split(':').length;
  while (tail !== undefined && groups.length + rest < 8) groups.push('0');
  return groups.slice(0, 4).join(':');
}

function idOf(name: string): string {
  return hash('sha256', name, 'base64url');
}
