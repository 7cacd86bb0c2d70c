// What goes wrong while events are matched keeps no other event waiting, and loses none.

import { expect, onTestFinished, test } from 'vitest';
import { create } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { changesHeardBy, subscribe } from './heard.ts';

const service = useTestService();

test('an event that cannot be matched is put off, tried again and told; all others go on', async () => {
  const { pool } = service.database;
  const subscription = await subscribe(service, { eventType: 'Vessel.C' });
  // Keys that are no list: nothing that the triggers write, and nothing that matching is prepared for.
  const { rows } = await pool.query(
    `with made as (insert into flaghoist_system.event (object_type, operation, object_key, new_row, roots_after)
      values ('Vessel', 'C', 1, '{}', '{"Voyage": 5}') returning id)
    insert into flaghoist_system.unmatched_event (event_id) select id from made returning event_id`,
  );
  const poisoned = rows[0].event_id;
  const vessels = [];
  for (let n = 0; n < 20; n++) vessels.push(await create(service, 'Vessel', { vesselName: `Beside ${n}` }));
  await expect
    .poll(async () => (await pool.query('select event_id, failures from flaghoist_system.unmatched_event')).rows, {
      timeout: 10_000,
    })
    .toEqual([{ event_id: poisoned, failures: expect.any(Number) }]);
  const faults = service.observations.filter(({ kind }) => kind === 'matching.failed');
  expect(faults.length).toBeGreaterThan(0);
  // Mended, it is matched like any other.
  await pool.query(`update flaghoist_system.event set roots_after = null where id = $1`, [poisoned]);
  await pool.query(`update flaghoist_system.unmatched_event set not_before = null`);
  expect((await changesHeardBy(service, subscription)).sort()).toEqual(
    ['Vessel.C.1', ...vessels.map(({ key }) => `Vessel.C.${key}`)].sort(),
  );
});

test('an event that has failed thousands of times is put off like any other, and holds up none', async () => {
  const { pool } = service.database;
  const subscription = await subscribe(service, { eventType: 'Vessel.C' });
  await pool.query(
    `with made as (insert into flaghoist_system.event (object_type, operation, object_key, new_row, roots_after)
      values ('Vessel', 'C', 2, '{}', '{"Voyage": 5}') returning id)
    insert into flaghoist_system.unmatched_event (event_id, failures) select id, 5000 from made`,
  );
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

test('an expression that fails for one object is told for it alone, and the subscription stays active', async () => {
  const subscription = await subscribe(service, {
    eventType: 'Vessel.C',
    expression: 'svcObject.getFlag().equals("NO")',
  });
  await create(service, 'Vessel', { vesselName: 'Without a flag' });
  const flying = await create(service, 'Vessel', { vesselName: 'With a flag', flag: 'NO' });
  await create(service, 'Vessel', { vesselName: 'With another', flag: 'SE' });
  expect(await changesHeardBy(service, subscription)).toEqual([`Vessel.C.${flying.key}`]);
  const { rows } = await service.database.pool.query(
    'select reason, message from flaghoist_system.held_back where subscription_key = $1 order by event_id',
    [subscription],
  );
  expect(rows).toEqual([
    { reason: 'EXPRESSION_ERROR', message: expect.stringContaining('NullPointerException') },
    { reason: 'EXPRESSION_FALSE', message: null },
  ]);
  expect((await service.get(`/ws/rest/WebhookSubscription/${subscription}`)).body.state).toBe('ACTIVE');
});

test('an expression reads everything that the object has, its URL too', async () => {
  const expression = 'svcObject.getSelf().endsWith("/Vessel/" + svcObject.getKey())';
  const subscription = await subscribe(service, { eventType: 'Vessel.C', expression });
  const vessel = await create(service, 'Vessel', { vesselName: 'Reachable' });
  expect(await changesHeardBy(service, subscription)).toEqual([`Vessel.C.${vessel.key}`]);
});
