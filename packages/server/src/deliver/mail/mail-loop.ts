// Sends the service's own mail, such as the alert of a deactivation, which is stored until it is sent or given up.
// Sends a few mails at a time: there is little mail, and a mail server that hangs must not keep a process from
// stopping.

import type { Mail, MailChannel } from '../../channels/mail/mail.ts';
import type { SendResult } from '../../channels/send-result.ts';
import type { Database } from '../../database/database.ts';
import { isTemporary } from '../../database/database-away.ts';
import type { Observe } from '../../observe/observation.ts';
import { judgeMail } from './judge-mail.ts';
import { claimMails, deleteMail, type OutgoingMailRow, postponeMail } from './outgoing-mail-table.ts';

export interface MailLoopParts {
  database: Database;
  mail: MailChannel;
  observe: Observe;
}

const everyMs = 1_000;
const mailsAtOnce = 4;

/** Much longer than sending a mail may take. */
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

  /** A mail that is not sent by `deadline` is sent again once its lease has expired, with the same Message-ID. */
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
      if (!isTemporary(error)) this.#parts.observe({ kind: 'delivery.failed', error: error as Error });
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
        isOurs: result.kind === 'ownFault',
        tries: failures + 1,
        reason: result.reason,
      });
    await database.run(
      verdict.kind === 'later'
        ? postponeMail(id, { isRefusal: result.kind === 'failed', delayMs: verdict.delayMs })
        : deleteMail(id),
    );
  }

  /** An exception while sending is a fault of the service. */
  async #send(mail: Mail): Promise<SendResult> {
    try {
      return await this.#parts.mail.send(mail);
    } catch (error) {
      return { kind: 'ownFault', reason: (error as Error).message };
    }
  }
}
