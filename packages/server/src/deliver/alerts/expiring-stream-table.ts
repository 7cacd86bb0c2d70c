// All SQL of streams that nobody reads: finds those with notifications of which half the time has passed in which they
// can be fetched, and marks them as reported.

import type { Mail } from '../../channels/mail/mail.ts';
import type { Statement } from '../../database/database.ts';
import type { NamedSubscription } from '../mail/name-subscription.ts';
import type { AlertFacts } from './alert.ts';
import { insertAlertsFrom } from './outgoing-alert-table.ts';

export interface ExpiringStreamRow {
  subscription: NamedSubscription & { eventTypes: string[] };
  user_name: string | null;
  user_email: string | null;
  waiting: number;
  /** The oldest notification that was not acknowledged, like `2026-09-14T08:15:22Z`. */
  oldest: string;
  /** When it can no longer be fetched. */
  expires: string;
}

const asText = (time: string) => `to_char(${time}, 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;

/**
 * Streams whose consumer has fallen so far behind, and that were not reported. Does not count what waits for an earlier
 * notification about the same object. Resends are as old as what they repeat, and notifications that a subscription has
 * taken over are older than itself: neither has waited here for so long.
 *
 * Reads all that waits in streams, so it should be done rarely.
 */
export function selectExpiring(daysKept: number): Statement {
  return {
    text: `select json_build_object('key', s."key", 'name', s.name, 'eventTypes', s.event_types) as subscription,
  u.name as user_name, u.email as user_email, w.waiting::int as waiting, ${asText('w.oldest')} as oldest,
  ${asText('w.oldest::date + $1::int + 1')} as expires
from (select p.subscription_key, min(p.created_date) as oldest, count(*) as waiting
  from flaghoist_system.pending_notification p
  where p.leased_until is not null and p.resend_job is null group by p.subscription_key) w
join flaghoist_service.webhook_subscription s on s."key" = w.subscription_key and s.is_streamed and s.state = 'ACTIVE'
left join flaghoist_service.api_user u on u."key" = s."user"
where greatest(w.oldest, s.created_date) < now() at time zone 'utc' - $1::int * interval '12 hours'
  and not exists (select from flaghoist_system.expiring_stream x where x.subscription_key = s."key")
order by s."key"`,
    values: [daysKept],
  };
}

/** A consumer has caught up when nothing is left of the older three quarters of the time: it can be reported again. */
export function forgetCaughtUp(daysKept: number): Statement {
  return {
    text: `delete from flaghoist_system.expiring_stream x where not exists (
  select from flaghoist_system.pending_notification p
  where p.subscription_key = x.subscription_key and p.leased_until is not null
    and p.created_date < now() at time zone 'utc' - $1::int * interval '6 hours')`,
    values: [daysKept],
  };
}

export interface ExpiringNews {
  /** Undefined: the owner has no address. */
  mail: Mail | undefined;
  /** Undefined: there is no alert URL. */
  facts: AlertFacts['STREAM_EXPIRING'] | undefined;
}

/** Stores the mail and the alert, and returns a row, unless the stream was reported before, by any process. */
export function reportExpiring(subscriptionKey: number, { mail, facts }: ExpiringNews): Statement {
  const alerted = insertAlertsFrom(
    'STREAM_EXPIRING',
    't.subscription_key',
    '$3::jsonb',
    'from reported t where $3 is not null',
  );
  return {
    text: `with reported as (
  insert into flaghoist_system.expiring_stream (subscription_key) values ($1::bigint) on conflict do nothing
  returning subscription_key),
mailed as (insert into flaghoist_system.outgoing_mail (mail) select $2::jsonb from reported where $2 is not null),
alerted as (${alerted})
select 1 from reported`,
    values: [subscriptionKey, mail && JSON.stringify(mail), facts && JSON.stringify(facts)],
  };
}
