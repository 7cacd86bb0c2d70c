// All SQL that reads subscriptions for matching, that replaces another one, and the lock between matching and
// changes of subscriptions.

import { numberArray } from '../database/array-parameter.ts';
import type { Statement } from '../database/database.ts';
import { revisionWithEpoch } from '../database/server-epoch.ts';
import type { State } from './state-machine.ts';

export interface SubscriptionRow {
  key: string;
  user: string;
  /** An array, as PostgreSQL renders it (`readStoredEventTypes`). */
  event_types: string;
  state: State;
  /** Milliseconds since 1970. */
  state_ms: number | null;
  only_main_object: boolean;
  not_send_my_changes: boolean;
  raw_object: boolean;
  include_changes: boolean;
  json: string | null;
  expression: string | null;
  created_snapshot: string;
  alert_script_key: string | null;
  /** The field selection of the script, as JSON. */
  script_fields: string | null;
  has_stylesheet: boolean;
  is_ordered: boolean;
  is_streamed: boolean;
}

/**
 * A database that was restored from a dump numbers its transactions anew. A snapshot from the future comes from another
 * server; every change counts as later than such a snapshot.
 */
const snapshotHere = `case when split_part(s.created_snapshot, ':', 2) ~ '^\\d{1,18}$'
  and split_part(s.created_snapshot, ':', 2)::bigint <= pg_snapshot_xmax(pg_current_snapshot())::text::bigint
  then s.created_snapshot else '0:0:' end`;

export const subscriptionColumns = `s.key::text as key, s."user"::text as "user", s.event_types::text as event_types,
  s.state, (extract(epoch from s.state_date) * 1000)::float8 as state_ms, s.only_main_object, s.not_send_my_changes,
  s.raw_object, s.include_changes, s.json, s.expression, ${snapshotHere} as created_snapshot,
  s.alert_script_key::text as alert_script_key,
  (select a.fields::text from flaghoist_service.alert_script a where a.key = s.alert_script_key) as script_fields,
  s.xsl is not null as has_stylesheet, s.ordering = 'OBJECT' as is_ordered,
  coalesce(s.is_streamed, false) as is_streamed`;

/**
 * Takes the lock in shared mode, so that matchers do not wait for each other. The lock is the one of
 * `lock_subscriptions` (see the migration).
 */
export function shareSubscriptionsLock(): Statement {
  return { text: 'select flaghoist_system.lock_subscriptions_shared()', values: [] };
}

/** Takes the lock in exclusive mode until COMMIT: no batch of events is being matched, and none can start. */
export function lockSubscriptions(): Statement {
  return { text: 'select flaghoist_system.lock_subscriptions()', values: [] };
}

export interface MatchingStateRow {
  /** The revision of the subscriptions, with the epoch of the server. */
  revision: string;
  /** The time of the database, which dates new notifications. */
  created_date: string;
  /** The digest of the model that the tables were built from. */
  model_digest: string;
}

export function selectMatchingState(): Statement {
  return {
    text: `select ${revisionWithEpoch('value')} as revision, flaghoist_system.utc_second()::text as created_date,
  (select m.digest from flaghoist_system.applied_model m) as model_digest
from flaghoist_system.revision where name = $1`,
    values: ['subscriptions'],
  };
}

/** One page of the subscriptions to match, in key order. */
export function selectSubscriptions(afterKey: number, rowsMax: number): Statement {
  return {
    text: `select ${subscriptionColumns} from flaghoist_service.webhook_subscription s
where s.key > $1::bigint and s.state <> 'UNSUBSCRIBED' order by s.key limit $2::int`,
    values: [afterKey, rowsMax],
  };
}

/** Returns how far back the notes reach. Older notes are deleted. */
export function selectOldestNote(): Statement {
  return { text: 'select min(revision)::text as oldest from flaghoist_system.subscription_change', values: [] };
}

/** Every subscription changed since the revision. A deleted one has only its key, as `changed_key`. */
export function selectChangedSubscriptions(sinceRevision: number): Statement {
  return {
    text: `select n.subscription_key::text as changed_key, ${subscriptionColumns}
from (select distinct subscription_key from flaghoist_system.subscription_change where revision > $1::bigint) n
left join flaghoist_service.webhook_subscription s on s.key = n.subscription_key`,
    values: [sinceRevision],
  };
}

export interface ReplacedRow {
  key: string;
  user: string;
  user_code: string;
  state: State;
  created_snapshot: string | null;
  signing_secret_sealed: string | null;
  previous_secret_sealed: string | null;
  previous_secret_until: string | null;
  /** One day from now. */
  secret_until: string;
  /** SHA-256 of the stylesheet, in hexadecimal. */
  xsl_hash: string | null;
}

/**
 * Locks in key order, so that two requests that replace the same subscriptions wait for each other and do not deadlock.
 * `onlyUser`: the user whose subscriptions the caller may see.
 */
export function lockReplaced(keys: readonly number[], onlyUser: number | undefined): Statement {
  return {
    text: `select s."key"::text, s."user"::text, u.user_code, s.state, s.created_snapshot,
  s.signing_secret_sealed, s.previous_secret_sealed, s.previous_secret_until::text,
  encode(sha256(convert_to(s.xsl, 'UTF8')), 'hex') as xsl_hash,
  to_char(flaghoist_system.utc_second() + interval '1 day', 'YYYY-MM-DD"T"HH24:MI:SS') as secret_until
from flaghoist_service.webhook_subscription s join flaghoist_service.api_user u on u."key" = s."user"
where s."key" = any($1::bigint[]) and ($2::bigint is null or s."user" = $2::bigint) order by s."key"
  for no key update of s`,
    values: [numberArray(keys), onlyUser ?? null],
  };
}

export function setReplaced(key: number, reason: string): Statement {
  return {
    text: `update flaghoist_service.webhook_subscription
set state = 'UNSUBSCRIBED', unsubscribed = true, state_date = flaghoist_system.utc_second(), state_reason = $2
  where "key" = $1::bigint`,
    values: [key, reason],
  };
}
