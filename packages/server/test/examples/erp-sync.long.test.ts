// The ERP sync of examples/ in hard times: killed again and again while orders change, fed with duplicates and with old
// notifications after new ones, and off for so long that its subscription is deactivated. Its copy is exact each time.

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { closedPort } from '../channels/receiver.ts';
import { readSubscription } from '../deliver/hooks.ts';
import { createClient } from '../support/access.ts';
import { createFleet, createVoyage, type Fleet, type Shown } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { allDelivered, expectExactCopy, orderKeys, readCopy, writeHistory } from './order-copy.ts';
import { type Example, startExample } from './start-example.ts';

const service = useTestService({ FLAGHOIST_DELIVERY_INTERVAL_SECONDS: '0.2', FLAGHOIST_DELIVERY_ATTEMPTS: '100' });
let fleet: Fleet;
let voyage: Shown;
beforeAll(async () => {
  fleet = await createFleet(service);
  voyage = await createVoyage(service, fleet);
});

const stepsOf = (seed: number, count: number) =>
  fc.sample(fc.array(fc.nat(10_000), { minLength: count, maxLength: count }), { numRuns: 1, seed })[0]!;

async function setUp() {
  const file = join(service.dataDir, `${randomBytes(4).toString('hex')}.sqlite`);
  const port = await closedPort();
  const signingSecret = `whsec_${randomBytes(32).toString('base64')}`;
  const url = `http://127.0.0.1:${port}/`;
  // By default, the next attempt after a kill is a minute later.
  const retryPolicy = { attempts: 100, intervalSeconds: 1 };
  const name = `ERP sync of bunker orders to ${url}`;
  const wishes = { name, eventTypes: ['BunkerOrder.*'], url, signingSecret, retryPolicy };
  const client = await createClient(service, ['read', 'webhook']);
  // Its secret is not planted: an answer has it again when the program replaces the subscription.
  const { body: subscription } = await service.post('/ws/rest/WebhookSubscription', wishes, client.headers);
  const start = () =>
    startExample('erp-sync/erp-sync.mjs', [file, String(port)], {
      FLAGHOIST_URL: service.url(),
      FLAGHOIST_CLIENT_ID: client.clientId,
      FLAGHOIST_CLIENT_SECRET: client.clientSecret,
      SIGNING_SECRET: signingSecret,
    });
  return { file, client, subscription, start };
}

/** Kills it whenever it has received some more, and starts it again. Answers the last one, which runs. */
async function killAgainAndAgain(start: () => Example, isOver: () => boolean) {
  for (let kills = 0; ; kills += 1) {
    const sync = start();
    if (kills === 6) return { last: sync, kills };
    const enough = 1 + (kills % 5);
    while (!isOver() && sync.printed().split('(').length <= enough) await wait(2);
    if (isOver()) return { last: sync, kills };
    await sync.kill('SIGKILL');
  }
}

test('the copy is exact after kill -9 at any moment, duplicates, deletions, and old notifications after new ones', {
  timeout: 240_000,
}, async () => {
  const { file, client, subscription, start } = await setUp();
  let isWritten = false;
  const writing = writeHistory(service, fleet, voyage, stepsOf(23, 100)).finally(() => {
    isWritten = true;
  });
  const { last, kills } = await killAgainAndAgain(start, () => isWritten);
  await writing;
  await allDelivered(service, client, 60_000);
  expect(kills).toBeGreaterThan(3);
  expect(last.printed()).not.toContain('Error');
  expect((await orderKeys(service)).length).toBeGreaterThan(2);
  await expectExactCopy(service, file);
  const before = readCopy(file);
  expect(before.some(({ isDeleted }) => isDeleted)).toBe(true);
  await last.kill('SIGKILL');

  // Everything once more, oldest first.
  const job = await service.post(`/ws/rest/WebhookSubscription/${subscription.key}/replay`, {});
  expect(job.status, job.text).toBe(202);
  const status = async () => (await service.get(`/ws/rest/ResendJob/${job.body.job}`)).body.status;
  await killAgainAndAgain(start, () => false);
  await expect.poll(status, { timeout: 120_000, interval: 100 }).toBe('DONE');
  expect(readCopy(file)).toEqual(before);
});

test('after a long night, a new subscription takes over what the old one could not send', {
  timeout: 60_000,
}, async () => {
  const { file, client, subscription, start } = await setUp();
  const first = start();
  await first.says('Receiving at');
  // A short night.
  const retryPolicy = { attempts: 1, intervalSeconds: 1 };
  const changed = await service.put(`/ws/rest/WebhookSubscription/${subscription.key}`, { retryPolicy });
  expect(changed.status, changed.text).toBe(200);
  await writeHistory(service, fleet, voyage, stepsOf(5, 20));
  await allDelivered(service, client);
  await first.kill();
  await writeHistory(service, fleet, voyage, stepsOf(6, 20));
  const state = async () => (await readSubscription(service, subscription)).state;
  await expect.poll(state, { timeout: 10_000 }).toBe('DEACTIVATED');
  await writeHistory(service, fleet, voyage, stepsOf(7, 20));
  await start().says('Receiving at');
  await expect.poll(state).toBe('UNSUBSCRIBED');
  await allDelivered(service, client);
  await expectExactCopy(service, file);
});
