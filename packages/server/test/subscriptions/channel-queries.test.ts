// Lists of subscriptions by name, and by the members of channelInfo.

import { beforeAll, describe, expect, test } from 'vitest';
import { expectErrorBody } from '../support/error-body.ts';
import type { Shown } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { mistakesIn, pathOf, subscribe, subscriptions } from './subscribe.ts';

const service = useTestService();
beforeAll(async () => {
  const mail = { channelType: 'EMAIL', URL: 'ops@agent.example' };
  await subscribe(service, { name: 'beta', url: 'https://b.example/hooks' });
  await subscribe(service, { name: 'Alpha', url: undefined, channelInfo: mail });
  await subscribe(service, { name: 'gamma', url: 'https://a.example/hooks' });
});

async function namesBy(...query: string[]): Promise<string[]> {
  const { status, body, text } = await service.get(`${subscriptions}?${query.map(encodeURI).join('&')}`);
  expect(status, text).toBe(200);
  return body.map(({ name }: Shown) => name);
}

describe('channelInfo', () => {
  test.each([
    ['channelInfo.channelType(EQ)EMAIL', ['Alpha']],
    ['channelInfo.channelType(NE)EMAIL', ['beta', 'gamma']],
    ['channelInfo.channelType(IN)(EMAIL,HTTP)', ['beta', 'Alpha', 'gamma']],
    ['channelInfo.channelType(NULL)', []],
    ['channelInfo.URL(EQ)https://a.example/hooks', ['gamma']],
    ['channelInfo.URL(LIKE)https://%', ['beta', 'gamma']],
    ['channelInfo.URL(ILIKE)OPS@%', ['Alpha']],
    [`channelInfo.URL(EQ)' or 1 = 1`, []],
  ])('can be filtered by its members: %s', async (filter, names) => {
    expect(await namesBy(`filter=${filter}`)).toEqual(names);
  });

  test('can be sorted by its members, also page by page', async () => {
    expect(await namesBy('sort=channelInfo.URL(AS)')).toEqual(['gamma', 'beta', 'Alpha']);
    expect(await namesBy('sort=channelInfo.channelType(DS)', 'sort=name(DSI)')).toEqual(['gamma', 'beta', 'Alpha']);
    const first = await service.get(`${subscriptions}?sort=channelInfo.URL(DSI)&limit=2`);
    expect(first.body.map(({ name }: Shown) => name)).toEqual(['Alpha', 'beta']);
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link')!)![1]!;
    const second = await service.get(next.slice(service.url().length));
    expect(second.body.map(({ name }: Shown) => name)).toEqual(['gamma']);
  });

  test('can be reached from another type', async () => {
    const { status } = await service.get('/ws/rest/WebhookNotification?filter=subscription.channelInfo.URL(EQ)x');
    expect(status).toBe(200);
  });

  test.each([
    [
      'filter=channelInfo.channelType(EQ)FAX',
      /"FAX" is not a value of channelType; expected one of HTTP, EMAIL, STREAM, NATS/,
    ],
    ['filter=channelInfo(EQ)x', /"channelInfo" is JSON and cannot be filtered by/],
    ['filter=channelInfo.Url(EQ)x', /at position 13: "channelInfo" .* by channelType and URL, not by "Url"/],
    ['filter=channelInfo.URL.x(EQ)x', /not by "URL\.x"/],
    ['filter=channelInfo.(EQ)x', /not by ""/],
    ['sort=channelInfo.nothing(AS)', /can be filtered and sorted by channelType and URL, not by "nothing"/],
    ['sort=channelInfo(AS)', /"channelInfo" is JSON and cannot be sorted by/],
    ['filter=scriptParameterValues.x(EQ)1', /nothing can follow "scriptParameterValues": it is JSON/],
  ])('a bad path or value is a 400 that says what is possible: %s', async (query, message) => {
    expect(expectErrorBody(await service.get(`${subscriptions}?${query}`), 400).message).toMatch(message);
  });

  test('came with 3.9', async () => {
    const old = { 'api-version': '3.8' };
    const { message } = expectErrorBody(await service.get(`${subscriptions}?filter=channelInfo.URL(EQ)x`, old), 400);
    expect(message).toContain('came with API version 3.9');
  });
});

describe('the name', () => {
  test('can be filtered and sorted by like any text', async () => {
    expect(await namesBy('filter=name(EQ)beta')).toEqual(['beta']);
    expect(await namesBy('filter=name(ILIKE)%A%', 'sort=name(ASI)')).toEqual(['Alpha', 'beta', 'gamma']);
  });

  test('is optional, has up to 120 characters, and can be changed and cleared', async () => {
    const made = await subscribe(service);
    expect(made.name).toBeNull();
    for (const name of ['Ø'.repeat(120), '🚢'.repeat(120), '', null]) {
      const { status, body } = await service.put(pathOf(made), { name });
      expect([status, body.name]).toEqual([200, name]);
    }
    expect(await mistakesIn(service, { eventType: 'Voyage.U', url: made.url, name: 'x'.repeat(121) })).toEqual([
      'name: may have at most 120 characters; this has 121.',
    ]);
    expect(await mistakesIn(service, { eventType: 'Voyage.U', url: made.url, name: 7 })).toEqual([
      'name: must be text, not a number.',
    ]);
  });

  test('is shown at every API version', async () => {
    const made = await subscribe(service, { name: 'At 3.3' }, { 'api-version': '3.3' });
    expect(made.name).toBe('At 3.3');
  });
});
