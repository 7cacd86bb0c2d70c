// Streams in the world: consumers that do not read, tokens that expire, a proxy in between, and restarts of the service
// and of the database while consumers are connected.

import { findFreePort } from '@flaghoist/embedded-postgres';
import { describe, expect, test } from 'vitest';
import { holdClock } from '../auth/held-clock.ts';
import { startBeside } from '../auth/service-beside.ts';
import { administrator, fetchToken } from '../support/access.ts';
import { DatabaseRelay } from '../support/database-relay.ts';
import { create, createFleet } from '../support/fleet.ts';
import { openSocket, withToken } from '../support/raw-http.ts';
import { useTestService } from '../support/test-service.ts';
import { hasNginx, startNginx } from './nginx.ts';
import { acknowledge, openStream, type Streamed } from './stream-client.ts';
import { startWorker } from './worker-process.ts';

const service = useTestService();
const { pool } = service.database;

async function subscribe(more: object = {}): Promise<number> {
  const body = { eventType: 'Vessel.U', channelInfo: { channelType: 'STREAM' }, ...more };
  const answer = await service.post('/ws/rest/WebhookSubscription', body);
  expect(answer.status, answer.text).toBe(201);
  service.secrets.plant('a signing secret', answer.body.signingSecret);
  return answer.body.key;
}

let count = 0;
/** Changes a vessel; the name is in the notification. */
async function change(): Promise<string> {
  const vessel = await create(service, 'Vessel', { vesselName: 'New' });
  count += 1;
  await service.put(`/ws/rest/Vessel/${vessel.key}`, { vesselName: `Changed ${count}` });
  return `Changed ${count}`;
}

const nameIn = ({ body }: Streamed) => JSON.parse(body).resource.vesselName as string;
const keysOf = (events: readonly Streamed[]) => events.map(({ notification }) => notification);

const besideSettings = () => ({ FLAGHOIST_DATA_DIR: service.dataDir, FLAGHOIST_BASE_URL: service.url() });

test('a consumer that does not read is cut off, delays nobody, and what it was sent goes to another', {
  timeout: 120_000,
}, async () => {
  const voyages = await createLargeVoyages(10);
  const key = await subscribe({ eventType: 'Voyage.U', acknowledgeSeconds: 600 });
  const other = await subscribe();
  const path = `/ws/rest/WebhookSubscription/${key}/stream?limit=1000`;
  const socket = openSocket(service.url());
  socket.pause();
  socket.write(withToken(service.token(), `GET ${path} HTTP/1.1\r\nHost: a.example\r\n\r\n`));
  const cut = new Promise((resolve) => socket.on('close', resolve));
  for (let n = 0; n < 100; n += 1)
    await pool.query('update flaghoist.voyage set comments = $2 where "key" = any($1)', [voyages, `Change ${n}`]);
  const stream = await openStream(service, other);
  const name = await change();
  await expect.poll(() => stream.events.map(nameIn), { timeout: 60_000 }).toEqual([name]);
  const next = await openStream(service, key, { query: '?limit=1000' });
  await next.reach(1_000, 60_000);
  expect(new Set(keysOf(next.events)).size).toBe(1_000);
  // Reading again shows that the connection has ended.
  socket.resume();
  await cut;
});

/** Too many of them for the buffers of a connection. */
async function createLargeVoyages(number: number): Promise<number[]> {
  const { vessel, port } = await createFleet(service);
  const portCalls = Array.from({ length: 100 }, () => ({ port: port.key, reasonForCall: 'L' }));
  const keys: number[] = [];
  while (keys.length < number) keys.push((await create(service, 'Voyage', { vessel: vessel.key, portCalls })).key);
  return keys;
}

test('a stream ends when its token has expired', { timeout: 60_000 }, async () => {
  const clock = holdClock();
  const settings = { ...besideSettings(), FLAGHOIST_TOKEN_LIFETIME_SECONDS: '60', FLAGHOIST_ROLES: 'api' };
  const beside = await startBeside(service.database, settings, clock);
  const token = await fetchToken(beside.localUrl, administrator);
  service.secrets.plantToken('a token that expires', token);
  const key = await subscribe();
  const [expiring, lasting] = [
    await openStream({ url: () => beside.localUrl, token: () => token }, key),
    await openStream({ url: () => service.url(), token: service.token }, key),
  ];
  clock.advance(61_000);
  await expect.poll(() => expiring.isEnded(), { timeout: 20_000 }).toBe(true);
  expect(lasting.isEnded()).toBe(false);
  const name = await change();
  await expect.poll(() => lasting.events.map(nameIn), { timeout: 30_000 }).toEqual([name]);
});

test('an open stream has a comment every 15 seconds', { timeout: 60_000 }, async () => {
  const stream = await openStream(service, await subscribe());
  await expect.poll(() => stream.comments.length, { timeout: 20_000 }).toBeGreaterThan(0);
});

// In CI there must be one.
describe.runIf(hasNginx || process.env.CI)('through nginx with its default buffers,', () => {
  test('events arrive at once, and Last-Event-ID goes on after that one', { timeout: 60_000 }, async () => {
    const url = await startNginx(service.url());
    const place = { url: () => url, token: service.token };
    const key = await subscribe();
    const stream = await openStream(place, key);
    // One small event at a time: none waits for a buffer to fill.
    for (let sent = 1; sent <= 3; sent += 1) {
      await change();
      await stream.reach(sent);
    }
    const [first, second, third] = keysOf(stream.events);
    stream.cut();
    const free = `select count(*)::int as n from flaghoist_system.pending_notification
      where subscription_key = $1 and leased_until = '-infinity'`;
    await expect.poll(async () => (await pool.query(free, [key])).rows[0].n, { timeout: 10_000 }).toBe(3);
    const next = await openStream(place, key, { headers: { 'last-event-id': String(second) } });
    await next.reach(1);
    expect(keysOf(next.events)).toEqual([third]);
    expect((await acknowledge(service, key, { notifications: [first, second, third] })).body).toEqual({
      acknowledged: 3,
    });
  });
});

test('after a restart of the service, the next connection gets what was not acknowledged', {
  timeout: 120_000,
}, async () => {
  const port = await findFreePort();
  const settings = { ...besideSettings(), FLAGHOIST_ROLES: 'api', FLAGHOIST_PORT: String(port) };
  const place = { url: () => `http://127.0.0.1:${port}`, token: service.token };
  const key = await subscribe({ acknowledgeSeconds: 5 });
  const names = [await change(), await change()];
  for (const end of ['stop', 'kill'] as const) {
    const api = await startWorker(service.database.url, settings);
    const stream = await openStream(place, key);
    await stream.reach(2);
    expect(stream.events.map(nameIn)).toEqual(names);
    await api[end]();
    await expect.poll(() => stream.isEnded()).toBe(true);
  }
  await startWorker(service.database.url, settings);
  const stream = await openStream(place, key);
  const events = await stream.reach(2, 15_000);
  expect(events.map(nameIn)).toEqual(names);
  expect((await acknowledge(service, key, { notifications: keysOf(events) })).body).toEqual({ acknowledged: 2 });
});

test('a connection stays open while the database is away, and goes on when it is back', {
  timeout: 120_000,
}, async () => {
  const relay = new DatabaseRelay();
  await relay.open();
  const database = { ...service.database, url: relay.urlOf(service.database.url) };
  const beside = await startBeside(database, { ...besideSettings(), FLAGHOIST_ROLES: 'api' });
  const key = await subscribe();
  const stream = await openStream({ url: () => beside.localUrl, token: service.token }, key);
  const first = await change();
  await stream.reach(1);
  await relay.close();
  const second = await change();
  await relay.open();
  await stream.reach(2, 30_000);
  expect(stream.isEnded()).toBe(false);
  expect(stream.events.map(nameIn)).toEqual([first, second]);
  await relay.close();
});

test('if the answer to a lease is lost, only what was in it is sent again', { timeout: 60_000 }, async () => {
  const relay = new DatabaseRelay();
  await relay.open();
  const database = { ...service.database, url: relay.urlOf(service.database.url) };
  const beside = await startBeside(database, { ...besideSettings(), FLAGHOIST_ROLES: 'api' });
  const key = await subscribe();
  const stream = await openStream({ url: () => beside.localUrl, token: service.token }, key);
  const first = await change();
  await stream.reach(1);
  // A part of the parameters of a lease, and of nothing else.
  relay.loseAnswerTo('"leaseId"');
  const second = await change();
  await stream.reach(2, 30_000);
  expect(stream.events.map(nameIn)).toEqual([first, second]);
  const sent = `select attempts from flaghoist_system.pending_notification where subscription_key = $1 order by sequence`;
  expect((await pool.query(sent, [key])).rows).toEqual([{ attempts: 1 }, { attempts: 2 }]);
  await relay.close();
});
