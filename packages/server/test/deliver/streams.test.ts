// Receivers that take no connections fetch their notifications over a stream. What they do not acknowledge, they get
// again.

import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { useTestService } from '../support/test-service.ts';
import { acknowledge, openStream, pull } from './stream-client.ts';
import { keysOf, useStreamed } from './streamed.ts';

const service = useTestService();
const { pool } = service.database;
const { subscribe, change, logged, expire, areFree } = useStreamed(service);

test('what has happened before and what happens then is sent, in order, with the headers and bytes of HTTP', async () => {
  const { key, signingSecret } = await subscribe();
  const vessel = await change(2);
  const stream = await openStream(service, key);
  expect([stream.status, stream.headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8']);
  await stream.reach(2);
  await change(1, vessel);
  const events = await stream.reach(3);
  const sequences = events.map(({ headers }) => Number(headers['flaghoist-sequence']));
  expect(sequences).toEqual([...sequences].sort((a, b) => a - b));
  for (const { notification, headers, body } of events) {
    expect(new Webhook(signingSecret).verify(body, headers)).toMatchObject({ resource: { key: vessel.key } });
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': `${headers['flaghoist-sequence']}-${notification}`,
      'flaghoist-event': `Vessel.U.${vessel.key}`,
      'flaghoist-subscription': String(key),
      'flaghoist-attempt': '1',
    });
    expect((await logged(notification)).status).toBe('PENDING');
  }
  const { body } = await acknowledge(service, key, { notifications: keysOf(events) });
  expect(body).toEqual({ acknowledged: 3 });
  const { status, attempts, attemptLog, nextAttemptDate } = await logged(events[0]!.notification);
  expect([status, attempts, nextAttemptDate]).toEqual(['DELIVERED', 1, null]);
  expect(attemptLog).toEqual([expect.objectContaining({ error: null, durationMs: expect.any(Number) })]);
  expect((await acknowledge(service, key, { notifications: keysOf(events) })).body).toEqual({ acknowledged: 0 });
});

test('what is not acknowledged in time is sent again, with the same bytes and the next attempt', async () => {
  const { key } = await subscribe({ acknowledgeSeconds: 1 });
  await change();
  const stream = await openStream(service, key);
  const [first, second] = await stream.reach(2);
  expect([second!.notification, second!.body]).toEqual([first!.notification, first!.body]);
  expect([first!.headers['flaghoist-attempt'], second!.headers['flaghoist-attempt']]).toEqual(['1', '2']);
  await acknowledge(service, key, { notifications: [first!.notification] });
  const { attempts, attemptLog } = await logged(first!.notification);
  expect(attempts).toBeGreaterThanOrEqual(2);
  expect(attemptLog[0].error).toBe('Not acknowledged within 1 s.');
});

test('after a lost connection, the next one gets at once what was not acknowledged', async () => {
  const { key } = await subscribe();
  await change(3);
  const lost = await openStream(service, key);
  const [first] = await lost.reach(3);
  await acknowledge(service, key, { notifications: [first!.notification] });
  lost.cut();
  const next = await openStream(service, key);
  const events = await next.reach(2);
  expect(keysOf(events)).toEqual(keysOf(lost.events).slice(1));
  expect((await logged(events[0]!.notification)).attemptLog[0].error).toBe(
    'The connection ended before it was acknowledged.',
  );
});

test('Last-Event-ID goes on after that one, which still has to be acknowledged', async () => {
  const { key } = await subscribe();
  await change(3);
  const lost = await openStream(service, key);
  const sent = keysOf(await lost.reach(3));
  lost.cut();
  await areFree(key, 3);
  const next = await openStream(service, key, { headers: { 'last-event-id': String(sent[1]) } });
  await change();
  await next.reach(2);
  expect(keysOf(next.events)).toEqual([sent[2], expect.any(Number)]);
  await expire(key);
  await next.reach(6);
  expect(new Set(keysOf(next.events))).toEqual(new Set([...sent, keysOf(next.events)[1]!]));
});

test('several connections share the notifications: each goes to one of them', async () => {
  const { key } = await subscribe();
  const streams = [await openStream(service, key), await openStream(service, key), await openStream(service, key)];
  await change(30);
  const all = () => streams.flatMap(({ events }) => keysOf(events));
  await expect.poll(() => all().length).toBe(30);
  expect(new Set(all()).size).toBe(30);
  for (const { events } of streams) expect(events.length).toBeGreaterThan(0);
});

test('a connection gets no more than its limit, until some are acknowledged', async () => {
  const { key } = await subscribe();
  await change(5);
  const stream = await openStream(service, key, { query: '?limit=2' });
  await stream.reach(2);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(stream.events).toHaveLength(2);
  await acknowledge(service, key, { upTo: stream.events[1]!.notification });
  await stream.reach(4);
  await acknowledge(service, key, { upTo: stream.events[3]!.notification });
  await stream.reach(5);
});

describe('upTo', () => {
  test('covers what the same connection was sent before, and nothing else', async () => {
    const { key } = await subscribe();
    await change(4);
    await areFree(key, 4);
    const pulled = await pull(service, key, { limit: 2 });
    const stream = await openStream(service, key);
    const events = await stream.reach(2);
    const { body } = await acknowledge(service, key, { upTo: events[1]!.notification });
    expect(body).toEqual({ acknowledged: 2 });
    for (const { notification } of pulled) expect((await logged(notification)).status).toBe('PENDING');
  });

  test('does not cover an earlier change that the connection was sent later', async () => {
    const { key } = await subscribe();
    await change(3);
    await areFree(key, 3);
    const [early] = await pull(service, key, { limit: 1 });
    const stream = await openStream(service, key);
    const [, last] = keysOf(await stream.reach(2));
    await expire(key, early!.notification);
    await stream.reach(3);
    expect((await acknowledge(service, key, { upTo: last })).body).toEqual({ acknowledged: 2 });
    expect((await logged(early!.notification)).status).toBe('PENDING');
  });

  test('does not cover what Last-Event-ID has left out: others may have been sent it', async () => {
    const { key } = await subscribe();
    await change(3);
    const lost = await openStream(service, key);
    const [first, second, third] = keysOf(await lost.reach(3));
    lost.cut();
    await areFree(key, 3);
    const next = await openStream(service, key, { headers: { 'last-event-id': String(second) } });
    await next.reach(1);
    expect((await acknowledge(service, key, { upTo: third })).body).toEqual({ acknowledged: 1 });
    expect((await acknowledge(service, key, { upTo: second })).body).toEqual({ acknowledged: 1 });
    expect((await acknowledge(service, key, { notifications: [first] })).body).toEqual({ acknowledged: 1 });
  });

  test('after the connection has ended, covers that one alone', async () => {
    const { key } = await subscribe();
    await change(2);
    const lost = await openStream(service, key);
    const [, second] = keysOf(await lost.reach(2));
    lost.cut();
    await areFree(key, 2);
    expect((await acknowledge(service, key, { upTo: second })).body).toEqual({ acknowledged: 1 });
  });

  test('of one that was sent more than once covers that one alone', async () => {
    const { key } = await subscribe();
    await change(2);
    await areFree(key, 2);
    const late = await pull(service, key, { limit: 2 });
    expect(late).toHaveLength(2);
    await expire(key);
    expect(keysOf(await pull(service, key, { waitSeconds: 10 }))).toEqual(keysOf(late));
    expect((await acknowledge(service, key, { upTo: late[1]!.notification })).body).toEqual({ acknowledged: 1 });
    expect((await logged(late[0]!.notification)).status).toBe('PENDING');
  });

  test('of one that was never sent, or is of another subscription, acknowledges nothing', async () => {
    const [one, other] = [await subscribe(), await subscribe()];
    await change(2);
    const [first] = await pull(service, one.key, { limit: 1, waitSeconds: 5 });
    for (const body of [{ upTo: first!.notification }, { notifications: [first!.notification] }])
      expect((await acknowledge(service, other.key, body)).body).toEqual({ acknowledged: 0 });
    const { rows } = await pool.query(
      'select max(notification_key)::int as key from flaghoist_system.pending_notification where subscription_key = $1',
      [one.key],
    );
    for (const body of [{ upTo: rows[0].key }, { notifications: [rows[0].key] }])
      expect((await acknowledge(service, one.key, body)).body).toEqual({ acknowledged: 0 });
  });
});
