// Hostile consumers of a stream: odd headers and parameters, other methods, and many that race for the same
// notifications.

import { expect, test } from 'vitest';
import { acknowledge, openStream, pull } from '../deliver/stream-client.ts';
import { create } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';

const service = useTestService();
const { pool } = service.database;

async function subscribe(changes: number): Promise<number> {
  const vessel = await create(service, 'Vessel', { vesselName: 'Hostile' });
  const body = { eventType: `Vessel.U.${vessel.key}`, channelInfo: { channelType: 'STREAM' } };
  const answer = await service.post('/ws/rest/WebhookSubscription', body);
  expect(answer.status, answer.text).toBe(201);
  service.secrets.plant('a signing secret', answer.body.signingSecret);
  for (let n = 0; n < changes; n += 1)
    await pool.query('update flaghoist.vessel set flag = $2 where "key" = $1', [vessel.key, String(n)]);
  const { key } = answer.body;
  const stored = 'select count(*)::int as n from flaghoist_system.pending_notification where subscription_key = $1';
  await expect.poll(async () => (await pool.query(stored, [key])).rows[0].n, { timeout: 10_000 }).toBe(changes);
  return key;
}

test.each(["1' or '1'='1", '-1', '0', '1e400', 'NaN', '9'.repeat(400), '9007199254740993', '%00', '*', '1,2'])(
  'Last-Event-ID %j leaves nothing out',
  async (lastEventId) => {
    const stream = await openStream(service, await subscribe(2), { headers: { 'last-event-id': lastEventId } });
    expect(stream.status).toBe(200);
    expect(await stream.reach(2)).toHaveLength(2);
  },
);

test('Last-Event-ID of another subscription leaves nothing out', async () => {
  const [one, other] = [await subscribe(2), await subscribe(2)];
  const taken = await pull(service, other, { limit: 2 });
  const headers = { 'last-event-id': String(taken[1]!.notification) };
  expect(await (await openStream(service, one, { headers })).reach(2)).toHaveLength(2);
});

test.each(['?limit=0', '?limit=1001', '?limit=1.5', '?limit=', '?limit=1&limit=2', '?limits=5', "?limit='1'"])(
  'the parameters %s are rejected',
  async (query) => {
    const answer = await service.get(`/ws/rest/WebhookSubscription/${await subscribe(0)}/stream${query}`);
    expect(answer.status, answer.text).toBe(400);
  },
);

test('HEAD and other methods do not open a stream', async () => {
  const key = await subscribe(3);
  const url = `${service.url()}/ws/rest/WebhookSubscription/${key}/stream`;
  const headers = { authorization: `Bearer ${service.token()}` };
  for (const method of ['POST', 'PUT', 'DELETE'])
    expect((await fetch(url, { method, headers })).status, method).toBe(405);
  const head = await fetch(url, { method: 'HEAD', headers });
  expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  // It was leased nothing.
  expect(await pull(service, key, { waitSeconds: 5 })).toHaveLength(3);
});

test('a notification that many acknowledge at once is acknowledged once', async () => {
  const key = await subscribe(20);
  const keys = (await pull(service, key)).map(({ notification }) => notification);
  expect(keys).toHaveLength(20);
  const bodies = Array.from({ length: 20 }, (_, n) =>
    n % 2 === 0 ? { notifications: n % 4 === 0 ? keys : [...keys].reverse() } : { upTo: keys.at(-1) },
  );
  const answers = await Promise.all(bodies.map((body) => acknowledge(service, key, body)));
  for (const answer of answers) expect(answer.status, answer.text).toBe(200);
  expect(answers.reduce((sum, { body }) => sum + body.acknowledged, 0)).toBe(20);
});

test('many pulls at once share the notifications: none gets what another has', async () => {
  const key = await subscribe(60);
  const pulled = await Promise.all(Array.from({ length: 20 }, () => pull(service, key, { limit: 3, waitSeconds: 5 })));
  const keys = pulled.flat().map(({ notification }) => notification);
  expect(keys).toHaveLength(60);
  expect(new Set(keys).size).toBe(60);
});

test('connections that come and go while others acknowledge lose nothing', async () => {
  const key = await subscribe(100);
  const acknowledged: number[] = [];
  const isDone = () => acknowledged.reduce((sum, each) => sum + each, 0) === 100;
  const consume = async (isEarly: boolean) => {
    while (!isDone()) {
      const stream = await openStream(service, key, { query: '?limit=7' });
      await expect.poll(() => stream.events.length > 0 || isDone(), { timeout: 10_000, interval: 5 }).toBe(true);
      if (isEarly) stream.cut();
      const notifications = stream.events.map(({ notification }) => notification).slice(0, 4);
      const answer = await acknowledge(service, key, { notifications });
      acknowledged.push(answer.body.acknowledged);
      stream.cut();
    }
  };
  await Promise.all([true, false, true, false, true].map(consume));
  const left = 'select count(*)::int as n from flaghoist_system.pending_notification where subscription_key = $1';
  expect((await pool.query(left, [key])).rows[0].n).toBe(0);
});
