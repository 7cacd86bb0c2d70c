// Sends the service's own mail, such as the alert of a deactivation, which is stored until it is sent or given up.
// Sends a few mails at a time: there is little mail, and a mail server that hangs must not keep a process from
// stopping.

import type { Mail, MailChannel } from '../../channels/mail/mail.ts';
import type { SendResult } from '../../channels/send-result.ts';
import type { Database } from '../../database/database.ts';
import { WorkLoop } from '../../database/work-loop.ts';
import type { Observe } from '../../observe/observation.ts';
import { backoffMs } from './backoff.ts';
import { claimMails, deleteMail, type OutgoingMailRow, postponeMail } from './outgoing-mail-table.ts';

export interface MailLoopParts {
  database: Database;
  mail: MailChannel;
  observe: Observe;
}

const pollEveryMs = 1_000;
const mailsAtOnce = 4;

/** Much longer than sending a mail may take. */
const leaseMs = 120_000;

/** A mail that is not sent when the loop stops is sent again once its lease has expired, with the same Message-ID. */
export function createMailLoop(parts: MailLoopParts): WorkLoop {
  return new WorkLoop({
    round: async () => {
      const rows = await parts.database.run(claimMails(leaseMs, mailsAtOnce));
      await Promise.all((rows as unknown as OutgoingMailRow[]).map((row) => attempt(parts, row)));
      return false;
    },
    pollEveryMs,
    onError: (error) => parts.observe({ kind: 'delivery.failed', error }),
  });
}

async function attempt({ database, mail: channel, observe }: MailLoopParts, row: OutgoingMailRow): Promise<void> {
  const { id, mail, failures, rejections, age_ms: ageMs } = row;
  const result = await send(channel, mail);
  const verdict = judgeMail(result, { failures, rejections, ageMs });
  if (result.kind !== 'delivered')
    observe({
      kind: verdict.kind === 'givenUp' ? 'mail.givenUp' : 'mail.failed',
      mail: mail.id,
      isOurs: result.kind === 'ownFault',
      tries: failures + 1,
      reason: result.reason,
    });
  await database.run(
    verdict.kind === 'later'
      ? postponeMail(id, { isRejection: result.kind === 'failed', delayMs: verdict.delayMs })
      : deleteMail(id),
  );
}

/** An exception while sending is a fault of the service. */
async function send(channel: MailChannel, mail: Mail): Promise<SendResult> {
  try {
    return await channel.send(mail);
  } catch (error) {
    return { kind: 'ownFault', reason: (error as Error).message };
  }
}

interface MailHistory {
  /** Failed attempts before this one. `rejections` are those that the recipient's mail server rejected. */
  failures: number;
  rejections: number;
  ageMs: number;
}

type MailVerdict = { kind: 'sent' } | { kind: 'later'; delayMs: number } | { kind: 'givenUp' };

/** After this many rejections, the recipient is not expected to accept the mail. */
const rejectionsMax = 5;

/** A fault of the service should be fixed within this time. A later mail would make no sense to its reader. */
const keptMs = 3 * 86_400_000;

/** Decides what to do about a mail after an attempt to send it. Pure. */
export function judgeMail(result: SendResult, { failures, rejections, ageMs }: MailHistory): MailVerdict {
  if (result.kind === 'delivered') return { kind: 'sent' };
  if (ageMs >= keptMs) return { kind: 'givenUp' };
  if (result.kind === 'failed' && rejections + 1 >= rejectionsMax) return { kind: 'givenUp' };
  return { kind: 'later', delayMs: backoffMs(result, failures) };
}
