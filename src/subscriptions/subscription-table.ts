// All SQL that reads subscriptions to match events with them, and the lock between those who match and those who change them.

import type { Statement } from '../database/database.ts';
import { revisionWithEpoch } from '../database/server-epoch.ts';

export interface SubscriptionRow {
  key: string;
  user: string;
  object_type: string;
  operation: 'C' | 'U' | 'D';
  object_key: string | null;
  state: 'ACTIVE' | 'DEACTIVATED' | 'UNSUBSCRIBED';
  /** Milliseconds since 1970. */
  state_ms: number | null;
  only_main_object: boolean;
  not_send_my_changes: boolean;
  raw_object: boolean;
  json: string | null;
  expression: string | null;
  created_snapshot: string;
  alert_script_key: string | null;
  /** JSON of the field selection of the script. */
  script_fields: string | null;
  has_stylesheet: boolean;
}

/**
 * Transactions are numbered anew in a database that was restored from a dump. A snapshot from the future is one of another server:
 * there, all came after it.
 */
const snapshotHere = `case when split_part(s.created_snapshot, ':', 2) ~ '^\\d{1,18}$'
  and split_part(s.created_snapshot, ':', 2)::bigint <= pg_snapshot_xmax(pg_current_snapshot())::text::bigint
  then s.created_snapshot else '0:0:' end`;

export const subscriptionColumns = `s.key::text as key, s."user"::text as "user", s.object_type, s.operation, s.object_key::text as object_key,
  s.state, (extract(epoch from s.state_date) * 1000)::float8 as state_ms, s.only_main_object, s.not_send_my_changes,
  s.raw_object, s.json, s.expression, ${snapshotHere} as created_snapshot, s.alert_script_key::text as alert_script_key,
  (select a.fields::text from flaghoist_service.alert_script a where a.key = s.alert_script_key) as script_fields, s.xsl is not null as has_stylesheet`;

/** Shared: matchers do not wait for each other. The number is that of `lock_subscriptions`, in the migration. */
export function holdSubscriptions(): Statement {
  return { text: 'select flaghoist_system.hold_shaped_subscriptions()', values: [] };
}

/** Alone, until COMMIT: no batch of events is being matched, and none is begun. */
export function lockSubscriptions(): Statement {
  return { text: 'select flaghoist_system.lock_subscriptions()', values: [] };
}

export interface MatchingStateRow {
  /** Of subscriptions, with the epoch of the server. */
  revision: string;
  /** The time of the database, which new notifications are dated by. */
  created_date: string;
  /** The digest of the model that the tables were made from. */
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

/** All that are matched, a page at a time, in the order of their keys. */
export function selectSubscriptions(afterKey: number, rowsMax: number): Statement {
  return {
    text: `select ${subscriptionColumns} from flaghoist_service.webhook_subscription s
where s.key > $1::bigint and s.state <> 'UNSUBSCRIBED' order by s.key limit $2::int`,
    values: [afterKey, rowsMax],
  };
}

/** Whether the notes reach back to `revision`; those that are older were removed. */
export function selectOldestNote(): Statement {
  return { text: 'select min(revision)::text as oldest from flaghoist_system.subscription_note', values: [] };
}

/** Every subscription that has changed since; of one that is gone only the key, as `changed_key`. */
export function selectChangedSubscriptions(sinceRevision: number): Statement {
  return {
    text: `select n.subscription_key::text as changed_key, ${subscriptionColumns}
from (select distinct subscription_key from flaghoist_system.subscription_note where revision > $1::bigint) n
left join flaghoist_service.webhook_subscription s on s.key = n.subscription_key`,
    values: [sinceRevision],
  };
}

export function selectSubscription(key: number): Statement {
  return {
    text: `select ${subscriptionColumns} from flaghoist_service.webhook_subscription s where s.key = $1::bigint`,
    values: [key],
  };
}
