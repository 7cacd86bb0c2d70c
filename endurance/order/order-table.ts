// All SQL of the order endurance.

import type { KilledConnection } from '../delivery/killed-database.ts';

type Ask = KilledConnection['ask'];

/** Each object is one change. Its outcome is unknown if the database is killed meanwhile. */
export async function changeObjects(query: KilledConnection['query'], objects: readonly number[], mark: string) {
  await query('update flaghoist.vessel set flag = $2 where "key" = any($1)', [objects, mark]);
}

export interface OrderRecord {
  /** The id of the event. */
  sequence: number;
  object: number;
  /** Null if there is no notification. */
  id: string | null;
  status: 'PENDING' | 'DELIVERED' | 'FAILED' | null;
  attempts: number | null;
}

/** Every committed change of the objects, with its notification. */
export function selectRecords(ask: Ask, subscription: number): Promise<OrderRecord[]> {
  return ask<OrderRecord>(
    `select e.id::int as sequence, e.object_key::int as object, n.id, n.status, n.attempts
    from flaghoist_system.event e left join flaghoist_service.webhook_notification n
      on n.subscription = $1 and n.sequence = e.id
    where e.object_type = 'Vessel' and e.operation = 'U' order by e.id`,
    [subscription],
  );
}

/** How much is left to match and to send. */
export async function countLeft(ask: Ask): Promise<number> {
  const rows = await ask<{ count: number }>(
    `select ((select count(*) from flaghoist_system.unmatched_event)
      + (select count(*) from flaghoist_system.pending_notification))::int as count`,
  );
  return rows[0]!.count;
}
