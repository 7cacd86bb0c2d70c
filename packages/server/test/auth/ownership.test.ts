// Objects that belong to a user: no other user sees, finds, counts or changes them, except administrators.

import { beforeAll, describe, expect, test } from 'vitest';
import { createClient, fetchToken, type TestClient } from '../support/access.ts';
import { expectErrorBody } from '../support/error-body.ts';
import type { Shown } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { useNoticeModel } from './notice-model.ts';

const service = useTestService(useNoticeModel());
const notices = '/ws/rest/Notice';
let owner: TestClient;
let other: TestClient;
let notice: Shown;
beforeAll(async () => {
  owner = await createClient(service, ['write'], { email: 'owner@fleet.example' });
  other = await createClient(service, ['write']);
  notice = (await service.post(notices, { title: 'Mine' }, owner.headers)).body;
});

describe("another user's object", () => {
  test('is not there', async () => {
    const path = `${notices}/${notice.key}`;
    const etag = (await service.get(path, owner.headers)).headers.get('etag')!;
    const nowhere = await service.get(`${notices}/999999999`, other.headers);
    for (const answer of [
      await service.get(path, other.headers),
      await service.get(path, { ...other.headers, 'if-none-match': etag }),
      await service.put(path, { title: 'Taken' }, other.headers),
      await service.put(path, { title: 'Taken' }, { ...other.headers, 'if-match': etag }),
      await service.put(path, { title: 'Taken' }, { ...other.headers, 'if-match': '"stale.x"' }),
      await service.put(path, {}, other.headers),
      await service.delete(path, other.headers),
      await service.delete(path, { ...other.headers, 'if-match': etag }),
    ]) {
      const { message } = expectErrorBody(answer, 404);
      expect(message.replace(String(notice.key), '')).toBe(nowhere.body.message.replace('999999999', ''));
      expect(answer.headers.get('etag')).toBeNull();
    }
    expect((await service.get(path, owner.headers)).body).toEqual(notice);
  });

  test.each([
    '',
    '?filter=title(EQ)Mine',
    '?filter=title(EQ)Mine&filter=(OR)&filter=title(NE)Mine',
    '?filter=user.userCode(NE)x',
    '?sort=title(DS)',
    '?limit=10',
    '?limit=10&pageNumber=1',
  ])('is in no list and no count: %s', async (query) => {
    const listed = await service.get(`${notices}${query}`, other.headers);
    expect([listed.status, listed.body, listed.headers.get('totalobjectsnumber')]).toEqual([200, [], '0']);
    const own = await service.get(`${notices}${query}`, owner.headers);
    expect(own.body.map(({ key }: Shown) => key)).toContain(notice.key);
  });

  test('is not reached by its key in a filter', async () => {
    for (const filter of [`key(EQ)${notice.key}`, `user(EQ)${owner.userKey}`, `user.key(EQ)${owner.userKey}`])
      expect((await service.get(`${notices}?filter=${filter}`, other.headers)).body).toEqual([]);
  });

  test('is not reached by a response that was stored for the request of another caller', async () => {
    const path = `${notices}?filter=title(EQ)Mine`;
    expect((await service.get(path, owner.headers)).body).toHaveLength(1);
    expect((await service.get(path, other.headers)).body).toEqual([]);
    expect((await service.get(path)).body).toHaveLength(1);
    expect((await service.get(path, other.headers)).body).toEqual([]);
  });
});

test('what was remembered for a client is not shown once it acts for another user', async () => {
  const client = await createClient(service, ['write']);
  const post = () => service.post(notices, { title: 'Repeated' }, { ...client.headers, 'idempotency-key': 'moved' });
  const first = await post();
  expect((await service.put(`/ws/rest/ApiClient/${client.key}`, { user: other.userKey })).status).toBe(200);
  await expect.poll(async () => (await post()).body.key, { timeout: 1_000, interval: 20 }).not.toBe(first.body.key);
  const repeated = await post();
  expect(repeated.body.user.key).toBe(other.userKey);
  expect((await service.delete(`${notices}/${repeated.body.key}`, other.headers)).status).toBe(204);
});

describe('a reference', () => {
  test("cannot lead to another user's object: it is not there", async () => {
    const created = await service.post(notices, { title: 'Answer', answers: notice.key }, other.headers);
    expectErrorBody(created, 400);
    expect(created.body.violations).toEqual([
      { path: 'answers', message: `there is no Notice with key ${notice.key}.` },
    ]);
    const own = (await service.post(notices, { title: 'Answer' }, other.headers)).body;
    expectErrorBody(await service.put(`${notices}/${own.key}`, { answers: { key: notice.key } }, other.headers), 400);
    expect((await service.delete(`${notices}/${own.key}`, other.headers)).status).toBe(204);
  });

  test("leads to the user's own objects", async () => {
    const { status, body } = await service.post(notices, { title: 'Answer', answers: notice.key }, owner.headers);
    expect([status, body.answers.title]).toEqual([201, 'Mine']);
  });
});

describe('an owner', () => {
  test('is the caller, where nothing is said or the same', async () => {
    for (const user of [undefined, owner.userKey, { key: owner.userKey }]) {
      const { status, body } = await service.post(notices, { title: 'Own', user }, owner.headers);
      expect([status, body.user.key]).toEqual([201, owner.userKey]);
    }
  });

  test('is another only for administrators', async () => {
    for (const body of [
      { title: 'Foreign', user: owner.userKey },
      [{ title: 'Own' }, { title: 'Foreign', user: owner.userKey }],
    ])
      expectErrorBody(await service.post(notices, body, other.headers), 403);
    expect((await service.get(notices, other.headers)).body).toEqual([]);
    const { status, body } = await service.post(notices, { title: 'Given', user: owner.userKey });
    expect([status, body.user.key]).toEqual([201, owner.userKey]);
    expect((await service.get(`${notices}/${body.key}`, owner.headers)).status).toBe(200);
  });

  test('stays: no caller can give an object away, not even an administrator', async () => {
    const path = `${notices}/${notice.key}`;
    for (const headers of [owner.headers, undefined])
      for (const user of [other.userKey, { key: other.userKey }, null])
        expect(expectErrorBody(await service.put(path, { user }, headers), 400).violations).toMatchObject([
          { path: 'user' },
        ]);
    expect((await service.put(path, { user: owner.userKey }, owner.headers)).status).toBe(200);
    expectErrorBody(await service.get(path, other.headers), 404);
  });

  test('is the same for all clients of a user', async () => {
    const { body: made } = await service.post('/ws/rest/ApiClient', { user: owner.userKey, scopes: ['read'] });
    const second = await fetchToken(service.url(), made);
    const answer = await service.get(`${notices}/${notice.key}`, { authorization: `Bearer ${second}` });
    expect(answer.status).toBe(200);
  });
});

test('an administrator sees, changes and deletes all of them', async () => {
  const { body: made } = await service.post(notices, { title: 'Theirs' }, other.headers);
  const all = (await service.get(notices)).body.map(({ key }: Shown) => key);
  expect(all).toEqual(expect.arrayContaining([notice.key, made.key]));
  expect((await service.put(`${notices}/${made.key}`, { title: 'Changed' })).body.title).toBe('Changed');
  expect((await service.delete(`${notices}/${made.key}`)).status).toBe(204);
});

describe('of a user, others than administrators', () => {
  test('see code and name, and nothing else by any way', async () => {
    const path = `${notices}/${notice.key}`;
    const fields = '{"user":"*"}';
    const { body } = await service.get(path, { ...owner.headers, fields });
    expect(Object.keys(body.user).sort()).toEqual(['key', 'name', 'self', 'userCode']);
    expect((await service.get(path, owner.headers)).text).not.toContain('owner@fleet.example');
    for (const name of ['email', 'edition', 'apiVersion', 'active', 'createdById', 'externalObjectKey', 'remarks'])
      for (const answer of [
        await service.get(path, { ...owner.headers, fields: `{"user":{"${name}":"*"}}` }),
        await service.get(`${notices}?filter=user.${name}(NOTNULL)`, owner.headers),
        await service.get(`${notices}?sort=user.${name}(AS)`, owner.headers),
      ])
        expectErrorBody(answer, 400);
  });

  test('see more as administrators', async () => {
    const fields = '{"user":{"email":"*"}}';
    const { body } = await service.get(`${notices}/${notice.key}`, { fields });
    expect(body.user.email).toBe('owner@fleet.example');
    expect((await service.get(`${notices}?filter=user.email(EQ)owner@fleet.example`)).body.length).toBeGreaterThan(0);
  });
});
