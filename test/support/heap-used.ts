// How much of the heap is in use, garbage not counted.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export function heapUsed(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}
