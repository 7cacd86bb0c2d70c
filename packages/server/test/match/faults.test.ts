// An error while events are matched delays no other event and loses none.

import { expect, onTestFinished, test } from 'vitest';
import { claimEvents } from '../../src/events/event-table.ts';
import { create } from '../support/fleet.ts';
import { modelDigest } from '../support/model-digest.ts';
import { useTestService } from '../support/test-service.ts';
import { changesHeardBy, subscribe } from './heard.ts';

const service = useTestService();

test('an event that cannot be matched is postponed, retried and logged; all others are matched', async () => {
  const { pool } = service.database;
  const subscription = await subscribe(service, { eventType: 'Vessel.C' });
  const poisoned = await insertPoisoned(1);
  const vessels = [];
  for (let n = 0; n < 20; n++) vessels.push(await create(service, 'Vessel', { vesselName: `Beside ${n}` }));
  await expect
    .poll(async () => (await pool.query('select event_id, failures from flaghoist_system.unmatched_event')).rows, {
      timeout: 10_000,
    })
    .toEqual([{ event_id: poisoned, failures: expect.any(Number) }]);
  const faults = service.observations.filter(({ kind }) => kind === 'matching.failed');
  expect(faults.length).toBeGreaterThan(0);
  // Once repaired, it is matched like any other.
  await pool.query(`update flaghoist_system.event set roots_after = null where id = $1`, [poisoned]);
  await pool.query(`update flaghoist_system.unmatched_event set not_before = null`);
  expect((await changesHeardBy(service, subscription)).sort()).toEqual(
    ['Vessel.C.1', ...vessels.map(({ key }) => `Vessel.C.${key}`)].sort(),
  );
});

test('an event that has failed thousands of times is postponed like any other, and delays none', async () => {
  const { pool } = service.database;
  const subscription = await subscribe(service, { eventType: 'Vessel.C' });
  await insertPoisoned(2, 'update flaghoist_system.unmatched_event set failures = 5000');
  const vessel = await create(service, 'Vessel', { vesselName: 'Behind the poisoned one' });
  onTestFinished(async () => {
    await pool.query('delete from flaghoist_system.unmatched_event');
  });
  const notified = 'select object_key::int from flaghoist_service.webhook_notification where subscription = $1';
  await expect
    .poll(async () => (await pool.query(notified, [subscription])).rows, { timeout: 10_000 })
    .toEqual([{ object_key: vessel.key }]);
  const queued = 'select failures, not_before > now() as is_put_off from flaghoist_system.unmatched_event';
  expect((await pool.query(queued)).rows).toEqual([{ failures: 5001, is_put_off: true }]);
});

test('only the event that cannot be matched is postponed, wherever it is in the batch', async () => {
  const { pool } = service.database;
  await subscribe(service, { eventType: 'Vessel.C' });
  await pool.query(`create table public.put_off (event_id bigint);
    create function public.note_put_off() returns trigger language plpgsql as
      $$ begin insert into public.put_off values (new.event_id); return null; end $$;
    create trigger note_put_off after update of failures on flaghoist_system.unmatched_event
      for each row execute function public.note_put_off()`);
  onTestFinished(async () => {
    await pool.query(`delete from flaghoist_system.unmatched_event;
      drop trigger note_put_off on flaghoist_system.unmatched_event; drop function public.note_put_off; drop table
        public.put_off`);
  });
  // The tenth of twenty events of one transaction.
  const others = (from: number, to: number) =>
    `insert into flaghoist_system.event (object_type, operation, object_key, new_row)
     select 'Vessel', 'C', n, '{}' from generate_series(${from}, ${to}) n`;
  const rows = [{ id: await insertPoisoned(110, others(111, 120), others(101, 109)) }];
  const left = async () => (await pool.query('select event_id as id from flaghoist_system.unmatched_event')).rows;
  await expect.poll(left, { timeout: 10_000 }).toEqual(rows);
  const putOff = async () => (await pool.query('select distinct event_id as id from public.put_off')).rows;
  await expect.poll(putOff, { timeout: 10_000 }).toEqual(rows);
});

test('a postponed event is not claimed before its time', async () => {
  const { pool, connections } = service.database;
  const id = await insertPoisoned(
    3,
    `update flaghoist_system.unmatched_event set not_before = now() + interval '1 hour'`,
  );
  onTestFinished(async () => {
    await pool.query('delete from flaghoist_system.unmatched_event');
  });
  expect(await connections.run(claimEvents({ eventsMax: 1_000, fromId: Number(id), modelDigest }))).toEqual([]);
  const queued = 'select event_id from flaghoist_system.unmatched_event where event_id = $1';
  expect((await pool.query(queued, [id])).rows).toHaveLength(1);
});

test('an expression that fails for one object is recorded, and the subscription stays active', async () => {
  const subscription = await subscribe(service, {
    eventType: 'Vessel.C',
    expression: 'svcObject.getFlag().equals("NO")',
  });
  await create(service, 'Vessel', { vesselName: 'Without a flag' });
  const flying = await create(service, 'Vessel', { vesselName: 'With a flag', flag: 'NO' });
  await create(service, 'Vessel', { vesselName: 'With another', flag: 'SE' });
  expect(await changesHeardBy(service, subscription)).toEqual([`Vessel.C.${flying.key}`]);
  const { rows } = await service.database.pool.query(
    'select reason, message from flaghoist_system.suppressed_match where subscription_key = $1 order by event_id',
    [subscription],
  );
  expect(rows).toEqual([
    { reason: 'EXPRESSION_ERROR', message: expect.stringContaining('NullPointerException') },
    { reason: 'EXPRESSION_FALSE', message: null },
  ]);
  expect((await service.get(`/ws/rest/WebhookSubscription/${subscription}`)).body.state).toBe('ACTIVE');
});

test('an expression can read all attributes of the object, including its URL', async () => {
  const expression = 'svcObject.getSelf().endsWith("/Vessel/" + svcObject.getKey())';
  const subscription = await subscribe(service, { eventType: 'Vessel.C', expression });
  const vessel = await create(service, 'Vessel', { vesselName: 'Reachable' });
  expect(await changesHeardBy(service, subscription)).toEqual([`Vessel.C.${vessel.key}`]);
});

/**
 * The keys of its roots are not a list. The triggers never write this, and matching does not expect it. `before` and
 * `after` run in the same transaction.
 */
async function insertPoisoned(key: number, after = 'select', before = 'select'): Promise<string> {
  const results = await service.database.pool.query(`begin; ${before};
    insert into flaghoist_system.event (object_type, operation, object_key, new_row)
      values ('Vessel', 'C', ${key}, '{}') returning id;
    set constraints all immediate;
    update flaghoist_system.event set roots_after = '{"Voyage": 5}' where object_key = ${key}; ${after}; commit`);
  return (results as unknown as { rows: { id: string }[] }[])[2]!.rows[0]!.id;
}
