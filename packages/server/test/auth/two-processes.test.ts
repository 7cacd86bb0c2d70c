// A change to clients and users by one process takes effect within a second in the other processes of the installation.
// Tokens of one process are valid in all of them.

import { beforeAll, describe, expect, test } from 'vitest';
import { createClient, fetchToken, type TestClient } from '../support/access.ts';
import { DatabaseRelay } from '../support/database-relay.ts';
import { create, freshCode } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { askJson, expectRefused, expectToken, parametersOf } from './ask-token.ts';
import { type ServiceBeside, startBeside, statusOf } from './service-beside.ts';

// Tokens of one are good on the other: both are the same place to the outside.
const place = { FLAGHOIST_BASE_URL: 'https://fleet.example' };
const service = useTestService(place);
const promisedMs = 1_000;
let client: TestClient;
beforeAll(async () => {
  client = await createClient(service, ['write']);
});

describe('a client', () => {
  test('that was just made gets a token from the other process, and each takes the token at once', async () => {
    const other = await startBeside(service.database, place);
    for (const issuing of [service.url(), other.localUrl]) {
      const made = await createClient(service, ['read']);
      const token = await fetchToken(issuing, made);
      expect(await statusOf(other.localUrl, token)).toBe(200);
      expect(await statusOf(service.url(), token)).toBe(200);
    }
  });

  const spoil: [string, () => Promise<unknown>, () => Promise<unknown>][] = [
    ['is disabled', () => setClient({ active: false }), () => setClient({ active: true })],
    ['has a user that is disabled', () => setUser({ active: false }), () => setUser({ active: true })],
  ];
  test.each(spoil)('that %s is rejected by both within a second, and then accepted again', async (_, spoilIt, mend) => {
    const other = await startBeside(service.database, place);
    expect(await statusesOf(other)).toEqual([200, 200]);
    await within(promisedMs, spoilIt, () => statusesOf(other), [401, 401]);
    expectRefused(await askJson(other.localUrl, parametersOf({}, client)), 401, 'invalid_client');
    await within(promisedMs, mend, () => statusesOf(other), [200, 200]);
    expectToken(await askJson(other.localUrl, parametersOf({}, client)));
  });

  test('that is deleted is rejected by both within a second', async () => {
    const other = await startBeside(service.database, place);
    const doomed = await createClient(service, ['read']);
    const statuses = () => statusesOf(other, doomed.token);
    expect(await statuses()).toEqual([200, 200]);
    await within(promisedMs, () => service.delete(`/ws/rest/ApiClient/${doomed.key}`), statuses, [401, 401]);
  });

  test('is rejected within a second also if it was disabled by SQL', async () => {
    const other = await startBeside(service.database, place);
    const set = (isActive: boolean) =>
      service.database.pool.query('update flaghoist_service.api_client set active = $2 where key = $1', [
        client.key,
        isActive,
      ]);
    await within(
      promisedMs,
      () => set(false),
      () => statusesOf(other),
      [401, 401],
    );
    await within(
      promisedMs,
      () => set(true),
      () => statusesOf(other),
      [200, 200],
    );
  });

  test('loses a scope in its live tokens as well, and gets it back', async () => {
    const other = await startBeside(service.database, place);
    const write = async ({ localUrl }: { localUrl: string }) => {
      const headers = { ...client.headers, 'content-type': 'application/json' };
      const body = JSON.stringify({ vesselName: 'Borrowed' });
      const response = await fetch(`${localUrl}/ws/rest/Vessel`, { method: 'POST', headers, body });
      await response.arrayBuffer();
      return response.status;
    };
    const both = async () => [await write({ localUrl: service.url() }), await write(other)];
    expect(await both()).toEqual([201, 201]);
    await within(promisedMs, () => setClient({ scopes: ['read'] }), both, [403, 403]);
    expect(await statusesOf(other)).toEqual([200, 200]);
    await within(promisedMs, () => setClient({ scopes: ['write'] }), both, [201, 201]);
  });

  test('that is given to another user acts as that one from then on', async () => {
    const moved = await createClient(service, ['write']);
    const { key } = await create(service, 'ApiUser', { userCode: freshCode('new-', 8), name: 'New' });
    const creator = async () => {
      const { body } = await service.post('/ws/rest/Vessel', { vesselName: 'Moved' }, moved.headers);
      return body.createdById;
    };
    expect(await creator()).toBe(moved.userKey);
    const move = () => service.put(`/ws/rest/ApiClient/${moved.key}`, { user: key });
    await within(promisedMs, move, creator, key);
  });
});

describe('a secret', () => {
  test('that was just made is taken by the other process at once', async () => {
    const other = await startBeside(service.database, place);
    const rotating = await createClient(service, ['read']);
    const { body } = await service.post(`/ws/rest/ApiClient/${rotating.key}/rotateSecret`, {});
    expectToken(await askJson(other.localUrl, parametersOf({}, body)));
  });
});

test('while the database is unavailable no token is accepted from the cache, and none is called invalid', async () => {
  const relay = new DatabaseRelay();
  await relay.open();
  const other = await startBeside(service.database, { ...place, DATABASE_URL: relay.urlOf(service.database.url) });
  try {
    expect(await statusOf(other.localUrl, client.token)).toBe(200);
    await relay.close();
    // Up to a second the identity is known, but no object can be read.
    await expect.poll(() => statusOf(other.localUrl, client.token), { timeout: 5_000 }).toBe(503);
    const asked = async () => (await askJson(other.localUrl, parametersOf({}, client))).status;
    await expect.poll(asked, { timeout: 5_000 }).toBe(503);
    const refused = await askJson(other.localUrl, parametersOf({}, client));
    expectRefused(refused, 503, 'temporarily_unavailable');
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    await relay.open();
    await expect.poll(() => statusOf(other.localUrl, client.token), { timeout: 10_000 }).toBe(200);
  } finally {
    await relay.close();
  }
});

test(
  'a connection that does not respond is dropped: the directory uses another one, and ' + 'requests are served',
  async () => {
    const relay = new DatabaseRelay();
    await relay.open();
    const other = await startBeside(service.database, { ...place, DATABASE_URL: relay.urlOf(service.database.url) });
    // There is no such resource: nothing but who is calling has to be asked of the database.
    const ask = () =>
      fetch(`${other.localUrl}/ws/rest/Nothing`, { headers: { authorization: `Bearer ${client.token}` } });
    try {
      expect((await ask()).status).toBe(404);
      relay.freeze();
      // Until one has to wait, because what is in memory is too old to be trusted.
      for (let waitedMs = 0; waitedMs < 200; ) {
        const askedAt = performance.now();
        expect((await ask()).status).toBe(404);
        waitedMs = performance.now() - askedAt;
      }
    } finally {
      await relay.close();
    }
  },
);

function setClient(change: object): Promise<unknown> {
  return service.put(`/ws/rest/ApiClient/${client.key}`, change);
}

function setUser(change: object): Promise<unknown> {
  return service.put(`/ws/rest/ApiUser/${client.userKey}`, change);
}

/** Here and there. */
async function statusesOf(other: ServiceBeside, token = client.token): Promise<number[]> {
  return [await statusOf(service.url(), token), await statusOf(other.localUrl, token)];
}

/** From the answer to the change on. */
async function within<T>(ms: number, change: () => Promise<unknown>, look: () => Promise<T>, wanted: T): Promise<void> {
  await change();
  await expect.poll(look, { timeout: ms, interval: 20 }).toEqual(wanted);
}
