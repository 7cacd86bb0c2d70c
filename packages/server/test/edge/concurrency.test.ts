// ETags, conditional requests, and concurrent callers.

import { beforeAll, describe, expect, test } from 'vitest';
import { eventNamesDuring } from '../support/events-written.ts';
import { bunkerOrderBody, create, createFleet, createVoyage, type Fleet, read, type Shown } from '../support/fleet.ts';
import { holdRow } from '../support/held-lock.ts';
import { type Answer, useTestService } from '../support/test-service.ts';

const service = useTestService();
let fleet: Fleet;
beforeAll(async () => {
  fleet = await createFleet(service);
});

async function etagOf(
  path: string,
  headers?: Record<string, string>,
): Promise<{ tag: string; state: string; view: string }> {
  const tag = (await service.get(`/ws/rest/${path}`, headers)).headers.get('etag')!;
  const [, state = '', view = ''] = /^"([^".]+)\.([^".]+)"$/.exec(tag) ?? [];
  return { tag, state, view };
}

describe('the ETag', () => {
  test('is strong and of the form "<state>.<view>" on every single object', async () => {
    const voyage = await createVoyage(service, fleet);
    const form = /^"[\w-]+\.[\w-]+"$/;
    expect((await etagOf(`Voyage/${voyage.key}`)).tag).toMatch(form);
    const posted = await service.post('/ws/rest/Vessel', { vesselName: 'Tagged' });
    expect(posted.headers.get('etag')).toMatch(form);
    const put = await service.put(`/ws/rest/Vessel/${posted.body.key}`, { vesselName: 'Tagged Again' });
    expect(put.headers.get('etag')).toMatch(form);
    expect(put.headers.get('etag')).not.toBe(posted.headers.get('etag'));
    expect((await etagOf(`Vessel/${posted.body.key}`)).tag).toBe(put.headers.get('etag'));
  });

  test('has a state that covers the object and its sub-objects all the way down', async () => {
    const { key, portCalls } = await createVoyage(service, fleet);
    const path = `Voyage/${key}`;
    const before = await etagOf(path);
    const call = await read(service, 'PortCall', portCalls[0].key);
    await service.put(`/ws/rest/EventLog/${call.eventLogs[0].key}`, { isDateFixed: true });
    const deep = await etagOf(path);
    expect(deep.state).not.toBe(before.state);
    // The voyage shows its port calls without their logs: the bytes are the same.
    expect(deep.view).toBe(before.view);
    await service.post('/ws/rest/EventLog', { portCall: portCalls[1].key, event: 'ARR' });
    const added = await etagOf(path);
    expect(added.state).not.toBe(deep.state);
    await service.delete(`/ws/rest/PortCall/${portCalls[1].key}`);
    expect((await etagOf(path)).state).not.toBe(added.state);
  });

  test('has a view that covers the bytes of the response: a renamed vessel changes it, but not the state', async () => {
    const vessel = await create(service, 'Vessel', { vesselName: 'Was' });
    const { key } = await createVoyage(service, fleet, { vessel: vessel.key });
    const before = await etagOf(`Voyage/${key}`);
    await service.put(`/ws/rest/Vessel/${vessel.key}`, { vesselName: 'Is' });
    const after = await etagOf(`Voyage/${key}`);
    expect(after.state).toBe(before.state);
    expect(after.view).not.toBe(before.view);
  });

  test('has the same state for every fields, but another view', async () => {
    const { key } = await createVoyage(service, fleet);
    const [whole, some] = [await etagOf(`Voyage/${key}`), await etagOf(`Voyage/${key}`, { fields: '{}' })];
    expect(some.state).toBe(whole.state);
    expect(some.view).not.toBe(whole.view);
  });
});

describe('If-Match', () => {
  const stale = '"0123456789abcdef.AAAAAAAAAAAAAAAA"';

  test.each<[string, (tag: string) => string, number]>([
    ['the present tag is taken', (tag) => tag, 200],
    ['the tag of another view of the same state is taken', (tag) => tag.replace(/\.[^"]+/, '.other'), 200],
    ['any (*) is taken', () => '*', 200],
    ['a list with the present tag in it is taken', (tag) => `${stale}, ${tag}`, 200],
    ['a stale tag is a 412', () => stale, 412],
    ['a list of stale tags is a 412', () => `${stale}, "x.y"`, 412],
    ['a weak tag never matches and is a 412', (tag) => `W/${tag}`, 412],
    ['what is no tag is a 412', () => 'nonsense', 412],
  ])('on PUT: %s', async (_, header, status) => {
    const { key } = await createVoyage(service, fleet);
    const { tag } = await etagOf(`Voyage/${key}`);
    const events = await eventNamesDuring(service, async () => {
      const answer = await service.put(`/ws/rest/Voyage/${key}`, { comments: 'x' }, { 'if-match': header(tag) });
      expect(answer.status).toBe(status);
    });
    expect(events).toEqual(status === 200 ? [`Voyage.U.${key}`] : []);
  });

  test('a tag from a response with fields also works for a PUT with other fields', async () => {
    const { key } = await createVoyage(service, fleet);
    const { tag } = await etagOf(`Voyage/${key}`, { fields: '{"comments":"*"}' });
    const path = `/ws/rest/Voyage/${key}`;
    expect((await service.put(path, { comments: 'first' }, { 'if-match': tag })).status).toBe(200);
    expect((await service.put(path, { comments: 'second' }, { 'if-match': tag })).status).toBe(412);
    expect((await read(service, 'Voyage', key)).comments).toBe('first');
  });

  test('a change of a sub-object makes the tag of its owner stale', async () => {
    const { key, portCalls } = await createVoyage(service, fleet);
    const { tag } = await etagOf(`Voyage/${key}`);
    await service.put(`/ws/rest/PortCall/${portCalls[0].key}`, { speed: 11 });
    expect((await service.put(`/ws/rest/Voyage/${key}`, { comments: 'x' }, { 'if-match': tag })).status).toBe(412);
  });

  test('a concurrent change of a sub-object causes a 412, on PUT and on DELETE', async () => {
    const { key, portCalls } = await createVoyage(service, fleet);
    const { eventLogs } = await read(service, 'PortCall', portCalls[0].key);
    const { tag } = await etagOf(`Voyage/${key}`);
    const held = await holdRow(service, 'event_log', eventLogs[0].key);
    const answers = [
      service.put(`/ws/rest/Voyage/${key}`, { comments: 'x' }, { 'if-match': tag }),
      service.delete(`/ws/rest/Voyage/${key}`, { 'if-match': tag }),
    ];
    await held.waiters(2);
    await held.letGo(`update flaghoist.event_log set is_date_fixed = true where key = ${eventLogs[0].key}`);
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([412, 412]);
  });

  test('on DELETE, a stale tag is a 412 and the object stays; the current tag deletes it', async () => {
    const { key } = await createVoyage(service, fleet);
    const path = `/ws/rest/Voyage/${key}`;
    expect((await service.delete(path, { 'if-match': stale })).status).toBe(412);
    const { tag } = await etagOf(`Voyage/${key}`);
    expect((await service.delete(path, { 'if-match': tag })).status).toBe(204);
    expect((await service.delete(path, { 'if-match': '*' })).status).toBe(404);
  });

  test('of many concurrent PUTs with the same tag, one succeeds and all others get a 412', async () => {
    const { key } = await createVoyage(service, fleet);
    const { tag } = await etagOf(`Voyage/${key}`);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        service.put(`/ws/rest/Voyage/${key}`, { comments: `${index}` }, { 'if-match': tag }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(412)]);
    const winner = answers.find(({ status }) => status === 200);
    expect((await read(service, 'Voyage', key)).comments).toBe(winner?.body.comments);
  });
});

describe('If-None-Match', () => {
  test('with the current tag, weak or strong, in a list or as *, is a 304 without a body, with the ETag', async () => {
    const { key } = await createVoyage(service, fleet);
    const { tag } = await etagOf(`Voyage/${key}`);
    for (const header of [tag, `W/${tag}`, `"x.y", ${tag}`, '*']) {
      const answer = await service.get(`/ws/rest/Voyage/${key}`, { 'if-none-match': header });
      expect([answer.status, answer.text, answer.headers.get('etag')]).toEqual([304, '', tag]);
      expect(answer.headers.get('vary')).toBe('fields, API-Version');
    }
  });

  test('compares the whole tag: another view, or another state with the same bytes, is a 200', async () => {
    const { key, portCalls } = await createVoyage(service, fleet);
    const { tag } = await etagOf(`Voyage/${key}`);
    const other = await service.get(`/ws/rest/Voyage/${key}`, { 'if-none-match': tag, fields: '{}' });
    expect(other.status).toBe(200);
    await service.post('/ws/rest/EventLog', { portCall: portCalls[1].key, event: 'ARR' });
    expect((await service.get(`/ws/rest/Voyage/${key}`, { 'if-none-match': tag })).status).toBe(200);
  });
});

describe('Vary', () => {
  test.each(['Voyage', 'Voyage?limit=1', 'Voyage/1', 'Voyage?filter=bad'])(
    'is "fields, API-Version" on every response under /ws/rest: %s',
    async (path) => {
      expect((await service.get(`/ws/rest/${path}`)).headers.get('vary')).toBe('fields, API-Version');
    },
  );
});

describe('concurrent requests', () => {
  test('100 PUTs in parallel leave a consistent state: attributes, elements, events of one writer each', async () => {
    const { key } = await createVoyage(service, fleet, { portCalls: [] });
    const path = `/ws/rest/Voyage/${key}`;
    const events = await eventNamesDuring(service, async () => {
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, index) =>
          service.put(path, {
            comments: `writer ${index}`,
            freight: index,
            portCalls: [
              { port: fleet.port.key, reasonForCall: 'L', speed: index },
              { port: fleet.otherPort.key, reasonForCall: 'D', speed: index },
            ],
          }),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array(100).fill(200));
      for (const { body } of answers) expect(isOfOneWriter(body)).toBe(true);
    });
    expect(isOfOneWriter(await read(service, 'Voyage', key))).toBe(true);
    const count = (operation: string) => events.filter((name) => name.startsWith(operation)).length;
    expect([count('Voyage.U'), count('PortCall.C'), count('PortCall.D')]).toEqual([100, 200, 198]);
  });

  function isOfOneWriter({ comments, freight, portCalls }: Shown): boolean {
    const isSame = comments === `writer ${freight}` && portCalls.length === 2;
    return isSame && portCalls.every(({ speed }: Shown) => speed === freight);
  }

  test('two concurrent deletes of the last two bunker order lines leave one', async () => {
    const { portCalls } = await createVoyage(service, fleet);
    const order = await create(service, 'BunkerOrder', bunkerOrderBody(fleet, portCalls[0].key));
    const held = await holdRow(service, 'bunker_order', order.key);
    const deletes = order.bunkerOrderLines.map(({ key }: Shown) => service.delete(`/ws/rest/BunkerOrderLine/${key}`));
    await held.waiters(2);
    await held.letGo();
    const statuses = (await Promise.all<Answer>(deletes)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([204, 409]);
    expect((await read(service, 'BunkerOrder', order.key)).bunkerOrderLines).toHaveLength(1);
  });

  test('sequence numbers of elements that are added concurrently are distinct', async () => {
    const { key } = await createVoyage(service, fleet, { portCalls: [] });
    await Promise.all(
      Array.from({ length: 30 }, () =>
        create(service, 'PortCall', { voyage: key, port: fleet.port.key, reasonForCall: 'W' }),
      ),
    );
    const { portCalls } = await read(service, 'Voyage', key);
    expect(portCalls.map(({ portCallSequence }: Shown) => portCallSequence)).toEqual(
      Array.from({ length: 30 }, (_, index) => index + 1),
    );
  });

  test('of many concurrent POSTs with the same code, one creates the object', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => service.post('/ws/rest/Port', { unLoCode: 'ZZRAC' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
  });

  test('a concurrent delete and new reference never leave a broken reference', async () => {
    for (let round = 0; round < 10; round += 1) {
      const vessel = await create(service, 'Vessel', { vesselName: 'Contested' });
      const [deleted, posted] = await Promise.all([
        service.delete(`/ws/rest/Vessel/${vessel.key}`),
        service.post('/ws/rest/Voyage', { vessel: vessel.key }),
      ]);
      expect([
        [204, 400],
        [409, 201],
      ]).toContainEqual([deleted.status, posted.status]);
    }
  });
});
