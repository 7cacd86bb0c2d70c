// All SQL of how scripts and stylesheets of subscriptions fare: how often in a row they have failed.

import { numberArray, textArray } from '../database/array-parameter.ts';
import type { Statement } from '../database/database.ts';

export type ShapingPart = 'script' | 'stylesheet';

export interface ShapingFailure {
  subscriptionKey: number;
  /** More of them, one after the other. */
  failures: number;
  /** Of the last one. */
  part: ShapingPart;
  message: string;
}

/** In the order of their keys: whoever changes several takes their locks in this order. */
export function lockHealth(subscriptionKeys: readonly number[]): Statement {
  return {
    text: 'select from flaghoist_system.shaping_health where subscription_key = any($1::bigint[]) order by subscription_key for update',
    values: [numberArray(subscriptionKeys)],
  };
}

/** Where both were run and worked, all is well; where the script alone was run, that of the script. */
export function healShaping(subscriptionKeys: readonly number[], part: ShapingPart): Statement {
  return {
    text: `delete from flaghoist_system.shaping_health where subscription_key = any($1::bigint[])
and ($2 = 'stylesheet' or part is distinct from 'stylesheet')`,
    values: [numberArray(subscriptionKeys), part],
  };
}

/** In the order of their keys, too. One that has ended has no health: what it had went with it (`note_subscription`). */
export function raiseShapingFailures(failures: readonly ShapingFailure[]): Statement {
  return {
    text: `insert into flaghoist_system.shaping_health as h (subscription_key, failures, message, part)
select * from unnest($1::bigint[], $2::int[], $3::text[], $4::text[]) as f (subscription_key, failures, message, part)
where exists (select from flaghoist_service.webhook_subscription s where s.key = f.subscription_key and s.state <> 'UNSUBSCRIBED') order by f.subscription_key
on conflict (subscription_key) do update set failures = h.failures + excluded.failures, message = excluded.message, part = excluded.part`,
    values: [
      numberArray(failures.map(({ subscriptionKey }) => subscriptionKey)),
      numberArray(failures.map((each) => each.failures)),
      textArray(failures.map(({ message }) => message)),
      textArray(failures.map(({ part }) => part)),
    ],
  };
}
