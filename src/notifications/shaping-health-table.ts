// All SQL of how scripts and stylesheets of subscriptions fare: how often in a row they have failed.

import { numberArray, textArray } from '../database/array-parameter.ts';
import type { Statement } from '../database/database.ts';

export interface ShapingFailure {
  subscriptionKey: number;
  /** More of them, one after the other. */
  failures: number;
  /** Of the last one. */
  message: string;
}

export function healShaping(subscriptionKeys: readonly number[]): Statement {
  return {
    text: 'delete from flaghoist_system.shaping_health where subscription_key = any($1::bigint[])',
    values: [numberArray(subscriptionKeys)],
  };
}

/** In the order of their keys, as everybody takes their locks. */
export function raiseShapingFailures(failures: readonly ShapingFailure[]): Statement {
  return {
    text: `insert into flaghoist_system.shaping_health as h (subscription_key, failures, message)
select * from unnest($1::bigint[], $2::int[], $3::text[]) as f (subscription_key, failures, message) order by f.subscription_key
on conflict (subscription_key) do update set failures = h.failures + excluded.failures, message = excluded.message`,
    values: [
      numberArray(failures.map(({ subscriptionKey }) => subscriptionKey)),
      numberArray(failures.map((each) => each.failures)),
      textArray(failures.map(({ message }) => message)),
    ],
  };
}
