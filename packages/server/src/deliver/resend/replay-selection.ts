// Which notifications a replay selects, as SQL conditions on their records. Counting and taking up share them.

import { filterCondition } from '../../query/filter/filter-condition.ts';
import type { FilterGroup } from '../../query/filter/filter-group.ts';
import { addValue, joinsOf, openScope, type StatementBuilder } from '../../query/sql/statement-builder.ts';

/** Null: no limit. */
export interface ReplaySelection {
  /** The owner of the notifications. */
  userKey: number | null;
  subscriptionKey: number | null;
  from: string | null;
  to: string | null;
  notifications: readonly number[] | null;
  /** The changed object, or the one that the subscription refers to. */
  objectKey: number | null;
  status: 'DELIVERED' | 'FAILED' | null;
  /** As the list of notifications compiles them: at least one must match, unless there is none. */
  filters: readonly FilterGroup[];
}

/** Keys greater than `after`, up to `upTo`. Each statement reads such a range only, so that it is short. */
export interface KeyRange {
  after: number;
  upTo: number;
}

/** Without the status: a notification that is sent again has another status by then. */
export interface SelectedRecords {
  /** The records `n`, and what the filters refer to. */
  from: string;
  conditions: string[];
}

/**
 * Bodies are dropped by day, so a delivered notification of a day that still exists has its body. Older days are not
 * searched. A notification is created after its change; the clock may have been set back meanwhile, but not by a day.
 * Those of an unsubscribed subscription are not sent.
 */
export function selectRecords(
  builder: StatementBuilder,
  selection: ReplaySelection,
  { after, upTo }: KeyRange,
): SelectedRecords {
  const { userKey, subscriptionKey, from, to, notifications, objectKey, filters } = selection;
  const scope = openScope(builder, 'n');
  const add = (value: number | string | readonly number[], type: string) =>
    addValue(builder, Array.isArray(value) ? value.map(String) : String(value), type);
  const begin = from === null ? undefined : add(from, 'timestamp');
  const oldestBody = "flaghoist_system.oldest_day('flaghoist_system.notification_body')";
  const oldest = begin ? `greatest(${oldestBody}, ${begin} - interval '1 day')` : oldestBody;
  const conditions = [
    `n."key" > ${add(after, 'bigint')} and n."key" <= ${add(upTo, 'bigint')} and n.created_date >= (select ${oldest})`,
    userKey === null ? undefined : `n."user" = ${add(userKey, 'bigint')}`,
    subscriptionKey === null ? undefined : `n.subscription = ${add(subscriptionKey, 'bigint')}`,
    notifications === null ? undefined : `n."key" = any(${add(notifications, 'bigint')})`,
    begin && `n.event_time >= ${begin}`,
    to === null ? undefined : `n.event_time < ${add(to, 'timestamp')}`,
    objectKey === null ? undefined : `${add(objectKey, 'bigint')} in (n.object_key, n.subscribed_object_key)`,
    filterCondition(scope, filters),
    `exists (select from flaghoist_service.webhook_subscription s
    where s."key" = n.subscription and s.state <> 'UNSUBSCRIBED')`,
  ].filter((condition) => condition !== undefined);
  return { from: ['flaghoist_service.webhook_notification n', ...joinsOf(scope)].join('\n'), conditions };
}
