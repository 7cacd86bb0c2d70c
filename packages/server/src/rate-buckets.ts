// Token buckets for rate limits: each starts full, loses one token per use, and refills over time. Memory is bounded.
// Makes no decision: the caller throws its own error.

import { hash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { Clock } from './clock.ts';
import { Recent } from './recent.ts';

export interface RateBucketsOptions {
  capacity: number;
  /** How long an empty bucket takes to refill completely. */
  refillMs: number;
  clock: Pick<Clock, 'monotonicMs'>;
}

/** At least this many buckets are kept, and at most twice as many, which fits into the memory of a process. */
const bucketsKept = 10_000;

/**
 * Keyed by the hash of a name. A name is a substring of a request, and V8 would keep the whole request alive with it
 * (measured: 60 kB each).
 */
export class RateBuckets {
  readonly #options: RateBucketsOptions;
  readonly #buckets = new Recent<string, { left: number; atMs: number }>(bucketsKept);

  constructor(options: RateBucketsOptions) {
    this.#options = options;
  }

  /** How many milliseconds to wait until a token is available; 0 if one is available now. */
  waitMs(name: string): number {
    const left = this.#left(idOf(name));
    return left >= 1 ? 0 : ((1 - left) * this.#options.refillMs) / this.#options.capacity;
  }

  /**
   * The same, but takes a token if one is available. A rejected call takes none; otherwise a caller that retries at the
   * stated time would be rejected forever.
   */
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

/** The IPv4 address, or the /64 network of an IPv6 address: one host usually has all 2^64 addresses of its network. */
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
