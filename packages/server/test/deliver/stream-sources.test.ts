// What arrives on a stream: in order, over several processes, replayed, and within the rate.

import { expect, test } from 'vitest';
import { startBeside } from '../auth/service-beside.ts';
import { useTestService } from '../support/test-service.ts';
import { acknowledge, openStream } from './stream-client.ts';
import { keysOf, nameIn, useStreamed } from './streamed.ts';

const service = useTestService();
const { subscribe, change } = useStreamed(service);

test('of an ordered subscription, the next notification about an object waits for the acknowledgement', async () => {
  const { key } = await subscribe({ ordering: 'OBJECT' });
  const vessel = await change(3);
  const other = await change(1);
  const stream = await openStream(service, key);
  const objectsOf = () => stream.events.map(({ body }) => JSON.parse(body).resource.key);
  await stream.reach(2);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(objectsOf().sort()).toEqual([vessel.key, other.key].sort());
  for (let sent = 2; sent < 4; sent += 1) {
    const last = stream.events.findLast(({ body }) => JSON.parse(body).resource.key === vessel.key)!;
    await acknowledge(service, key, { notifications: [last.notification] });
    await stream.reach(sent + 1);
  }
  const names = stream.events.filter(({ body }) => JSON.parse(body).resource.key === vessel.key).map(nameIn);
  expect(names).toEqual([...names].sort((a, b) => Number(a.slice(1)) - Number(b.slice(1))));
});

test('any process answers: matched in one, streamed by another, acknowledged at a third', async () => {
  const { key } = await subscribe();
  const settings = { FLAGHOIST_DATA_DIR: service.dataDir, FLAGHOIST_ROLES: 'api', FLAGHOIST_BASE_URL: service.url() };
  const [second, third] = [
    await startBeside(service.database, settings),
    await startBeside(service.database, settings),
  ];
  const stream = await openStream({ url: () => second.localUrl, token: service.token }, key, { query: '?limit=1' });
  await change(3);
  for (let sent = 1; sent <= 3; sent += 1) {
    await stream.reach(sent);
    const response = await fetch(`${third.localUrl}/ws/rest/WebhookSubscription/${key}/acknowledge`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.token()}`, 'content-type': 'application/json' },
      body: JSON.stringify({ notifications: [stream.events[sent - 1]!.notification] }),
    });
    expect(await response.json()).toEqual({ acknowledged: 1 });
  }
  await second.stop();
  await expect.poll(() => stream.isEnded()).toBe(true);
});

test('a failed notification of a replaced subscription, and a replay, arrive on the stream', async () => {
  const { key } = await subscribe();
  await change(1);
  const stream = await openStream(service, key);
  const [first] = await stream.reach(1);
  await acknowledge(service, key, { notifications: keysOf(stream.events) });
  const answer = await service.post(`/ws/rest/WebhookSubscription/${key}/replay`, {
    notifications: [first!.notification],
  });
  expect(answer.status, answer.text).toBe(202);
  const [, again] = await stream.reach(2);
  expect([again!.notification, again!.body]).toEqual([first!.notification, first!.body]);
  expect(again!.headers['flaghoist-replay']).toBe(String(answer.body.job));
  await acknowledge(service, key, { notifications: [first!.notification] });
  await expect.poll(async () => (await service.get(`/ws/rest/ResendJob/${answer.body.job}`)).body.status).toBe('DONE');
});

test('a stream keeps to the rate of its subscription, and goes on when the rate is removed', async () => {
  const { key } = await subscribe({ ratePerSecond: 4 });
  await change(30);
  const stream = await openStream(service, key);
  await stream.reach(1);
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  expect(stream.events.length).toBeGreaterThan(4);
  expect(stream.events.length).toBeLessThan(14);
  await service.put(`/ws/rest/WebhookSubscription/${key}`, { ratePerSecond: null });
  await stream.reach(30, 5_000);
});
