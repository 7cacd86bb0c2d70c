// How many requests an address may send: a bucket each, refilled by the second. Holds a bounded number of addresses.

import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import { ApiError } from '../errors.ts';

export function createRateLimit(requestsPerSecond: number, clock: Clock): (address: string) => void {
  if (requestsPerSecond === 0) return () => undefined;
  const buckets = new LRUCache<string, { left: number; at: number }>({ max: 50_000 });
  return (address) => {
    const now = clock.now().getTime();
    const bucket = buckets.get(address) ?? { left: requestsPerSecond, at: now };
    const left = Math.min(requestsPerSecond, bucket.left + ((now - bucket.at) * requestsPerSecond) / 1000);
    buckets.set(address, { left: Math.max(0, left - 1), at: now });
    if (left < 1)
      throw new ApiError(
        'tooManyRequests',
        `At most ${requestsPerSecond} requests a second are taken from one address.`,
      );
  };
}
