// All SQL of streams that nobody reads: finds those with notifications of which half the time has passed in which they
// can be fetched, and marks them as reported.

import type { Mail } from '../../channels/mail/mail.ts';
import { numberArray } from '../../database/array-parameter.ts';
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

/** Streams whose consumer has fallen so far behind. Reads all that waits in streams, so it should be done rarely. */
export function selectExpiring(daysKept: number): Statement {
  return {
    text: `select json_build_object('key', s."key", 'name', s.name, 'eventTypes', s.event_types) as subscription,
  u.name as user_name, u.email as user_email, w.waiting::int as waiting, ${asText('w.oldest')} as oldest,
  ${asText('w.oldest::date + $1::int + 1')} as expires
from flaghoist_service.webhook_subscription s
cross join lateral (select min(p.created_date) as oldest, count(*) as waiting
  from flaghoist_system.pending_notification p where p.subscription_key = s."key") w
left join flaghoist_service.api_user u on u."key" = s."user"
where s.is_streamed and s.state = 'ACTIVE' and w.oldest < now() at time zone 'utc' - $1::int * interval '12 hours'
order by s."key"`,
    values: [daysKept],
  };
}

/** The next time that one of them falls behind, it is reported again. */
export function forgetOtherStreams(keys: readonly number[]): Statement {
  return {
    text: 'delete from flaghoist_system.expiring_stream where subscription_key <> all($1::bigint[])',
    values: [numberArray(keys)],
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
  return {
    text: `with reported as (
  insert into flaghoist_system.expiring_stream (subscription_key) values ($1::bigint) on conflict do nothing
  returning subscription_key),
mailed as (insert into flaghoist_system.outgoing_mail (mail) select $2::jsonb from reported where $2 is not null),
alerted as (${insertAlertsFrom('STREAM_EXPIRING', 't.subscription_key', '$3::jsonb', 'from reported t where $3 is not null')})
select 1 from reported`,
    values: [subscriptionKey, mail && JSON.stringify(mail), facts && JSON.stringify(facts)],
  };
}
