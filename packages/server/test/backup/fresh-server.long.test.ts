// A backup is restored on a server with lower transaction ids, which gives out those of the original again.

import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { type NewsRow, selectNews } from '../../src/live/live-table.ts';
import { awaitSettled } from '../deliver/queued.ts';
import { startSwitchedReceiver } from '../deliver/switched-receiver.ts';
import { startWorker } from '../deliver/worker-process.ts';
import { matched } from '../match/heard.ts';
import { create, createFleet, createVoyage, type Shown } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { passTransactions, useFreshServer } from './fresh-server.ts';
import { settingsOf, succeed, useFolder } from './installations.ts';

// Without a worker: nothing is matched.
const original = useTestService({ FLAGHOIST_ROLES: 'api' });
const target = useFreshServer();
const folder = useFolder();
const file = join(folder, 'backup.gz');

const voyages: Shown[] = [];

beforeAll(async () => {
  await passTransactions(original.database.pool, 5_000);
  const fleet = await createFleet(original);
  for (let count = 0; count < 5; count += 1) voyages.push(await createVoyage(original, fleet));
});

/** Changes the port calls of a voyage in a transaction with the id of the one that created it on the original. */
async function changeWithSameId(voyage: Shown): Promise<boolean> {
  const { rows } = await original.database.pool.query(
    `select transaction_id::text::int as id from flaghoist_system.event where object_key = $1 and operation = 'C'`,
    [voyage.key],
  );
  await passTransactions(target.pool, rows[0].id);
  const client = await target.pool.connect();
  try {
    await client.query('begin');
    const { rows: own } = await client.query('select pg_current_xact_id()::text::int as id');
    // Autovacuum may have got it.
    const isSame = own[0].id === rows[0].id;
    if (isSame)
      await client.query('update flaghoist.port_call set speed = coalesce(speed, 10) + 1 where voyage = $1', [
        voyage.key,
      ]);
    await client.query('commit');
    return isSame;
  } finally {
    client.release(true);
  }
}

async function newsAt(...position: Parameters<typeof selectNews>): Promise<NewsRow> {
  return (await target.pool.query(selectNews(...position))).rows[0];
}

test('changes from before the backup and after the restore are all delivered, and the live feed repeats none', async () => {
  const receiver = await startSwitchedReceiver();
  const { key, signingSecret } = await create(original, 'WebhookSubscription', {
    eventType: 'Voyage.U',
    url: receiver.url,
  });
  original.secrets.plant('a signing secret', signingSecret);
  const { key: changed } = voyages.pop()!;
  expect((await original.put(`/ws/rest/Voyage/${changed}`, { comments: 'not matched yet' })).status).toBe(200);
  await succeed(['backup', file], settingsOf(original.database.url));
  await succeed(['restore', file], settingsOf(target.url));

  const { seen, activity_id, event_id, revision } = await newsAt(undefined);
  const position = { activityId: Number(activity_id), eventId: Number(event_id), revision: Number(revision) };
  expect(await newsAt({ seen, ...position })).toMatchObject({ events: '[]', activities: '[]' });

  let voyage = voyages.shift();
  while (voyage && !(await changeWithSameId(voyage))) voyage = voyages.shift();
  const { rows } = await original.database.pool.query(
    `select split_part(created_snapshot, ':', 2)::int as next from flaghoist_service.webhook_subscription
     where key = $1`,
    [key],
  );
  await passTransactions(target.pool, rows[0].next + 10);

  const worker = await startWorker(target.url);
  await matched({ database: target }, 30_000);
  await awaitSettled(target.pool);
  await worker.stop();
  const { rows: heard } = await target.pool.query(
    `select object_type || ' of ' || subscribed_object_key as change, status
     from flaghoist_service.webhook_notification where subscription = $1 order by key`,
    [key],
  );
  const both = voyage!.portCalls.map(() => ({ change: `PortCall of ${voyage!.key}`, status: 'DELIVERED' }));
  expect(both).toHaveLength(2);
  expect(heard).toEqual([{ change: `Voyage of ${changed}`, status: 'DELIVERED' }, ...both]);
}, 240_000);
