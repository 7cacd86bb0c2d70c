// What is to be done about mail of our own that could not be sent. Pure.

import type { SendResult } from '../../channels/send-result.ts';

export interface MailHistory {
  /** Before this one: of either kind, and those of the recipient. */
  failures: number;
  refusals: number;
  ageMs: number;
}

export type MailVerdict = { kind: 'sent' } | { kind: 'later'; delayMs: number } | { kind: 'givenUp' };

/** A recipient that is refused so often is not going to be taken. */
const refusalsMax = 5;

/** A fault of ours should be mended by then; later nobody would make sense of the mail. */
const keptMs = 3 * 86_400_000;

const firstDelayMs = 15_000;
const delayMaxMs = 3_600_000;

export function judgeMail(result: SendResult, { failures, refusals, ageMs }: MailHistory): MailVerdict {
  if (result.kind === 'delivered') return { kind: 'sent' };
  if (ageMs >= keptMs) return { kind: 'givenUp' };
  if (result.kind === 'failed' && refusals + 1 >= refusalsMax) return { kind: 'givenUp' };
  return { kind: 'later', delayMs: Math.min(delayMaxMs, firstDelayMs * 2 ** Math.min(failures, 20)) };
}
