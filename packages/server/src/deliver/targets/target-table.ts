// All SQL of where the notifications of a subscription go, with which secret, and of the revisions that show when that
// changes.

import type { ChannelType } from '../../channel-types.ts';
import { numberArray } from '../../database/array-parameter.ts';
import type { Statement } from '../../database/database.ts';
import { revisionWithEpoch } from '../../database/server-epoch.ts';
import type { ShownAuth } from '../../subscriptions/channel/channel-auth.ts';
import type { RetryPolicy } from '../../subscriptions/channel/retry-policy.ts';

export interface TargetRow {
  key: string;
  name: string | null;
  url: string | null;
  channel_info: { channelType: ChannelType; subject?: string; auth?: ShownAuth };
  event_types: string[];
  state: 'ACTIVE' | 'DEACTIVATED' | 'UNSUBSCRIBED';
  webhook_username: string | null;
  webhook_password: string | null;
  headers_sealed: string | null;
  /** Of `auth`. */
  channel_secret_sealed: string | null;
  retry_policy: RetryPolicy | null;
  rate_per_second: number | null;
  signing_secret_sealed: string | null;
  previous_secret_sealed: string | null;
  /** Milliseconds since 1970. */
  previous_until_ms: number | null;
  user_active: boolean;
}

export function selectTargets(keys: readonly number[]): Statement {
  return {
    text: `select s."key"::text, s.name, s.url, s.channel_info, s.event_types, s.state, s.webhook_username,
  s.webhook_password, s.headers_sealed, s.channel_secret_sealed, s.retry_policy,
  s.rate_per_second::float8 as rate_per_second, s.signing_secret_sealed, s.previous_secret_sealed, (extract(epoch
    from s.previous_secret_until) * 1000)::float8 as previous_until_ms,
  coalesce(u.active, false) as user_active
from flaghoist_service.webhook_subscription s left join flaghoist_service.api_user u on u."key" = s."user"
where s."key" = any($1::bigint[])`,
    values: [numberArray(keys)],
  };
}

/** Both revisions in one row. As long as both are unchanged, nothing about subscriptions or users has changed. */
export function selectRevisions(): Statement {
  return {
    text: `select ${revisionWithEpoch("max(value) filter (where name = 'subscriptions')")} as subscriptions,
  max(value) filter (where name = 'access')::text as access
from flaghoist_system.revision`,
    values: [],
  };
}

/** The current secret becomes the previous one. Returns until when the previous secret also signs. */
export function replaceSigningSecret(subscriptionKey: number, sealed: string, graceSeconds: number): Statement {
  return {
    text: `update flaghoist_service.webhook_subscription
set previous_secret_sealed = signing_secret_sealed, previous_secret_until = flaghoist_system.utc_second() + $3 *
  interval '1 second', signing_secret_sealed = $2
where "key" = $1::bigint
returning to_char(previous_secret_until, 'YYYY-MM-DD"T"HH24:MI:SS') as until`,
    values: [subscriptionKey, sealed, graceSeconds],
  };
}
