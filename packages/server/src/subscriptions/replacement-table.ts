// All SQL that replaces a deactivated subscription with a new one.

import { numberArray } from '../database/array-parameter.ts';
import type { Statement } from '../database/database.ts';
import type { State } from './state-machine.ts';

export interface ReplacedRow {
  key: string;
  user: string;
  user_code: string;
  event_type: string;
  state: State;
  created_snapshot: string | null;
  signing_secret_sealed: string | null;
  /** One day from now. */
  secret_until: string;
}

/**
 * Locks in key order, so that two requests that replace the same subscriptions wait for each other and do not deadlock.
 * `onlyUser`: the user whose subscriptions the caller may see.
 */
export function lockReplaced(keys: readonly number[], onlyUser: number | undefined): Statement {
  return {
    text: `select s."key"::text, s."user"::text, u.user_code, s.event_type, s.state, s.created_snapshot,
  s.signing_secret_sealed,
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
