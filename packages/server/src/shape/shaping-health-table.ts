// All SQL of the health of scripts and stylesheets of subscriptions: how often in a row they have failed.

import { numberArray, textArray } from '../database/array-parameter.ts';
import type { Statement } from '../database/database.ts';
import { insertAlertsFrom } from '../deliver/alerts/outgoing-alert-table.ts';

export type ShapingPart = 'script' | 'stylesheet';

export interface ShapingFailure {
  subscriptionKey: number;
  /** Further consecutive failures. */
  failures: number;
  /** Of the last failure, like the message. */
  part: ShapingPart;
  message: string;
}

/** All code that changes several rows locks them in key order. */
export function lockHealth(subscriptionKeys: readonly number[]): Statement {
  return {
    text:
      'select from flaghoist_system.shaping_health where subscription_key = any($1::bigint[]) order by ' +
      'subscription_key for update',
    values: [numberArray(subscriptionKeys)],
  };
}

/** A successful stylesheet clears all failures, since the script succeeded, too. A script alone clears only its own. */
export function healShaping(subscriptionKeys: readonly number[], part: ShapingPart): Statement {
  return {
    text: `delete from flaghoist_system.shaping_health where subscription_key = any($1::bigint[])
and ($2 = 'stylesheet' or part is distinct from 'stylesheet')`,
    values: [numberArray(subscriptionKeys), part],
  };
}

/**
 * Also in key order. A subscription that has ended has no health: `record_subscription_change` deletes it. `hasAlertUrl`:
 * stores an alert about each subscription that reaches `failuresForAlert`.
 */
export function raiseShapingFailures(failures: readonly ShapingFailure[], hasAlertUrl: boolean): Statement {
  const facts = `jsonb_build_object('part', r.part, 'failures', r.failures, 'error', r.message)`;
  const reached = `from raised r join f on f.subscription_key = r.subscription_key
  where $5::boolean and r.failures >= ${failuresForAlert} and r.failures - f.failures < ${failuresForAlert}`;
  return {
    text: `with f as (
  select * from unnest($1::bigint[], $2::int[], $3::text[], $4::text[])
    as f (subscription_key, failures, message, part)),
raised as (insert into flaghoist_system.shaping_health as h (subscription_key, failures, message, part)
  select * from f
  where exists (select from flaghoist_service.webhook_subscription s where s.key = f.subscription_key
    and s.state <> 'UNSUBSCRIBED') order by f.subscription_key
  on conflict (subscription_key) do update set failures = h.failures + excluded.failures, message = excluded.message,
    part = excluded.part
  returning h.subscription_key, h.failures, h.message, h.part)
${insertAlertsFrom('SHAPING_FAILING', 'r.subscription_key', facts, reached)}`,
    values: [
      numberArray(failures.map(({ subscriptionKey }) => subscriptionKey)),
      numberArray(failures.map((each) => each.failures)),
      textArray(failures.map(({ message }) => message)),
      textArray(failures.map(({ part }) => part)),
      hasAlertUrl,
    ],
  };
}

/** From here on, subscriptions show `shapingError`. */
const failuresForAlert = 3;
