// All SQL of `affected`: the active subscriptions that have one of these event types.

import type { Statement } from '../../database/database.ts';
import { subscriptionColumns } from '../../subscriptions/subscription-table.ts';
import type { NamedSubscriptionRow } from '../decisions/decisions-table.ts';

export interface ConcernedRow extends NamedSubscriptionRow {
  /** How many there are, also those over the limit. */
  total: string;
}

/** Those of the user first, then the newest. */
export function selectConcerned(
  eventTypes: readonly string[],
  userKey: number | undefined,
  subscriptionsMax: number,
): Statement {
  return {
    text: `select ${subscriptionColumns}, s.name, count(*) over ()::text as total
from flaghoist_service.webhook_subscription s where s.state = 'ACTIVE' and s.event_types && $1::text[]
order by s."user" = $2::bigint desc nulls last, s.key desc limit $3::int`,
    values: [eventTypes, userKey ?? null, subscriptionsMax],
  };
}
