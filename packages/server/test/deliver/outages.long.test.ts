// A receiver that was away for a while, more mail than the rate allows, a log that cannot be written, and a machine in
// another time zone.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startBeside } from '../auth/service-beside.ts';
import { ok, startReceiver } from '../channels/receiver.ts';
import { administrator, administratorSettings, fetchToken } from '../support/access.ts';
import { useTestService } from '../support/test-service.ts';
import { startHooks } from './hooks.ts';
import { awaitSettled, countPending, fatesOf, idOf, queue, subscribeTo, useNoEarlierWorkers } from './queued.ts';
import { startWorker } from './worker-process.ts';

const service = useTestService({ FLAGHOIST_ROLES: 'api' });
const { pool } = service.database;

const timeout = 60_000;

useNoEarlierWorkers(pool);

test('FLT-19: after an outage all that waited arrives, each once, and never more at a time than ever', {
  timeout,
}, async () => {
  let isUp = false;
  let [inFlight, peak] = [0, 0];
  const taken: string[] = [];
  const receiver = await startReceiver({
    onRequest: (socket, request) => {
      inFlight += 1;
      peak = Math.max(peak, inFlight);
      if (isUp) taken.push(idOf(request));
      const answer = isUp ? ok : 'HTTP/1.1 503 Away\r\nContent-Length: 0\r\n\r\n';
      // Not in the same turn: the others that are under way come in before.
      setImmediate(() => {
        inFlight -= 1;
        socket.write(answer);
      });
    },
  });
  const subscription = await subscribeTo(service, receiver.url, { doNotUnsubscribe: true });
  const ids = await queue(pool, subscription, 3_000);
  await startBeside(service.database, {
    FLAGHOIST_ROLES: 'worker',
    FLAGHOIST_DELIVERY_ATTEMPTS: '100',
    FLAGHOIST_DELIVERY_INTERVAL_SECONDS: '0.5',
    FLAGHOIST_DELIVERIES_IN_FLIGHT_PER_SUBSCRIPTION: '6',
  });
  await expect.poll(() => receiver.requests.length, { timeout: 20_000 }).toBeGreaterThan(300);
  isUp = true;
  await awaitSettled(pool);
  expect(taken.sort()).toEqual(ids.sort());
  expect(peak).toBeLessThanOrEqual(6);
  expect(new Set((await fatesOf(pool, subscription)).map(({ status }) => status))).toEqual(new Set(['DELIVERED']));
});

test('SSD-32: only so many mails a minute go to one subscription; the rest waits, and none is lost', {
  timeout,
}, async () => {
  const mail = { url: undefined, channelInfo: { channelType: 'EMAIL', URL: 'ops@agent.example' } };
  const subscription = await subscribeTo(service, undefined as unknown as string, mail);
  const ids = await queue(pool, subscription, 63);
  const mails = async () =>
    (await readdir(join(service.dataDir, 'mail')).catch(() => [])).filter((name) =>
      ids.some((id) => name.includes(id)),
    );
  const beganMs = performance.now();
  await startBeside(service.database, {
    FLAGHOIST_ROLES: 'worker',
    FLAGHOIST_DATA_DIR: service.dataDir,
    FLAGHOIST_MAILS_PER_MINUTE: '60',
  });
  // Sixty at once, and then one a second: however slow this machine is, never more than that.
  for (let sent = 0; sent < 63; ) {
    sent = (await mails()).length;
    expect(sent).toBeLessThanOrEqual(60 + (performance.now() - beganMs) / 1_000);
    await new Promise(setImmediate);
  }
  await awaitSettled(pool);
  expect((await mails()).length).toBe(63);
  expect((await fatesOf(pool, subscription)).filter(({ attempts }) => attempts !== 1)).toEqual([]);
});

test.skipIf(!existsSync('/dev/full')).each([
  ['cannot be written, since the disk is full', () => openSync('/dev/full', 'w')],
  ['nobody reads any more', () => 'pipe' as const],
])('FLT-56: a log that %s stops no delivery', { timeout }, async (_, out) => {
  const receiver = await startReceiver();
  const subscription = await subscribeTo(service, receiver.url);
  const program = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
  const child = spawn(process.execPath, [program, 'serve'], {
    stdio: ['ignore', out(), 'ignore'],
    env: {
      PATH: process.env.PATH,
      FLAGHOIST_PORT: '0',
      FLAGHOIST_ROLES: 'worker',
      FLAGHOIST_LOG_LEVEL: 'debug',
      FLAGHOIST_REFERENCE_DATA: 'skip',
      FLAGHOIST_DATA_DIR: service.dataDir,
      DATABASE_URL: service.database.url,
      ...administratorSettings,
    },
  });
  const ended = once(child, 'exit').then(() => 'ended');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const arrived = (count: number) =>
    vi.waitUntil(() => receiver.requests.length >= count, { timeout: 30_000 }).then(() => 'arrived');
  child.stdout?.resume();
  await queue(pool, subscription);
  expect(await Promise.race([ended, arrived(1)])).toBe('arrived');
  child.stdout?.destroy();
  await queue(pool, subscription, 5);
  expect(await Promise.race([ended, arrived(6)])).toBe('arrived');
  await awaitSettled(pool);
});

test('FLT-32: where machine and database are in other time zones, every date is what it is elsewhere', {
  timeout,
}, async () => {
  const { rows } = await pool.query('select current_database() as name');
  await pool.query(`alter database "${rows[0].name}" set timezone to 'Asia/Kolkata'`);
  await pool.query(`update flaghoist_service.api_user set email = 'owner@fleet.example'`);
  const hooks = await startHooks((response, { path }) => response.writeHead(path === '/bad' ? 500 : 200).end());
  const worker = await startWorker(service.database.url, {
    TZ: 'America/St_Johns',
    FLAGHOIST_ROLES: 'api,worker',
    FLAGHOIST_DELIVERY_ATTEMPTS: '2',
    FLAGHOIST_DELIVERY_INTERVAL_SECONDS: '0.1',
  });
  const url = /"url":"([^"]+)"[^\n]*service\.started/.exec(worker.output())![1]!;
  const authorization = `Bearer ${await fetchToken(url, administrator)}`;
  const ask = async (path: string, body?: object) => {
    const content = body && { method: 'POST', body: JSON.stringify(body) };
    const headers = { authorization, 'content-type': 'application/json' };
    const response = await fetch(`${url}/ws/rest/${path}`, { headers, ...content });
    expect(response.ok, await response.clone().text()).toBe(true);
    // biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
    return (await response.json()) as any;
  };
  const expectNow = (date: string) => {
    expect(date).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/);
    expect(Math.abs(Date.parse(`${date.replace(/Z$/, '')}Z`) - Date.now())).toBeLessThan(120_000);
  };
  const eventType = 'Voyage.C';
  const good = await ask('WebhookSubscription', { eventType, url: `${hooks.url}/good` });
  const bad = await ask('WebhookSubscription', { eventType, url: `${hooks.url}/bad` });
  for (const { signingSecret } of [good, bad]) service.secrets.plant('a signing secret', signingSecret);
  // In Newfoundland there is no such time: the clocks go from 2 to 3.
  const estimatedVoyageStartDate = '2026-03-08T02:30:00';
  const { key } = await ask('Voyage', { estimatedVoyageStartDate });
  const voyage = await ask(`Voyage/${key}`);
  expect(voyage.estimatedVoyageStartDate).toBe(estimatedVoyageStartDate);
  expectNow(voyage.createdDate);
  expect(await ask(`Voyage?filter=estimatedVoyageStartDate(EQ)${estimatedVoyageStartDate}`)).toHaveLength(1);
  const notification = async (subscription: { key: number }, status: string) => {
    const list = () => ask(`WebhookNotification?filter=subscription(EQ)${subscription.key}&filter=status(EQ)${status}`);
    await expect.poll(async () => (await list()).length, { timeout: 20_000 }).toBe(1);
    return ask(`WebhookNotification/${(await list())[0].key}`);
  };
  const delivered = await notification(good, 'DELIVERED');
  const sent = JSON.parse(hooks.at('/good')[0]!.body);
  expect(sent.resource.estimatedVoyageStartDate).toBe(estimatedVoyageStartDate);
  for (const date of [delivered.deliveryDate, delivered.eventTime, delivered.attemptLog[0].date, sent.eventTime])
    expectNow(date);
  await notification(bad, 'FAILED');
  const { failingSince, stateDate } = await ask(`WebhookSubscription/${bad.key}`);
  for (const date of [failingSince, stateDate]) expectNow(date);
  await expect.poll(() => countPending(pool)).toBe(0);
  const folder = join(worker.dataDir, 'mail');
  // One that is being written has another name.
  const mails = async () => (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml'));
  await expect.poll(async () => (await mails()).length, { timeout: 10_000 }).toBe(1);
  const alert = (await readFile(join(folder, (await mails())[0]!), 'utf8')).replaceAll(/=\r?\n/g, '');
  for (const label of ['Failing since', 'Last attempt']) {
    const [, day, time] = new RegExp(`${label}:?\\s+(\\d+ \\w+ \\d{4}), ([\\d:]+) UTC`).exec(alert) ?? [];
    expectNow(new Date(`${day} ${time} UTC`).toISOString());
  }
});
