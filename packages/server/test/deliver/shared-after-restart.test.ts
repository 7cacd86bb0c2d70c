// Bodies that share a content are claimed, resent, replayed and streamed by other processes with the same bytes.

import { expect, test } from 'vitest';
import { openBeside, startBeside } from '../auth/service-beside.ts';
import { useTestService } from '../support/test-service.ts';
import { ended, resent } from './failed-notifications.ts';
import { createVoyage, subscribeTo } from './hooks.ts';
import { replayed } from './replays.ts';
import { resendSettings } from './resend-jobs.ts';
import { storedBodies } from './shared-contents.ts';
import { acknowledge, pull } from './stream-client.ts';
import { startSwitchedReceiver } from './switched-receiver.ts';

const installation = { FLAGHOIST_BASE_URL: 'http://flaghoist.test', ...resendSettings };
const service = useTestService({ ...installation, FLAGHOIST_ROLES: 'api' });
const { pool } = service.database;
const worker = { ...installation, FLAGHOIST_ROLES: 'worker' };
const comments = 'In each of the bodies.';

async function subscribeThree(wishes: object): Promise<number[]> {
  const keys = [];
  for (let n = 0; n < 3; n += 1) keys.push((await subscribeTo(service, { eventType: 'Voyage.C', ...wishes })).key);
  return keys;
}

/** Waits until there are as many as subscriptions, and expects them to share a content. */
async function sharedBodies(subscriptions: readonly number[]) {
  const read = () => storedBodies(pool, subscriptions);
  await expect.poll(async () => (await read()).length, { timeout: 10_000 }).toBe(subscriptions.length);
  const stored = await read();
  const contents = new Set(stored.map(({ contentKey }) => contentKey));
  expect([...contents]).toEqual([expect.any(Number)]);
  return stored;
}

test('a resend and a replay by a process that was started later have the bytes of the first attempt', async () => {
  const receiver = await startSwitchedReceiver(500);
  const keys = await subscribeThree({ url: receiver.url });
  const first = await openBeside(service.database, worker);
  await createVoyage(service, { comments });
  const stored = await sharedBodies(keys);
  const failed = async () =>
    (await pool.query(`select from flaghoist_service.webhook_notification where status = 'FAILED'`)).rowCount;
  await expect.poll(failed, { timeout: 20_000, interval: 50 }).toBe(3);
  await first.stop();
  const tried = receiver.deliveries.splice(0).map(({ body }) => body);
  expect(new Set(tried)).toEqual(new Set(stored.map(({ body }) => body)));
  receiver.status = 200;
  await startBeside(service.database, worker);
  await ended(service, (await resent(service, undefined)).job);
  expect(receiver.deliveries.map(({ body }) => body).sort()).toEqual(stored.map(({ body }) => body).sort());
  receiver.deliveries.length = 0;
  const { job } = await replayed(service, keys[1]!);
  await ended(service, job);
  expect(receiver.deliveries.map(({ body }) => body)).toEqual([stored[1]!.body]);
});

test('consumers of several streams each have their whole bodies, again after a lease has run out', async () => {
  const keys = await subscribeThree({ channelInfo: { channelType: 'STREAM' } });
  await startBeside(service.database, worker);
  const pulls = keys.map((key) => pull(service, key, { waitSeconds: 20 }));
  await createVoyage(service, { comments });
  const stored = await sharedBodies(keys);
  const streamed = (await Promise.all(pulls)).map(([event]) => event!);
  expect(streamed.map(({ body }) => body)).toEqual(stored.map(({ body }) => body));
  await pool.query(`update flaghoist_system.pending_notification set leased_until = now() - interval '1 second'`);
  const again = await Promise.all(keys.map((key) => pull(service, key, { waitSeconds: 20 })));
  expect(again.map(([event]) => event!.body)).toEqual(stored.map(({ body }) => body));
  for (const [n, key] of keys.entries()) await acknowledge(service, key, { notifications: [stored[n]!.key] });
});
