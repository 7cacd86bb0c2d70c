// Sends the service's own mail, like the alert of a deactivation, which waits in the database until it is sent or given up. A few at a
// time: there is little of it, and a mail server that hangs must not keep a process from stopping.

import type { Mail, MailChannel } from '../../channels/mail.ts';
import type { SendResult } from '../../channels/send-result.ts';
import type { Database } from '../../database/database.ts';
import { isPassing } from '../../database/database-away.ts';
import { claimMails, deleteMail, type OutgoingMailRow, postponeMail } from '../../notifications/outgoing-mail-table.ts';
import type { Observe } from '../../observability/observation.ts';
import { judgeMail } from './judge-mail.ts';

export interface MailLoopParts {
  database: Database;
  mail: MailChannel;
  observe: Observe;
}

const everyMs = 1_000;
const mailsAtOnce = 4;

/** Much longer than sending may take. */
const leaseMs = 120_000;

export class MailLoop {
  readonly #parts: MailLoopParts;
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> | undefined;

  constructor(parts: MailLoopParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#round ??= this.#sendSome().finally(() => {
        this.#round = undefined;
      });
    }, everyMs);
  }

  /** What is not sent by `deadline` is sent again by whoever finds its lease over; its Message-ID is the same. */
  async stop(deadline: AbortSignal): Promise<void> {
    clearInterval(this.#timer);
    if (!this.#round || deadline.aborted) return;
    const isLate = new Promise<void>((resolve) => {
      deadline.addEventListener('abort', () => resolve());
    });
    await Promise.race([this.#round, isLate]);
  }

  async #sendSome(): Promise<void> {
    try {
      const rows = await this.#parts.database.run(claimMails(leaseMs, mailsAtOnce));
      await Promise.all((rows as unknown as OutgoingMailRow[]).map((row) => this.#attempt(row)));
    } catch (error) {
      if (!isPassing(error)) this.#parts.observe({ kind: 'delivery.failed', error: error as Error });
    }
  }

  async #attempt({ id, mail, failures, refusals, age_ms: ageMs }: OutgoingMailRow): Promise<void> {
    const { database, observe } = this.#parts;
    const result = await this.#send(mail as Mail);
    const verdict = judgeMail(result, { failures, refusals, ageMs });
    if (result.kind !== 'delivered')
      observe({
        kind: verdict.kind === 'givenUp' ? 'mail.givenUp' : 'mail.failed',
        mail: (mail as Mail).id,
        isOurs: result.kind === 'ours',
        tries: failures + 1,
        reason: result.reason,
      });
    await database.run(
      verdict.kind === 'later'
        ? postponeMail(id, { isRefusal: result.kind === 'failed', delayMs: verdict.delayMs })
        : deleteMail(id),
    );
  }

  /** Whatever goes wrong with the sending itself is ours to mend. */
  async #send(mail: Mail): Promise<SendResult> {
    try {
      return await this.#parts.mail.send(mail);
    } catch (error) {
      return { kind: 'ours', reason: (error as Error).message };
    }
  }
}
