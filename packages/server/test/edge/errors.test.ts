// All errors have the same body, and report every mistake at once.

import { STATUS_CODES } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DatabaseRelay } from '../support/database-relay.ts';
import { createFleet, createVoyage, type Fleet } from '../support/fleet.ts';
import { type Answer, useTestService } from '../support/test-service.ts';

const service = useTestService();
let fleet: Fleet;
beforeAll(async () => {
  fleet = await createFleet(service);
});

const fieldNames = ['statusCode', 'statusText', 'message', 'date', 'statusFamily', 'method', 'uri'];

describe('the seven fields', () => {
  test.each<[number, string, string, unknown, Record<string, string>]>([
    [400, 'GET', 'Voyage?filter=nonsense', undefined, {}],
    [400, 'POST', 'Voyage', '{', {}],
    [404, 'GET', 'Nonsense?a=b', undefined, {}],
    [404, 'DELETE', 'Voyage/999999999', undefined, {}],
    [405, 'PUT', 'Voyage', {}, {}],
    [412, 'PUT', 'Vessel/{vessel}', {}, { 'if-match': '"a.b"' }],
    [413, 'POST', 'Vessel', { vesselName: 'x'.repeat(1_100_000) }, {}],
    [415, 'POST', 'Vessel', '{}', { 'content-type': 'text/plain' }],
    [415, 'PUT', 'Vessel/{vessel}', '{}', { 'content-type': 'application/json; charset=latin1' }],
  ])('are in the body of a %s of %s %s', async (status, method, template, body, headers) => {
    const path = `/ws/rest/${template.replace('{vessel}', fleet.vessel.key)}`;
    const answer = await send(method, path, body, headers);
    expect(Object.keys(answer.body)).toEqual(fieldNames);
    expect(answer.body).toEqual({
      statusCode: status,
      statusText: STATUS_CODES[status],
      message: expect.stringMatching(/\S/),
      date: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/),
      statusFamily: 'CLIENT_ERROR',
      method,
      uri: `${service.url()}${path}`,
    });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'application/json; charset=utf-8']);
  });

  test('come with the name of the error, and the id of the request in the log, which every answer has', async () => {
    const refused = await service.post('/ws/rest/Vessel', { noSuch: 1 });
    expect(refused.headers.get('flaghoist-error')).toBe('invalidBody');
    const read = await service.get('/ws/rest/Vessel');
    expect([read.status, read.headers.get('flaghoist-error')]).toEqual([200, null]);
    for (const { headers } of [refused, read]) {
      const id = headers.get('flaghoist-request-id');
      const logged = () =>
        service.observations.filter((one) => one.kind === 'request.completed' && one.requestId === id);
      await expect.poll(logged).toHaveLength(1);
    }
  });

  test('uri has the query as sent, with a token in it masked', async () => {
    const { body } = await service.get('/ws/rest/Voyage?filter=a%20b&access_token=eyJhbGciOi.eyJzdWIi.c2ln&limit=1');
    expect(body.uri).toBe(`${service.url()}/ws/rest/Voyage?filter=a%20b&access_token=***&limit=1`);
    expect(JSON.stringify(body)).not.toContain('eyJ');
  });

  function send(method: string, path: string, body: unknown, headers: Record<string, string>): Promise<Answer> {
    switch (method) {
      case 'POST':
        return service.post(path, body, headers);
      case 'PUT':
        return service.put(path, body, headers);
      case 'DELETE':
        return service.delete(path, headers);
      default:
        return service.get(path, headers);
    }
  }
});

describe('violations', () => {
  test('list every mistake at once, each with its path and message', async () => {
    const answer = await service.post('/ws/rest/Voyage', {
      comments: 'x'.repeat(65),
      voyageStatus: 'NONE',
      isTc: 'yes',
      freight: '12',
      estimatedVoyageStartDate: '2026-02-30',
      nonsense: 1,
      vessel: 999_999_999,
      ballastPort: 'NONE!',
      portCalls: [{ port: 999_999_999, reasonForCall: 'L', eventLogs: [{ event: 'NONE' }] }, { reasonForCall: 7 }],
    });
    expect(answer.status).toBe(400);
    expect(answer.body.violations.map(({ path }: { path: string }) => path).sort()).toEqual([
      'ballastPort',
      'comments',
      'estimatedVoyageStartDate',
      'freight',
      'isTc',
      'nonsense',
      'portCalls[0].eventLogs[0].event',
      'portCalls[0].port',
      'portCalls[1].port',
      'portCalls[1].reasonForCall',
      'vessel',
      'voyageStatus',
    ]);
    for (const { message } of answer.body.violations) expect(message).toMatch(/\w.*\.$|\?$/);
  });

  test('of a PUT are also listed at once', async () => {
    const voyage = await createVoyage(service, fleet);
    const answer = await service.put(`/ws/rest/Voyage/${voyage.key}`, {
      key: 1,
      comments: 5,
      vessel: 999_999_999,
      portCalls: [{ key: 999_999_999 }, { key: voyage.portCalls[0].key, speed: 'fast' }],
    });
    expect(answer.body.violations.map(({ path }: { path: string }) => path).sort()).toEqual([
      'comments',
      'key',
      'portCalls[0].key',
      'portCalls[1].speed',
      'vessel',
    ]);
  });
});

describe('unknown attributes', () => {
  test.each([
    [{ vesselNam: 'x' }, 'vesselNam', 'Did you mean "vesselName"?'],
    [{ __proto__x: 1 }, '__proto__x', 'is not an attribute of Vessel'],
    [{ 'flag ': 'NO' }, 'flag ', 'is not an attribute of Vessel'],
    [{ '': 1 }, '""', 'is not an attribute of Vessel.'],
  ])('are a 400, never silently ignored: %j', async (body, path, message) => {
    for (const answer of [
      await service.post('/ws/rest/Vessel', { vesselName: 'Known', ...body }),
      await service.put(`/ws/rest/Vessel/${fleet.vessel.key}`, body),
    ]) {
      expect(answer.status).toBe(400);
      expect(answer.body.violations).toEqual([{ path, message: expect.stringContaining(message) }]);
    }
  });

  test('inside an element are listed with their path', async () => {
    const { body } = await service.post('/ws/rest/Voyage', {
      portCalls: [{ port: fleet.port.key, reasonForCall: 'L', prot: 1 }],
    });
    expect(body.violations).toMatchObject([{ path: 'portCalls[0].prot' }]);
  });

  test('with an empty name are reported as such, also in the message, at every level', async () => {
    const mistake = 'is not an attribute of';
    const whole = await service.post('/ws/rest/Vessel', { '': 1, vesselName: 'Nameless' });
    expect([whole.status, whole.body.message]).toEqual([400, `"": ${mistake} Vessel.`]);
    const inside = await service.post('/ws/rest/Voyage', {
      vessel: { key: fleet.vessel.key, '': 2 },
      portCalls: [{ port: fleet.port.key, reasonForCall: 'L', '': null }],
    });
    expect(inside.body.violations).toEqual([
      { path: 'portCalls[0].""', message: `${mistake} PortCall.` },
      { path: 'vessel.""', message: `${mistake} Vessel.` },
    ]);
  });
});

describe('limits', () => {
  const limited = useTestService({ FLAGHOIST_REQUESTS_PER_SECOND: '2' });

  test('429 with Retry-After for a caller that sends too much', async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, () => limited.get('/ws/rest/Vessel')));
    const refused = answers.find(({ status }) => status === 429)!;
    expect(refused.body).toMatchObject({ statusCode: 429, statusText: 'Too Many Requests' });
    expect(refused.headers.get('retry-after')).toBe('1');
  });
});

describe('internal errors', () => {
  const relay = new DatabaseRelay();
  const environment: Record<string, string> = {};
  // Before the service starts, which is why it stands before `useTestService`.
  beforeAll(async () => {
    await relay.open();
    environment.DATABASE_URL = relay.urlOf(cut.database.url);
  });
  afterAll(() => relay.close());
  const cut = useTestService(environment);

  test('500 shows nothing internal', async () => {
    await cut.database.pool.query('alter table flaghoist.vessel rename column vessel_name to secret_column');
    const answer = await cut.get('/ws/rest/Vessel');
    expect(answer.body).toMatchObject({ statusCode: 500, statusFamily: 'SERVER_ERROR' });
    expect(Object.keys(answer.body)).toEqual(fieldNames);
    expect(answer.text).not.toMatch(/vessel_name|column|select|\.ts/);
  });

  test('503 with Retry-After while the database is unavailable, and normal responses afterwards', async () => {
    expect((await cut.get('/ws/rest/Port')).status).toBe(200);
    await relay.close();
    for (const answer of [
      await cut.get('/ws/rest/Port'),
      await cut.get('/ws/rest/Port/1'),
      await cut.post('/ws/rest/Port', { unLoCode: 'ZZAWY' }),
      await cut.put('/ws/rest/Port/1', { portName: 'x' }),
      await cut.delete('/ws/rest/Port/1'),
    ]) {
      expect(answer.body).toMatchObject({ statusCode: 503, statusFamily: 'SERVER_ERROR' });
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    await relay.open();
    expect((await cut.get('/ws/rest/Port')).status).toBe(200);
    expect((await cut.post('/ws/rest/Port', { unLoCode: 'ZZAWY' })).status).toBe(201);
  });
});
