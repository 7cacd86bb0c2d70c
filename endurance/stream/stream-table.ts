// All SQL of the stream endurance.

import type { KilledConnection } from '../delivery/killed-database.ts';

export interface StreamRecord {
  /** The id of the event. */
  sequence: number;
  /** Null if there is no notification. */
  id: string | null;
  status: 'PENDING' | 'DELIVERED' | 'FAILED' | null;
}

/** Every committed change, with its notification. */
export function selectRecords(ask: KilledConnection['ask'], subscription: number): Promise<StreamRecord[]> {
  return ask<StreamRecord>(
    `select e.id::int as sequence, n.id, n.status
    from flaghoist_system.event e left join flaghoist_service.webhook_notification n
      on n.subscription = $1 and n.sequence = e.id
    where e.object_type = 'Vessel' and e.operation = 'U' order by e.id`,
    [subscription],
  );
}
