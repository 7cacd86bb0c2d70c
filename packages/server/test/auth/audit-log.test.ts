// AuditLog over REST: who did what to users, clients and keys. Administrators can read it; no caller can write it.

import { beforeAll, describe, expect, test } from 'vitest';
import { administrator, createClient, type TestClient } from '../support/access.ts';
import { expectErrorBody } from '../support/error-body.ts';
import { create, freshCode, type Shown } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';

const service = useTestService();
const log = '/ws/rest/AuditLog';
let admin: TestClient;
let adminCode: string;
beforeAll(async () => {
  admin = await createClient(service, ['admin']);
  adminCode = (await service.get(`/ws/rest/ApiUser/${admin.userKey}`)).body.userCode;
});

describe('a record', () => {
  test('says who did what with which client, before and after', async () => {
    const userCode = freshCode('audited-', 12);
    const created = await service.post('/ws/rest/ApiUser', { userCode, name: 'Before' }, admin.headers);
    const { key } = created.body;
    await service.put(`/ws/rest/ApiUser/${key}`, { name: 'After', active: false }, admin.headers);
    await service.delete(`/ws/rest/ApiUser/${key}`);
    const records = await recordsOf(key);
    const by = { objectType: 'ApiUser', objectKey: key, objectName: userCode };
    expect(records).toMatchObject([
      { ...by, action: 'CREATE', userCode: adminCode, clientId: admin.clientId, createdById: admin.userKey },
      { ...by, action: 'CHANGE', userCode: adminCode, clientId: admin.clientId, createdById: admin.userKey },
      { ...by, action: 'DELETE', userCode: 'admin', clientId: administrator.clientId },
    ]);
    expect(records[0].changes).toMatchObject({ userCode: [null, userCode], name: [null, 'Before'] });
    expect(records[1].changes).toEqual({ name: ['Before', 'After'], active: [true, false] });
    expect(records[2].changes).toMatchObject({ name: ['After', null] });
  });

  test('is not written for a request that is rejected or changes nothing', async () => {
    const { key, userCode } = await create(service, 'ApiUser', { userCode: freshCode('calm-', 8), name: 'Calm' });
    const reader = await createClient(service, ['read']);
    await service.put(`/ws/rest/ApiUser/${key}`, { name: 'Other' }, reader.headers);
    await service.put(`/ws/rest/ApiUser/${key}`, { name: 'Other', email: 'nobody' });
    await service.put(`/ws/rest/ApiUser/${key}`, { name: 'Calm', userCode });
    expect((await recordsOf(key)).map(({ action }) => action)).toEqual(['CREATE']);
  });

  test('of a new secret shows when, and neither the secret nor its hash', async () => {
    const client = await createClient(service, ['read']);
    const { body } = await service.post(`/ws/rest/ApiClient/${client.key}/rotateSecret`, {}, admin.headers);
    const records = await recordsOf(client.key);
    expect(records.map(({ action, clientId }) => [action, clientId])).toEqual([
      ['CREATE', administrator.clientId],
      ['CHANGE', admin.clientId],
    ]);
    expect(records[1].changes).toHaveProperty('previousSecretExpiresDate', [null, body.previousSecretExpiresDate]);
    const text = JSON.stringify(records);
    for (const secret of [body.clientSecret, client.clientSecret, 'ash']) expect(text).not.toContain(secret);
  });

  test('has the first client, its link and the first key', async () => {
    const { body } = await service.get(`${log}?filter=clientId(EQ)bootstrap&sort=key(AS)`);
    expect(body).toMatchObject([
      { action: 'CREATE', objectType: 'ApiUser', objectName: 'admin', userCode: null, createdById: null },
      { action: 'CREATE', objectType: 'ApiClient', objectName: administrator.clientId, userCode: null },
      { action: 'CREATE_LINK', objectType: 'ApiUser', objectName: 'admin', userCode: null },
    ]);
    const { body: keys } = await service.get('/.well-known/jwks.json');
    const { body: rotations } = await service.get(`${log}?filter=action(EQ)ROTATE_KEY`);
    expect(rotations).toMatchObject([
      { objectType: 'SigningKey', objectKey: null, objectName: keys.keys[0].kid, clientId: 'key rotation' },
    ]);
  });
});

describe('the log', () => {
  test.each([
    ['POST', log],
    ['PUT', `${log}/1`],
    ['DELETE', `${log}/1`],
    ['PATCH', `${log}/1`],
    ['DELETE', log],
  ])('takes no %s at %s', async (method, path) => {
    const headers = { authorization: `Bearer ${service.token()}`, 'content-type': 'application/json' };
    const hasBody = method !== 'DELETE';
    const response = await fetch(`${service.url()}${path}`, { method, headers, ...(hasBody ? { body: '{}' } : {}) });
    const answer = { status: response.status, headers: response.headers, text: await response.text() };
    expectErrorBody(answer, 405);
    expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  });

  test.each(['read', 'write', 'webhook'])('is not read with the scope %s', async (scope) => {
    const { headers } = await createClient(service, [scope]);
    for (const path of [log, `${log}/1`, `${log}?filter=action(EQ)CREATE`])
      expectErrorBody(await service.get(path, headers), 403);
  });

  test('is filtered, sorted and paged like any other resource, but not by what changed', async () => {
    const page = await service.get(`${log}?filter=objectType(EQ)ApiClient&sort=createdDate(DS)&limit=1`);
    expect([page.status, page.body.length]).toEqual([200, 1]);
    expect(Number(page.headers.get('totalobjectsnumber'))).toBeGreaterThan(1);
    const one = await service.get(`${log}/${page.body[0].key}`);
    expect(one.body).toMatchObject({ objectType: 'ApiClient', self: `${service.url()}${log}/${page.body[0].key}` });
    expectErrorBody(await service.get(`${log}?filter=changes(EQ)x`), 400);
    expectErrorBody(await service.get(`${log}?sort=changes(AS)`), 400);
  });
});

async function recordsOf(key: number): Promise<Shown[]> {
  const { status, body } = await service.get(`${log}?filter=objectKey(EQ)${key}&sort=key(AS)`);
  expect(status).toBe(200);
  return body;
}
