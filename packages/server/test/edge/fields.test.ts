// `fields` selects what is shown.

import { beforeAll, describe, expect, test } from 'vitest';
import { bunkerOrderBody, create, createFleet, createVoyage, type Fleet, type Shown } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';

const service = useTestService();
let fleet: Fleet;
let voyage: Shown;
let order: Shown;
beforeAll(async () => {
  fleet = await createFleet(service);
  voyage = await createVoyage(service, fleet);
  order = await create(service, 'BunkerOrder', bunkerOrderBody(fleet, voyage.portCalls[0].key));
});

async function picked(path: string, fields: unknown): Promise<Shown> {
  const answer = await service.get(`/ws/rest/${path}`, { fields: JSON.stringify(fields) });
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

function keyAndSelf({ key, self }: Shown) {
  return { key, self };
}

describe('the place of fields', () => {
  test('fields is a request header or a query parameter with the same JSON', async () => {
    const fields = '{"voyageStatus":"*"}';
    const path = `/ws/rest/Voyage/${voyage.key}`;
    const byHeader = await service.get(path, { fields });
    const byQuery = await service.get(`${path}?fields=${encodeURIComponent(fields)}`);
    expect(byHeader.body).toEqual({ ...keyAndSelf(voyage), voyageStatus: 'NOM' });
    expect(byQuery.text).toBe(byHeader.text);
  });

  test('a header and a query parameter that differ are a 400', async () => {
    const answer = await service.get('/ws/rest/Voyage?fields={}', { fields: '{"comments":"*"}' });
    expect(answer.status).toBe(400);
  });

  test('it applies to each object of a list', async () => {
    const [shown] = await picked(`Voyage?filter=key(EQ)${voyage.key}`, {
      referenceNo: '*',
      vessel: { vesselName: '*' },
    });
    expect(shown).toEqual({
      ...keyAndSelf(voyage),
      referenceNo: voyage.referenceNo,
      vessel: { ...keyAndSelf(fleet.vessel), vesselName: fleet.vessel.vesselName },
    });
  });

  test.each(['Voyage', 'BunkerOrder', 'PortCall'])(
    '`"*"` shows each %s of a list as a GET of it alone does',
    async (type) => {
      const listed = await picked(`${type}?sort=key(DS)&limit=3`, '*');
      const alone = listed.map(async ({ key }: Shown) => (await service.get(`/ws/rest/${type}/${key}`)).body);
      expect(listed.length).toBeGreaterThan(0);
      expect(listed).toEqual(await Promise.all(alone));
    },
  );

  test('`"*"` may have spaces around it, and needs its quotes', async () => {
    const path = `/ws/rest/Voyage/${voyage.key}`;
    expect((await service.get(`${path}?fields=%20%22*%22`)).text).toBe((await service.get(path)).text);
    expect((await service.get(path, { fields: '*' })).status).toBe(400);
  });

  test('it applies to the responses to POST and PUT', async () => {
    const fields = '{"vesselName":"*"}';
    const posted = await service.post('/ws/rest/Vessel', { vesselName: 'A', flag: 'NO' }, { fields });
    expect(posted.body).toEqual({ ...keyAndSelf(posted.body), vesselName: 'A' });
    const put = await service.put(`/ws/rest/Vessel/${posted.body.key}`, { vesselName: 'B' }, { fields });
    expect(put.body).toEqual({ ...keyAndSelf(posted.body), vesselName: 'B' });
  });
});

describe('the selection', () => {
  test('"*" picks a scalar', async () => {
    expect(await picked(`Voyage/${voyage.key}`, { referenceNo: '*' })).toEqual({
      ...keyAndSelf(voyage),
      referenceNo: voyage.referenceNo,
    });
  });

  test('"*" picks a whole reference', async () => {
    const { vessel } = await picked(`Voyage/${voyage.key}`, { vessel: '*' });
    expect(vessel).toEqual(fleet.vessel);
  });

  test('"*" picks a whole collection', async () => {
    expect(await picked(`Voyage/${voyage.key}`, { portCalls: '*' })).toEqual({
      ...keyAndSelf(voyage),
      portCalls: voyage.portCalls,
    });
  });

  test('a nested object picks inside a reference', async () => {
    const { portCall } = await picked(`BunkerOrder/${order.key}`, { portCall: { reasonForCall: '*' } });
    expect(portCall).toEqual({ ...keyAndSelf(voyage.portCalls[0]), reasonForCall: 'L' });
  });

  test('a nested object picks inside a collection, for each element', async () => {
    const { portCalls } = await picked(`Voyage/${voyage.key}`, { portCalls: { port: { unLoCode: '*' } } });
    expect(portCalls).toEqual([
      {
        ...keyAndSelf(voyage.portCalls[0]),
        port: { ...keyAndSelf(fleet.port), unLoCode: fleet.port.unLoCode },
      },
      {
        ...keyAndSelf(voyage.portCalls[1]),
        port: { ...keyAndSelf(fleet.otherPort), unLoCode: fleet.otherPort.unLoCode },
      },
    ]);
  });

  test('key and self are always included, and an empty selection shows only them', async () => {
    expect(await picked(`Voyage/${voyage.key}`, {})).toEqual(keyAndSelf(voyage));
    expect(await picked(`Voyage/${voyage.key}`, { vessel: {} })).toEqual({
      ...keyAndSelf(voyage),
      vessel: keyAndSelf(fleet.vessel),
    });
  });

  test('it can show more than the default view, over any number of references', async () => {
    const { bunkerOrderLines, portCall } = await picked(`BunkerOrder/${order.key}`, {
      bunkerOrderLines: { bunkerOrder: { portCall: { voyage: { vessel: { vesselName: '*' } } } } },
      portCall: { voyage: { portCalls: { eventLogs: { event: '*' } } } },
    });
    expect(bunkerOrderLines[0].bunkerOrder.portCall.voyage.vessel.vesselName).toBe(fleet.vessel.vesselName);
    expect(portCall.voyage.portCalls.map(({ eventLogs }: Shown) => eventLogs.length)).toEqual([1, 0]);
  });

  test('a reference that is not set is null, whatever is selected inside it', async () => {
    expect((await picked(`Voyage/${voyage.key}`, { ballastPort: { portName: '*' } })).ballastPort).toBeNull();
  });
});

describe('invalid selections', () => {
  test.each([
    [{ nonsense: '*' }, 'nonsense'],
    [{ portCalls: { port: { nonsense: '*' } } }, 'portCalls.port.nonsense'],
    [{ vessel: { vesselNam: '*' } }, 'vessel.vesselNam'],
  ])('an unknown attribute is a 400 that names its path: %j', async (fields, path) => {
    const answer = await service.get(`/ws/rest/Voyage/${voyage.key}`, { fields: JSON.stringify(fields) });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toContain(`"${path}"`);
    expect(answer.body.violations).toMatchObject([{ path }]);
  });

  test.each(['{', '[]', 'null', '{"comments":true}', '{"comments":{}}', '{"vessel":1}'])(
    'a selection that does not mirror the object is a 400: %s',
    async (fields) => {
      expect((await service.get('/ws/rest/Voyage', { fields })).status).toBe(400);
    },
  );

  test('a POST with a bad selection creates nothing', async () => {
    const answer = await service.post('/ws/rest/Vessel', { vesselName: 'Not Made' }, { fields: '{"x":"*"}' });
    expect(answer.status).toBe(400);
    expect((await service.get('/ws/rest/Vessel?filter=vesselName(EQ)Not Made')).body).toEqual([]);
  });
});
