// All SQL of the backlog run that the delivery benchmark lacks.

import { onDatabase } from '../../bench/rest/fleet-table.ts';

/** One in ten was waiting for a retry when the service went down, and is long due. */
export async function letSomeBeDue(url: string): Promise<void> {
  await onDatabase(url, async (client) => {
    await client.query(`update flaghoist_system.pending_notification
      set due_at = now() - notification_key % 3600 * interval '1 second' where notification_key % 10 = 0`);
    // As autovacuum does while the service is down.
    await client.query('vacuum (analyze) flaghoist_system.pending_notification');
  });
}

export async function countClaimed(url: string): Promise<number> {
  const { rows } = await onDatabase(url, (client) =>
    client.query<{ count: number }>(
      'select count(*)::int as count from flaghoist_system.pending_notification where claimed_by is not null',
    ),
  );
  return rows[0]!.count;
}
