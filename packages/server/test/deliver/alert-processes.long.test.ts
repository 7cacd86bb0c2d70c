// Alerts of several processes on one database: one of them sends each, and none is lost with a process.

import { expect, test } from 'vitest';
import { useTestService } from '../support/test-service.ts';
import { alertToken, useAlertReceiver } from './alert-receiver.ts';
import { countIn, subscribeTo } from './failed-notifications.ts';
import { startWorker } from './worker-process.ts';

const receiver = await useAlertReceiver();
const service = useTestService({ FLAGHOIST_ROLES: 'api' });
const environment = { FLAGHOIST_ALERT_URL: receiver.url, FLAGHOIST_ALERT_BACKLOG_SECONDS: '0' };
const alerts = 'flaghoist_system.outgoing_alert';

async function storeAlerts(count: number): Promise<number[]> {
  service.secrets.plant('the token of the alert URL', alertToken);
  const keys: number[] = [];
  for (let index = 0; index < count; index += 1)
    keys.push(await subscribeTo(service, 'http://127.0.0.1:9/hook', { eventType: 'Vessel.D' }));
  await service.database.pool.query(
    `insert into ${alerts} (subscription_key, kind, facts)
     select k, 'SHAPING_FAILING', '{"part": "script", "failures": 3, "error": "No."}' from unnest($1::bigint[]) as k`,
    [keys],
  );
  return keys;
}

test('two processes send each alert once', async () => {
  const workers = [
    await startWorker(service.database.url, environment),
    await startWorker(service.database.url, environment),
  ];
  const keys = await storeAlerts(40);
  await expect.poll(() => countIn(service, alerts), { timeout: 30_000 }).toBe(0);
  expect(receiver.sent.map(({ body }) => body.subscription.key).sort()).toEqual(keys.sort());
  for (const worker of workers) expect(worker.output()).not.toContain(alertToken);
});

test('what a process was sending when it was killed is sent by another, with the same id', async () => {
  receiver.status = 0;
  const first = await startWorker(service.database.url, environment);
  const [key] = await storeAlerts(1);
  await expect.poll(() => receiver.about(key!).length, { timeout: 15_000 }).toBe(1);
  await first.kill();
  receiver.status = 200;
  const second = await startWorker(service.database.url, environment);
  expect(receiver.about(key!)).toHaveLength(1);
  // The lease of the first one is over.
  await service.database.pool.query('update flaghoist_system.alert_turn set not_before = now()');
  await expect.poll(() => receiver.about(key!).length, { timeout: 15_000 }).toBe(2);
  const [one, other] = receiver.about(key!);
  expect(other.id).toBe(one.id);
  await expect.poll(() => countIn(service, alerts)).toBe(0);
  await second.stop();
});

test('a process stops in time while the URL hangs, and the alert stays', async () => {
  receiver.status = 0;
  const worker = await startWorker(service.database.url, { ...environment, FLAGHOIST_STOP_TIMEOUT_SECONDS: '1' });
  const [key] = await storeAlerts(1);
  await expect.poll(() => receiver.about(key!).length, { timeout: 15_000 }).toBe(1);
  await worker.stop();
  expect(await countIn(service, `${alerts} where subscription_key = ${key}`)).toBe(1);
});
