// Decides what to do about one of the service's own mails after an attempt to send it. Pure.

import type { SendResult } from '../../channels/send-result.ts';

export interface MailHistory {
  /** Failed attempts before this one. `rejections` are those that the recipient's mail server rejected. */
  failures: number;
  rejections: number;
  ageMs: number;
}

export type MailVerdict = { kind: 'sent' } | { kind: 'later'; delayMs: number } | { kind: 'givenUp' };

/** After this many rejections, the recipient is not expected to accept the mail. */
const rejectionsMax = 5;

/** A fault of the service should be fixed within this time. A later mail would make no sense to its reader. */
const keptMs = 3 * 86_400_000;

const firstDelayMs = 15_000;
const delayMaxMs = 3_600_000;

export function judgeMail(result: SendResult, { failures, rejections, ageMs }: MailHistory): MailVerdict {
  if (result.kind === 'delivered') return { kind: 'sent' };
  if (ageMs >= keptMs) return { kind: 'givenUp' };
  if (result.kind === 'failed' && rejections + 1 >= rejectionsMax) return { kind: 'givenUp' };
  return { kind: 'later', delayMs: Math.min(delayMaxMs, firstDelayMs * 2 ** Math.min(failures, 20)) };
}
