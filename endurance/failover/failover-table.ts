// All SQL of the failover endurance: what is still to be done, the changes, and their notifications.

import type { PostgresPair } from './postgres-pair.ts';

export async function countLeft(pair: PostgresPair): Promise<number> {
  const [row] = await pair.ask(
    pair.primary,
    `select ((select count(*) from flaghoist_system.unmatched_event)
      + (select count(*) from flaghoist_system.pending_notification))::int as count`,
  );
  return row!.count as number;
}

/** The key of each vessel that was changed, with its new name. */
export async function selectChanges(pair: PostgresPair): Promise<Set<string>> {
  const rows = await pair.ask(
    pair.primary,
    `select object_key || ' ' || (new_row ->> 'vessel_name') as change from flaghoist_system.event
     where object_type = 'Vessel' and operation = 'U'`,
  );
  return new Set(rows.map(({ change }) => change as string));
}

/** The id of each notification, and its status. */
export async function selectNotifications(pair: PostgresPair): Promise<Map<string, string>> {
  const rows = await pair.ask(pair.primary, 'select id::text, status from flaghoist_service.webhook_notification');
  return new Map(rows.map(({ id, status }) => [id as string, status as string]));
}

export async function selectVersion(pair: PostgresPair): Promise<string> {
  const [row] = await pair.ask(pair.primary, "select current_setting('server_version') as version");
  return (row!.version as string).split(' ')[0]!;
}
