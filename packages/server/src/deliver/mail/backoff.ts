// When a mail or an alert of the service itself is sent again after a failure. Pure.

import type { SendResult } from '../../channels/send-result.ts';

const firstDelayMs = 15_000;
const delayMaxMs = 3_600_000;

/** Doubles with each failure. `failures`: those before this one. `Retry-After` only lengthens the delay. */
export function backoffMs(result: Exclude<SendResult, { kind: 'delivered' }>, failures: number): number {
  const askedMs = result.kind === 'failed' ? (result.retryAfterMs ?? 0) : 0;
  return Math.min(delayMaxMs, Math.max(firstDelayMs * 2 ** Math.min(failures, 20), askedMs));
}
