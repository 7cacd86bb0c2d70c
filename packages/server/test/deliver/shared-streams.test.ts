// Consumers that share a stream: what one of them does, or does not do, costs no other a notification.

import { expect, test } from 'vitest';
import { openStream as openEvents, type StreamParts } from '../../src/deliver/stream/stream-actions.ts';
import type { StreamCall } from '../../src/objects/action-call.ts';
import { serviceCaller } from '../../src/objects/caller.ts';
import { create } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { acknowledge, openStream, pull, type Streamed } from './stream-client.ts';

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
async function change(times = 1): Promise<void> {
  const { key } = await create(service, 'Vessel', { vesselName: `New ${count}` });
  for (let time = 0; time < times; time += 1) {
    count += 1;
    await service.put(`/ws/rest/Vessel/${key}`, { vesselName: `Changed ${count}` });
  }
}

const keysOf = (events: readonly Streamed[]) => events.map(({ notification }) => notification);

async function countRows(key: number, where = 'true'): Promise<number> {
  const text = `select count(*)::int as n from flaghoist_system.pending_notification
    where subscription_key = $1 and ${where}`;
  return (await pool.query(text, [key])).rows[0].n;
}

async function areWaiting(key: number, expected: number): Promise<void> {
  await expect.poll(() => countRows(key, 'leased_until is not null and leased_until <= now()')).toBe(expected);
}

async function expire(key: number): Promise<void> {
  await pool.query(
    `update flaghoist_system.pending_notification set leased_until = now() - interval '1 second'
     where subscription_key = $1 and leased_until > '-infinity'`,
    [key],
  );
}

test('pulls that do not wait get notifications at the rate of the subscription', async () => {
  const key = await subscribe({ ratePerSecond: 1_000 });
  await change(1);
  await areWaiting(key, 1);
  expect(await pull(service, key)).toHaveLength(1);
});

test('a pull that does not wait has its response, whoever else is connected', async () => {
  const key = await subscribe();
  await openStream(service, key);
  // If nothing told a pull that there is nothing, it would take 10 seconds, and this test its time limit.
  for (let n = 0; n < 10; n += 1) expect(await pull(service, key)).toEqual([]);
});

test('upTo never covers what only another consumer was sent', async () => {
  const key = await subscribe();
  await change(3);
  await areWaiting(key, 3);
  expect(await pull(service, key, { limit: 2, waitSeconds: 5 })).toHaveLength(2);
  const [third] = await pull(service, key, { limit: 1, waitSeconds: 5 });
  await expire(key);
  // Sent to a consumer that dies before it has stored them.
  expect(await pull(service, key, { limit: 3, waitSeconds: 10 })).toHaveLength(3);
  expect((await acknowledge(service, key, { upTo: third!.notification })).body).toEqual({ acknowledged: 1 });
  expect(await countRows(key)).toBe(2);
});

test('a consumer that acknowledges nothing gets no more while another one can take it', async () => {
  const key = await subscribe({ acknowledgeSeconds: 3 });
  const hung = await openStream(service, key);
  await change(1);
  await hung.reach(1);
  const working = await openStream(service, key);
  const acknowledged = new Set<number>();
  const acknowledgeAll = async () => {
    const keys = keysOf(working.events).filter((each) => !acknowledged.has(each));
    for (const each of keys) acknowledged.add(each);
    if (keys.length > 0) await acknowledge(service, key, { notifications: keys });
    return acknowledged.size;
  };
  await expect.poll(acknowledgeAll, { timeout: 20_000 }).toBe(1);
  const before = hung.events.length;
  for (let n = 2; n <= 7; n += 1) {
    await change(1);
    await expect.poll(acknowledgeAll, { timeout: 10_000, interval: 10 }).toBe(n);
  }
  expect(hung.events.length).toBe(before);
});

test('a connection that is one too many keeps nothing that Last-Event-ID has left out', async () => {
  const key = await subscribe({ acknowledgeSeconds: 600 });
  await change(2);
  const lost = await openStream(service, key);
  const [, second] = keysOf(await lost.reach(2));
  lost.cut();
  await areWaiting(key, 2);
  // Others connect while the statement runs.
  const counts = [0, 100];
  const released: number[] = [];
  const hub = {
    countOf: () => counts.shift(),
    release: ({ leaseId }: { leaseId: number }) => void released.push(leaseId),
  };
  const handle = openEvents({ database: service.database.connections, hub } as unknown as StreamParts);
  const call = {
    type: {},
    key,
    caller: serviceCaller('test'),
    given: new Map([['limit', 100]]),
    lastEventId: String(second),
  };
  await expect(handle(call as unknown as StreamCall, () => Promise.reject() as never)).rejects.toThrow('at most 100');
  const { rows } = await pool.query(
    'select distinct -lease_id::int8 as id from flaghoist_system.pending_notification where subscription_key = $1',
    [key],
  );
  expect(rows.map(({ id }) => Number(id))).toEqual(released);
});
