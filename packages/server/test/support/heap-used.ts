// How much of the heap is in use: garbage not counted, or only that which a small collection finds.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** After a full collection. */
export function heapUsed(): number {
  collector()();
  return process.memoryUsage().heapUsed;
}

/** After small ones alone, which look at what is new, and take what the old generation refers to as being in use. */
export function heapUsedBySmallCollections(): number {
  const collect = collector();
  // What has lived through two of them is old.
  for (let n = 0; n < 2; n += 1) collect({ type: 'minor' });
  return process.memoryUsage().heapUsed;
}

/** Making it takes memory itself. */
export function collector(): (options?: { type: 'minor' }) => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as (options?: { type: 'minor' }) => void;
}
