// A content is stored once for all bodies that share it, and every body is what it would be if it were stored whole.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { heardBy, matched } from '../match/heard.ts';
import { makeScript } from '../shape/shaped.ts';
import { createFleet, createVoyage } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { startHooks, subscribeTo } from './hooks.ts';
import { copySubscription, countContents, storedBodies } from './shared-contents.ts';

const service = useTestService();
const { pool } = service.database;
const comments = 'é "quoted" \\ 漢字 🚢';

const attributes = ['voyageStatus', 'comments', 'freight', 'isTc', 'daysTotal', 'commission'];

/** What some subscriptions to the same voyage ask for. */
const wish = fc.record({
  selected: fc.option(fc.subarray(attributes, { minLength: 1 }), { nil: undefined }),
  includeChanges: fc.boolean(),
  rawObject: fc.boolean(),
  subscribers: fc.integer({ min: 1, max: 3 }),
});

test('the log and the receiver have the same bytes, shared or not: an envelope around what a GET has', async () => {
  const hooks = await startHooks();
  const voyage = await createVoyage(service, await createFleet(service));
  const wishes = fc.sample(wish, { numRuns: 25, seed: 25 });
  const subscribed = [];
  for (const { selected, includeChanges, rawObject, subscribers } of wishes) {
    const fields = selected && JSON.stringify(Object.fromEntries(selected.map((name) => [name, '*'])));
    const json = fields && Buffer.from(fields).toString('base64');
    for (let n = 0; n < subscribers; n += 1) {
      const url = `${hooks.url}/${subscribed.length}`;
      const body = { eventType: `Voyage.U.${voyage.key}`, url, includeChanges, rawObject, ...(json ? { json } : {}) };
      const { key, eventType } = await subscribeTo(service, body);
      subscribed.push({ key, eventType, fields, includeChanges, rawObject, path: `/${subscribed.length}` });
    }
  }
  await service.put(`/ws/rest/Voyage/${voyage.key}`, { comments, freight: 12.5 });
  await expect.poll(() => hooks.received.length, { timeout: 20_000 }).toBe(subscribed.length);
  const self = `${service.url()}/ws/rest`;
  for (const { key, eventType, fields, includeChanges, rawObject, path } of subscribed) {
    const [heard] = await heardBy(service, key);
    const received = hooks.at(path)[0]!.body;
    expect(heard!.text).toBe(received);
    const headers = fields === undefined ? '' : `?fields=${encodeURIComponent(fields)}`;
    const { text: resource } = await service.get(`/ws/rest/Voyage/${voyage.key}${headers}`);
    if (rawObject) {
      expect(received).toBe(resource);
      continue;
    }
    const [, at, time] = /"occurredAt":"((\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d{6}Z)"}$/.exec(received)!;
    const changes = includeChanges ? `,"changes":${JSON.stringify(heard!.body.changes)}` : '';
    expect(received).toBe(
      `{"id":"${heard!.id}","eventTime":"${time}","objectType":"Voyage","serviceObject":${voyage.key},` +
        `"eventType":"U","serviceObjectSelf":"${self}/Voyage/${voyage.key}","subscription":{"key":${key},` +
        `"self":"${self}/WebhookSubscription/${key}","eventType":"${eventType}"},"resource":${resource}${changes},` +
        `"sequence":${heard!.id.split('-')[0]},"occurredAt":"${at}"}`,
    );
    if (includeChanges) expect(heard!.body.changes).toContainEqual(expect.objectContaining({ attribute: 'comments' }));
  }
  const stored = await storedBodies(pool, subscribed.map(({ key }) => key)); // biome-ignore format: one line
  // Both kinds have occurred.
  expect(stored.filter(({ contentKey }) => contentKey === null)).not.toEqual([]);
  expect(stored.filter(({ contentKey }) => contentKey !== null)).not.toEqual([]);
});

test('a change that 1,000 subscriptions are notified of stores one content, and each has its whole body', async () => {
  const vessel = (await service.post('/ws/rest/Vessel', { vesselName: 'Of a thousand' })).body;
  const wish = { eventType: `Vessel.U.${vessel.key}`, channelInfo: { channelType: 'STREAM' } };
  const { key } = await subscribeTo(service, wish);
  const keys = [key, ...(await copySubscription(pool, key, 999))];
  const before = await countContents(pool);
  // The copies are new to the service.
  await pool.query('update flaghoist_service.webhook_subscription set url = url where key = any($1)', [keys]);
  await service.put(`/ws/rest/Vessel/${vessel.key}`, { vesselName: 'Shared' });
  await matched(service);
  const stored = await storedBodies(pool, keys);
  expect(stored).toHaveLength(1_000);
  expect(await countContents(pool)).toBe(before + 1);
  expect(new Set(stored.map(({ contentKey }) => contentKey))).toEqual(new Set([stored[0]!.key]));
  const { text } = await service.get(`/ws/rest/Vessel/${vessel.key}`);
  for (const { key: notification, subscription, body } of stored) {
    expect(body).toContain(`"resource":${text},"sequence":`);
    expect(JSON.parse(body)).toMatchObject({
      id: expect.stringMatching(new RegExp(`-${notification}$`)),
      subscription: { key: subscription },
    });
  }
});

test('what only one notification has, or is short, is stored with its body', async () => {
  const { body: vessel } = await service.post('/ws/rest/Vessel', { vesselName: 'Alone' });
  const json = Buffer.from('{"vesselName":"*"}').toString('base64');
  const alone = await subscribeTo(service, { eventType: `Vessel.U.${vessel.key}`, url: 'http://127.0.0.1:9' });
  const short = [];
  for (let n = 0; n < 2; n += 1)
    short.push(await subscribeTo(service, { eventType: `Vessel.U.${vessel.key}`, json, url: 'http://127.0.0.1:9' }));
  const before = await countContents(pool);
  await service.put(`/ws/rest/Vessel/${vessel.key}`, { vesselName: 'Still alone' });
  await matched(service);
  const stored = await storedBodies(pool, [alone, ...short].map(({ key }) => key)); // biome-ignore format: one line
  expect(stored.map(({ contentKey }) => contentKey)).toEqual([null, null, null]);
  expect(await countContents(pool)).toBe(before);
});

test('equal bodies that scripts have written are stored once, and equal envelopes share their content', async () => {
  const { body: vessel } = await service.post('/ws/rest/Vessel', { vesselName: 'Scripted' });
  const writes = await makeScript(service, `message.body = 'Written for all. '.repeat(100); return true;`);
  const passes = await makeScript(service, 'return true;');
  const before = await countContents(pool);
  const subscribe = async (dlpAlertScript: string, useMsg: boolean) => {
    const wish = {
      eventType: `Vessel.U.${vessel.key}`,
      channelInfo: { channelType: 'STREAM' },
      dlpAlertScript,
      useMsg,
    };
    const { key } = await subscribeTo(service, wish);
    return [key, ...(await copySubscription(pool, key, 7))];
  };
  const [writing, passing] = [await subscribe(writes.code, true), await subscribe(passes.code, false)];
  await service.put(`/ws/rest/Vessel/${vessel.key}`, { vesselName: 'Scripted again' });
  const keys = [...writing, ...passing];
  await expect.poll(async () => (await storedBodies(pool, keys)).length, { timeout: 10_000 }).toBe(16);
  const stored = await storedBodies(pool, keys);
  const of = (key: number) => stored.find(({ subscription }) => subscription === key)!.body;
  for (const key of writing) expect(of(key)).toBe('Written for all. '.repeat(100));
  const { text } = await service.get(`/ws/rest/Vessel/${vessel.key}`);
  for (const key of passing) {
    expect(of(key)).toContain(`"resource":${text},"sequence":`);
    expect(JSON.parse(of(key))).toMatchObject({ subscription: { key } });
  }
  // Shaped in one batch or in a few.
  const added = (await countContents(pool)) - before;
  expect(added).toBeGreaterThanOrEqual(2);
  expect(added).toBeLessThan(8);
});
