// Keys, the attributes that every object has, and dates.

import { beforeAll, describe, expect, test } from 'vitest';
import { administrator, createClient } from '../support/access.ts';
import { backdate } from '../support/backdate.ts';
import { create, createFleet, createVoyage, type Fleet, read } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';

const service = useTestService();
let fleet: Fleet;
beforeAll(async () => {
  fleet = await createFleet(service);
});

describe('keys', () => {
  test('a key is a positive integer, unique over the whole installation', async () => {
    const voyage = await createVoyage(service, fleet);
    const keys: number[] = [...Object.values(fleet), voyage, ...voyage.portCalls].map(({ key }) => key);
    expect(keys.every((key) => Number.isSafeInteger(key) && key > 0)).toBe(true);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test.each(['0', '-1', '1.5', 'abc', '1e3', '01', '9007199254740993', '%31%00'])(
    'the path key %s is not a positive integer, and a 400',
    async (key) => {
      const answer = await service.get(`/ws/rest/Voyage/${key}`);
      expect([answer.status, answer.body.statusCode]).toEqual([400, 400]);
    },
  );

  test('a key names an object of one type only: under another resource it is a 404', async () => {
    expect((await service.get(`/ws/rest/Vessel/${fleet.port.key}`)).status).toBe(404);
  });
});

describe('every object', () => {
  test('has key, self, dates, the ids of its writers, and externalObjectKey', async () => {
    const voyage = await createVoyage(service, fleet);
    for (const object of [...Object.values(fleet), voyage, ...voyage.portCalls]) {
      expect(Object.keys(object).slice(0, 7)).toEqual([
        'key',
        'self',
        'createdDate',
        'modifiedDate',
        'createdById',
        'changedById',
        'externalObjectKey',
      ]);
    }
  });

  test('self is the URL of the object', async () => {
    expect(fleet.vessel.self).toBe(`${service.url()}/ws/rest/Vessel/${fleet.vessel.key}`);
    const answer = await fetch(fleet.vessel.self, { headers: { authorization: `Bearer ${service.token()}` } });
    expect(await answer.json()).toEqual(fleet.vessel);
  });

  test('createdById and changedById are the key of the user whose client wrote', async () => {
    const { body: clients } = await service.get(`/ws/rest/ApiClient?filter=clientId(EQ)${administrator.clientId}`);
    const [ours, theirs] = [clients[0].user.key, await createClient(service, ['write'])];
    const { key, ...created } = await create(service, 'Vessel', { vesselName: 'Signed' });
    expect(created).toMatchObject({ createdById: ours, changedById: ours });
    const changed = await service.put(`/ws/rest/Vessel/${key}`, { vesselName: 'Countersigned' }, theirs.headers);
    expect(changed.body).toMatchObject({ createdById: ours, changedById: theirs.userKey });
  });

  test('createdById and changedById are null if the row was written by SQL', async () => {
    const { rows } = await service.database.pool.query(
      "insert into flaghoist.vessel (vessel_name) values ('Unsigned') returning key",
    );
    expect(await read(service, 'Vessel', rows[0].key)).toMatchObject({ createdById: null, changedById: null });
  });

  test("externalObjectKey is the caller's own id: a string, or null", async () => {
    const vessel = await create(service, 'Vessel', { vesselName: 'Own Id', externalObjectKey: 'ERP-0042' });
    expect(vessel.externalObjectKey).toBe('ERP-0042');
    expect(fleet.vessel.externalObjectKey).toBeNull();
    expect((await service.put(`/ws/rest/Vessel/${vessel.key}`, { externalObjectKey: 42 })).status).toBe(400);
  });

  test('createdDate never changes; modifiedDate changes only with a change of the object', async () => {
    const { key, createdDate } = await create(service, 'Vessel', { vesselName: 'Old' });
    await backdate(service.database.pool, 'flaghoist.vessel', key, '2001-02-03');
    await service.put(`/ws/rest/Vessel/${key}`, { vesselName: 'Old' });
    expect(await read(service, 'Vessel', key)).toMatchObject({ createdDate, modifiedDate: '2001-02-03T00:00:00' });
    const { body } = await service.put(`/ws/rest/Vessel/${key}`, { vesselName: 'New' });
    expect(body.createdDate).toBe(createdDate);
    expect(body.modifiedDate >= createdDate).toBe(true);
  });
});

describe('self behind a proxy', () => {
  const behindProxy = useTestService({ FLAGHOIST_BASE_URL: 'https://fleet.example/api' });

  test('self, Location, Link and the uri of errors use the public base URL', async () => {
    const posted = await behindProxy.post('/ws/rest/Vessel', { vesselName: 'Far' });
    const self = `https://fleet.example/api/ws/rest/Vessel/${posted.body.key}`;
    expect([posted.body.self, posted.headers.get('location')]).toEqual([self, self]);
    const list = await behindProxy.get('/ws/rest/Vessel?limit=1');
    const { body } = await behindProxy.get('/ws/rest/Nonsense?a=b');
    expect(body.uri).toBe('https://fleet.example/api/ws/rest/Nonsense?a=b');
    expect(list.headers.get('link')).toContain('<https://fleet.example/api/ws/rest/Vessel?limit=1');
  });
});

describe('dates', () => {
  const written = async (eta: unknown) => {
    const { portCalls } = await createVoyage(service, fleet);
    return service.put(`/ws/rest/PortCall/${portCalls[0].key}`, { eta });
  };

  const utcNow = async (): Promise<string> => {
    const { rows } = await service.database.pool.query(
      `select to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS') as now`,
    );
    return rows[0].now;
  };

  test('dates are yyyy-MM-ddTHH:mm:ss, no zone, meaning UTC', async () => {
    const form = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/;
    const before = await utcNow();
    const { createdDate, modifiedDate } = await create(service, 'Vessel', { vesselName: 'Now' });
    expect(createdDate).toMatch(form);
    expect(modifiedDate).toMatch(form);
    expect(createdDate >= before && createdDate <= (await utcNow())).toBe(true);
  });

  test.each([
    ['2026-11-15T08:30:00', '2026-11-15T08:30:00'],
    ['2026-11-15T08:30:00Z', '2026-11-15T08:30:00'],
    ['2026-11-15T08:30:00+02:00', '2026-11-15T06:30:00'],
    ['2026-11-15T23:30:00-0300', '2026-11-16T02:30:00'],
    ['2026-11-15T08:30:00.999', '2026-11-15T08:30:00'],
    ['2026-11-15T08:30:00.123456Z', '2026-11-15T08:30:00'],
    ['2024-02-29T00:00:00+00:01', '2024-02-28T23:59:00'],
  ])('input may have a zone or milliseconds, and is converted: %s is %s', async (input, stored) => {
    const answer = await written(input);
    expect([answer.status, answer.body.eta]).toEqual([200, stored]);
  });

  test.each([
    '2026-02-29T00:00:00',
    '2026-02-30T00:00:00',
    '2026-13-01T00:00:00',
    '2026-04-31T00:00:00',
    '2026-11-15T24:00:00',
    '2026-11-15T23:60:00',
    '2026-11-15T23:59:60',
    '2026-11-15T08:30:00+25:00',
    '0000-01-01T00:00:00',
    '15.11.2026',
    'now',
    '',
    1_763_193_600,
    true,
  ])('a value that is not an existing date is a 400: %s', async (input) => {
    const answer = await written(input);
    expect(answer.status).toBe(400);
    expect(answer.body.violations).toEqual([{ path: 'eta', message: expect.stringContaining('date and time') }]);
  });
});
