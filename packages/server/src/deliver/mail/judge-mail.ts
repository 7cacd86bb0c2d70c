// Decides what to do about one of the service's own mails after an attempt to send it. Pure.

import type { SendResult } from '../../channels/send-result.ts';

export interface MailHistory {
  /** Failed attempts before this one: all of them, and `refusals`, those that the recipient's side refused. */
  failures: number;
  refusals: number;
  ageMs: number;
}

export type MailVerdict = { kind: 'sent' } | { kind: 'later'; delayMs: number } | { kind: 'givenUp' };

/** After this many refusals, the recipient is not expected to accept the mail. */
const refusalsMax = 5;

/** A fault of the service should be fixed within this time. A later mail would make no sense to its reader. */
const keptMs = 3 * 86_400_000;

const firstDelayMs = 15_000;
const delayMaxMs = 3_600_000;

export function judgeMail(result: SendResult, { failures, refusals, ageMs }: MailHistory): MailVerdict {
  if (result.kind === 'delivered') return { kind: 'sent' };
  if (ageMs >= keptMs) return { kind: 'givenUp' };
  if (result.kind === 'failed' && refusals + 1 >= refusalsMax) return { kind: 'givenUp' };
  return { kind: 'later', delayMs: Math.min(delayMaxMs, firstDelayMs * 2 ** Math.min(failures, 20)) };
}
