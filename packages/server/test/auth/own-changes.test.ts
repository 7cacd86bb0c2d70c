// A change to a user or client holds for the next request to the process that made it, every time.

import { beforeAll, expect, test } from 'vitest';
import { createClient, fetchToken, type TestClient } from '../support/access.ts';
import { useTestService } from '../support/test-service.ts';
import { askJson, expectRefused, parametersOf } from './ask-token.ts';

const service = useTestService();
const [users, clients] = ['/ws/rest/ApiUser', '/ws/rest/ApiClient'];
const currencies = '/ws/rest/Currency?limit=1';
const times = 100;
/** Four requests each time, also on a busy machine. */
const timeout = 120_000;

let client: TestClient;
beforeAll(async () => {
  client = await createClient(service, ['read', 'write']);
});

const statusNow = async ({ headers } = client) => (await service.get(currencies, headers)).status;

/** Expects it to be taken. */
async function change(path: string, body: object): Promise<void> {
  const answer = await service.put(path, body);
  expect(answer.status, answer.text).toBe(200);
}

/** What a request with the token gets after each of two changes, in turn. */
async function statusesAfter(path: string, first: object, second: object): Promise<string[]> {
  const seen = new Set<string>();
  for (let round = 0; round < times; round++) {
    await change(path, first);
    const afterFirst = await statusNow();
    await change(path, second);
    seen.add(`${afterFirst} ${await statusNow()}`);
  }
  return [...seen];
}

test('a disabled client is rejected from the next request on, and accepted again after it is enabled', {
  timeout,
}, async () => {
  expect(await statusesAfter(`${clients}/${client.key}`, { active: false }, { active: true })).toEqual(['401 200']);
});

test('so it is with its user', { timeout }, async () => {
  expect(await statusesAfter(`${users}/${client.userKey}`, { active: false }, { active: true })).toEqual(['401 200']);
});

test('a scope that is taken from a client is gone for the next request', { timeout }, async () => {
  const path = `${clients}/${client.key}`;
  expect(await statusesAfter(path, { scopes: ['webhook'] }, { scopes: ['read', 'write'] })).toEqual(['403 200']);
});

test('a new client gets a token and access at once; a deleted one is rejected at once', async () => {
  for (let round = 0; round < 20; round++) {
    const made = await createClient(service, ['read']);
    expect(await statusNow(made)).toBe(200);
    expect((await service.delete(`${clients}/${made.key}`)).status).toBe(204);
    expect(await statusNow(made)).toBe(401);
  }
});

test('a secret that was replaced without a grace time gets no token, and the new one does', async () => {
  const { key, clientId } = client;
  let { clientSecret } = client;
  for (let round = 0; round < 20; round++) {
    const { status, body } = await service.post(`${clients}/${key}/rotateSecret`, { graceSeconds: 0 });
    expect(status).toBe(200);
    service.secrets.plant(`a rotated secret of ${clientId}`, body.clientSecret);
    expectRefused(await askJson(service.url(), parametersOf({}, { clientId, clientSecret })), 401, 'invalid_client');
    await fetchToken(service.url(), { clientId, clientSecret: body.clientSecret });
    clientSecret = body.clientSecret;
  }
});
