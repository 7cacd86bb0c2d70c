// All SQL of the service's own mail: stores it, claims due mail with a lease, and records the result.

import type { Mail } from '../../channels/mail/mail.ts';
import type { Statement } from '../../database/database.ts';

export interface OutgoingMailRow {
  id: string;
  mail: Mail;
  failures: number;
  rejections: number;
  age_ms: number;
}

export function insertMail(mail: Mail): Statement {
  return {
    text: 'insert into flaghoist_system.outgoing_mail (mail) values ($1::jsonb)',
    values: [JSON.stringify(mail)],
  };
}

/** No other process claims the mail until the lease expires. If this process dies, another one sends the mail. */
export function claimMails(leaseMs: number, rowsMax: number): Statement {
  return {
    text: `update flaghoist_system.outgoing_mail set not_before = now() + $1 * interval '1 millisecond'
  where id = any(array(
  select m.id from flaghoist_system.outgoing_mail m where m.not_before <= now() order by m.not_before limit $2::int
    for update skip locked))
returning id::text, mail, failures, rejections, (extract(epoch from now() - created_at) * 1000)::float8 as age_ms`,
    values: [leaseMs, rowsMax],
  };
}

/** The mail was sent, or is given up. */
export function deleteMail(id: string): Statement {
  return { text: 'delete from flaghoist_system.outgoing_mail where id = $1::bigint', values: [id] };
}

export function postponeMail(
  id: string,
  { isRejection, delayMs }: { isRejection: boolean; delayMs: number },
): Statement {
  return {
    text: `update flaghoist_system.outgoing_mail
set failures = failures + 1, rejections = rejections + $2::int, not_before = now() + $3 * interval '1 millisecond'
  where id = $1::bigint`,
    values: [id, isRejection ? 1 : 0, delayMs],
  };
}
