// Any number of processes match in parallel: no event twice, none left behind.

import { expect, test } from 'vitest';
import { startBeside } from '../auth/service-beside.ts';
import { create } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { changesHeardBy, matched, subscribe } from './heard.ts';

/** The same URL for all, so that the tokens of one are valid in the others. */
const installation = { FLAGHOIST_BASE_URL: 'http://flaghoist.test' };
const service = useTestService({ ...installation, FLAGHOIST_ROLES: 'api' });
const startWorker = () => startBeside(service.database, { ...installation, FLAGHOIST_ROLES: 'worker' });

test('a process without the role worker matches nothing; one without api serves no objects', async () => {
  const subscription = await subscribe(service, { eventType: 'Vessel.C' });
  const vessel = await create(service, 'Vessel', { vesselName: 'Waiting' });
  const queue = await service.database.pool.query('select count(*)::int from flaghoist_system.unmatched_event');
  expect(queue.rows[0].count).toBeGreaterThan(0);
  const worker = await startWorker();
  expect(await changesHeardBy(service, subscription)).toEqual([`Vessel.C.${vessel.key}`]);
  expect(service.observations.filter(({ kind }) => kind === 'events.matched')).toEqual([]);
  expect(worker.observations.filter(({ kind }) => kind === 'events.matched')).not.toEqual([]);
  const statuses = await Promise.all(
    ['/health/ready', '/metrics', '/ws/rest/Vessel', '/openapi.json'].map(
      async (path) =>
        (await fetch(`${worker.localUrl}${path}`, { headers: { authorization: `Bearer ${service.token()}` } })).status,
    ),
  );
  expect(statuses).toEqual([200, 200, 404, 404]);
});

test('many workers share the events of a bulk change, and each event is notified once', async () => {
  const subscription = await subscribe(service, { eventType: 'Vessel.C' });
  const workers = await Promise.all([1, 2, 3].map(() => startWorker()));
  const { pool } = service.database;
  for (let bulk = 0; bulk < 5; bulk++)
    await pool.query(`insert into flaghoist.vessel (vessel_name) select 'V' || n from generate_series(1, 400) n`);
  const heard = await changesHeardBy(service, subscription);
  const { rows } = await pool.query("select key::int from flaghoist.vessel where vessel_name like 'V%'");
  expect(heard.sort()).toEqual(rows.map(({ key }) => `Vessel.C.${key}`).sort());
  const shares = workers.map(({ observations }) =>
    observations.reduce((sum, seen) => sum + (seen.kind === 'events.matched' ? seen.events : 0), 0),
  );
  expect(shares.reduce((sum, share) => sum + share, 0)).toBeGreaterThanOrEqual(2000);
});

test('a subscription saved in one process is matched by all, and an unsubscribed one by none', async () => {
  await startWorker();
  const other = await startBeside(service.database, { ...installation, FLAGHOIST_ROLES: 'api' });
  const vessel = await create(service, 'Vessel', { vesselName: 'Told' });
  await matched(service);
  const change = async (flag: string) => {
    const response = await fetch(`${other.localUrl}/ws/rest/Vessel/${vessel.key}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${service.token()}`, 'content-type': 'application/json' },
      body: JSON.stringify({ flag }),
    });
    expect(response.status).toBe(200);
  };
  for (let round = 0; round < 10; round++) {
    const subscription = await subscribe(service, { eventType: `Vessel.U.${vessel.key}` });
    await change(`in ${round}`);
    const unsubscribed = await service.put(`/ws/rest/WebhookSubscription/${subscription}`, { unsubscribed: true });
    expect(unsubscribed.status).toBe(200);
    await change(`out ${round}`);
    const heard = await changesHeardBy(service, subscription);
    // The change before may be matched after the unsubscribe; the change after it is never notified.
    expect(heard.length).toBeLessThanOrEqual(1);
    const notifications = async () =>
      (
        await service.database.pool.query(
          'select status, flaghoist_system.body(key) as body from flaghoist_service.webhook_notification where ' +
            'subscription = $1',
          [subscription],
        )
      ).rows;
    // One that was pending at the unsubscribe is ended afterwards.
    const statuses = async () => (await notifications()).map(({ status }) => status);
    await expect.poll(statuses, { timeout: 10_000 }).toEqual(heard.map(() => 'FAILED'));
    for (const { body } of await notifications()) expect(body).toContain(`in ${round}`);
  }
});
