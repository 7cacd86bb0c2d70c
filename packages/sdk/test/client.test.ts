// The client against a real service: objects, lists, states, actions and errors.

import { beforeAll, describe, expect, test } from 'vitest';
import { administrator } from '../../server/test/support/access.ts';
import { createFleet, createVoyage, type Fleet, freshCode } from '../../server/test/support/fleet.ts';
import { useTestService } from '../../server/test/support/test-service.ts';
import { type Client, createClient, type Filter } from '../src/index.ts';
import { errorOf } from './support/error-of.ts';

const service = useTestService();
let client: Client;
let fleet: Fleet;
beforeAll(async () => {
  client = createClient({ url: service.url(), ...administrator });
  fleet = await createFleet(service);
});

describe('objects', () => {
  test('are created, read, changed and deleted', async () => {
    const created = await client.create('Voyage', {
      vessel: fleet.vessel.key,
      voyageStatus: 'NOM',
      portCalls: [
        { port: fleet.port.unLoCode, reasonForCall: 'L' },
        { port: { key: fleet.otherPort.key }, reasonForCall: 'D' },
      ],
    });
    expect(created.portCalls.map(({ port }) => port.unLoCode)).toEqual([fleet.port.unLoCode, fleet.otherPort.unLoCode]);
    const voyage = await client.get('Voyage', created.key);
    expect(voyage).toEqual(created);
    const changed = await client.update(voyage, { comments: 'late' });
    expect(changed.comments).toBe('late');
    await client.delete(changed);
    expect(await errorOf(client.get('Voyage', created.key))).toMatchObject({ status: 404, code: 'notFound' });
  });

  test('are shown as `fields` selects, three levels deep', async () => {
    const { key } = await createVoyage(service, fleet);
    const voyage = await client.get('Voyage', key, {
      fields: { referenceNo: '*', portCalls: { port: { portName: '*' }, eventLogs: { event: '*' } } },
    });
    expect(Object.keys(voyage)).toEqual(['key', 'self', 'referenceNo', 'portCalls']);
    expect(voyage.portCalls[0]!.port.portName).toBe('Port of Loading');
    expect(voyage.portCalls[0]!.eventLogs[0]!.event).toBe('ARR');
  });

  test('an object of any form can be sent as a reference, and an object as it was read', async () => {
    const [whole, { objects }] = await Promise.all([
      client.get('Vessel', fleet.vessel.key),
      client.page('Port', { filter: [['key', 'EQ', fleet.port.key]] }),
    ]);
    const voyage = await client.create('Voyage', { voyageStatus: 'EST', vessel: whole, ballastPort: objects[0]! });
    expect([voyage.vessel!.key, voyage.ballastPort!.key]).toEqual([fleet.vessel.key, fleet.port.key]);
    expect((await client.update(voyage, { ...voyage, comments: 'all sent' })).comments).toBe('all sent');
  });

  test('the one that matches is found, whole or as `fields` selects, and can be updated', async () => {
    const { key, referenceNo } = await createVoyage(service, fleet);
    const filter = [['referenceNo', 'EQ', referenceNo]] as const;
    const voyage = await client.find('Voyage', { filter });
    expect(voyage).toEqual(await client.get('Voyage', key));
    const status = await client.find('Voyage', { filter, fields: { voyageStatus: '*' } });
    expect(Object.keys(status)).toEqual(['key', 'self', 'voyageStatus']);
    expect((await client.update(status, { comments: 'found' })).comments).toBe('found');
    expect((await errorOf(client.update(voyage, { comments: 'too late' }))).code).toBe('stale');
  });

  test('none or several that match are errors that say so', async () => {
    await createVoyage(service, fleet);
    await createVoyage(service, fleet);
    const find = (filter: readonly Filter<'Voyage'>[]) => errorOf(client.find('Voyage', { filter }));
    const none = await find([['referenceNo', 'EQ', 999_999]]);
    expect(none).toMatchObject({ code: 'notFound', status: 0, message: 'No Voyage matches the filter.' });
    const several = await find([['voyageStatus', 'EQ', 'NOM']]);
    expect(several.code).toBe('notUnique');
    expect(several.message).toMatch(/^[1-9]\d* objects of the type Voyage match the filter, and one was expected\. /);
    expect((await find([])).code).toBe('invalidRequest');
  });

  test('several are created together, or none', async () => {
    const names = [freshCode('T-', 8), freshCode('T-', 8)];
    const vessels = await client.createAll(
      'Vessel',
      names.map((vesselName) => ({ vesselName })),
    );
    expect(vessels.map(({ vesselName }) => vesselName)).toEqual(names);
    const unLoCode = freshCode('Z', 5);
    const error = await errorOf(client.createAll('Port', [{ unLoCode }, { unLoCode }]));
    expect(error.status).toBe(409);
    expect(await client.count('Port', { filter: [['unLoCode', 'EQ', unLoCode]] })).toBe(0);
  });

  test('secrets are in the answer that creates the object', async () => {
    const subscription = await client.create('WebhookSubscription', {
      eventType: 'BunkerOrder.U',
      channelInfo: { channelType: 'STREAM' },
    });
    expect(subscription.signingSecret).toMatch(/^whsec_/);
    service.secrets.plant('the signing secret', subscription.signingSecret);
  });
});

describe('states', () => {
  test('an object that has changed since is `stale`, and stays as it is', async () => {
    const { key } = await createVoyage(service, fleet);
    const voyage = await client.get('Voyage', key);
    await service.put(`/ws/rest/Voyage/${key}`, { comments: 'by another' });
    expect(await errorOf(client.update(voyage, { comments: 'mine' }))).toMatchObject({ status: 412, code: 'stale' });
    expect(await errorOf(client.delete(voyage))).toMatchObject({ status: 412, code: 'stale' });
    expect((await client.get('Voyage', key)).comments).toBe('by another');
  });

  test('a sub-object that another has added makes its owner `stale`', async () => {
    const { key } = await createVoyage(service, fleet);
    const voyage = await client.get('Voyage', key, { fields: { comments: '*' } });
    await client.create('PortCall', { voyage: key, port: fleet.port.key, reasonForCall: 'B' });
    expect((await errorOf(client.update(voyage, { portCalls: [] }))).code).toBe('stale');
  });

  test('after an update, both the answer and the object before can be updated again', async () => {
    const { key } = await createVoyage(service, fleet);
    const voyage = await client.get('Voyage', key);
    const changed = await client.update(voyage, { comments: '1' });
    await client.update(changed, { comments: '2' });
    expect((await errorOf(client.update(voyage, { comments: '3' }))).code).toBe('stale');
    const fresh = await client.get('Voyage', key);
    await client.update(fresh, { comments: '4' });
    await client.update(fresh, { comments: '5' });
    expect((await client.get('Voyage', key)).comments).toBe('5');
  });

  test('with type and key, an object is changed and deleted whatever its state', async () => {
    const { key } = await createVoyage(service, fleet);
    await service.put(`/ws/rest/Voyage/${key}`, { comments: 'by another' });
    expect((await client.update('Voyage', key, { comments: 'mine' })).comments).toBe('mine');
    await client.delete('Voyage', key);
    expect(await client.count('Voyage', { filter: [['key', 'EQ', key]] })).toBe(0);
  });

  test('an object of a list has no state: the error names the other form', async () => {
    const { key } = await createVoyage(service, fleet);
    const { objects } = await client.page('Voyage', { filter: [['key', 'EQ', key]] });
    // @ts-expect-error: the types do not allow it either
    const error = await errorOf(client.update(objects[0]!, { comments: 'mine' }));
    expect(error).toMatchObject({ status: 0, code: 'unsafeUpdate' });
    expect(error.message).toContain('update(type, key, changes)');
    const copy = { ...(await client.get('Voyage', key)) };
    expect((await errorOf(client.delete(copy))).message).toContain('delete(type, key)');
  });
});

describe('lists', () => {
  const names = Array.from({ length: 2500 }, (_, index) => `Paged ${String(index).padStart(4, '0')}`);
  const filter = [['businessPartnerName', 'LIKE', 'Paged %']] as const;

  test('go through 2,500 objects by cursor, none twice and none left out, while others are created', async () => {
    const bodies = names.map((businessPartnerName, index) => ({
      businessPartnerName,
      businessPartnerCode: `PG-${index}`,
    }));
    for (let from = 0; from < bodies.length; from += 1000)
      await client.createAll('BusinessPartner', bodies.slice(from, from + 1000), { fields: {} });
    const seen: string[] = [];
    const sort = ['businessPartnerName(AS)'] as const;
    for await (const { businessPartnerName } of client.list('BusinessPartner', { filter, sort })) {
      seen.push(businessPartnerName!);
      // Before and after the place of the iteration: a page by offset would repeat the one and skip the other.
      if (seen.length % 400 !== 1) continue;
      for (const name of ['Paged -early', 'Paged zlate'])
        await client.create('BusinessPartner', { businessPartnerName: name, businessPartnerCode: freshCode('PG', 9) });
    }
    expect(seen.filter((name) => /\d$/.test(name))).toEqual(names);
    expect(await client.count('BusinessPartner', { filter })).toBe(2514);
  });

  test('show whole objects if asked to, with one request for each page', async () => {
    const keys: number[] = [];
    for (let count = 0; count < 3; count += 1) keys.push((await createVoyage(service, fleet)).key);
    const filter = [['key', 'IN', keys]] as const;
    const paths: string[] = [];
    const watched: typeof fetch = (input, init) => {
      paths.push(new URL(String(input)).pathname);
      return fetch(input, init);
    };
    const watching = createClient({ url: service.url(), token: service.token(), fetch: watched });
    const listed = [];
    for await (const voyage of watching.list('Voyage', { filter, fields: '*', pageSize: 2 })) listed.push(voyage);
    expect(paths).toEqual(['/ws/rest/Voyage', '/ws/rest/Voyage']);
    expect(listed).toEqual(await Promise.all(keys.map((key) => client.get('Voyage', key))));
    expect(listed[0]!.portCalls[0]!.port.portName).toBe('Port of Loading');
    const { objects } = await client.page('Voyage', { filter });
    expect(objects[0]).not.toHaveProperty('portCalls');
  });

  test('a loop that ends early asks for no more pages', async () => {
    for await (const { self } of client.list('BusinessPartner', { filter, pageSize: 2, fields: {} })) {
      expect(self).toContain('/BusinessPartner/');
      break;
    }
  });

  test('pages have a total, and lead to the next one', async () => {
    const sort = ['businessPartnerName(DS)'] as const;
    const first = await client.page('BusinessPartner', { filter, sort, limit: 2000 });
    expect([first.objects.length, first.total]).toEqual([2000, 2514]);
    const second = await client.page('BusinessPartner', { filter, sort, limit: 2000, after: first.next! });
    expect([second.objects.length, second.next]).toEqual([514, undefined]);
    const third = await client.page('BusinessPartner', { filter, sort, limit: 2, pageNumber: 3, noCount: true });
    expect(third.total).toBeUndefined();
    expect(third.objects).toEqual(first.objects.slice(4, 6));
  });
});

describe('filters', () => {
  test.each([
    'a,b',
    '(a)',
    ')(OR)',
    '"',
    '\\',
    '\\"',
    'a\\\\"b"',
    ' spaces ',
    '',
    'ÅøΩ🚢',
    "'; drop table vessel; --",
    '%_',
    'a&filter=b#c+d',
    'line\nbreak\ttab',
  ])('find the text %j, alone and in lists', async (text) => {
    const code = freshCode('F-', 8);
    const { key } = await client.create('BusinessPartner', { businessPartnerCode: code, businessPartnerName: text });
    const own = ['businessPartnerCode', 'EQ', code] as const;
    for (const test of [
      ['businessPartnerName', 'EQ', text],
      ['businessPartnerName', 'IN', ['x', text, 'y']],
      ['businessPartnerName', 'BETWEEN', [text, text]],
    ] as const) {
      const { objects } = await client.page('BusinessPartner', { filter: [own, test] });
      expect(objects.map((partner) => partner.key)).toEqual([key]);
    }
    expect(await client.count('BusinessPartner', { filter: [own, ['businessPartnerName', 'NE', text]] })).toBe(0);
  });

  test.each(['a\0b', '\ud83d', 'x\udea2'])('a text that the database cannot hold is an error: %j', async (text) => {
    const error = await errorOf(client.count('Vessel', { filter: [['vesselName', 'EQ', text]] }));
    expect(error).toMatchObject({ status: 0, code: 'invalidRequest' });
  });

  test('take numbers, booleans and dates, in paths through references and collections', async () => {
    const eta = new Date('2031-05-06T07:08:09.123+02:00');
    const { key } = await createVoyage(service, fleet, {
      isTc: true,
      portCalls: [{ port: fleet.port.key, reasonForCall: 'L', eta: eta.toISOString() }],
    });
    const { objects } = await client.page('Voyage', {
      filter: [
        ['key', 'EQ', key],
        ['isTc', 'EQ', true],
        ['portCalls.eta', 'EQ', eta],
        ['portCalls.port.unLoCode', 'IN', [fleet.port.unLoCode]],
        ['comments', 'NULL'],
        'vessel(NOTNULL)',
      ],
    });
    expect(objects.map((voyage) => voyage.key)).toEqual([key]);
    const groups = ['key(EQ)1', '(OR)', ['key', 'EQ', key]] as const;
    expect(await client.count('Voyage', { filter: groups })).toBe(1);
    expect((await errorOf(client.count('Voyage', { filter: [['eta', 'EQ', new Date('x')] as never] }))).code).toBe(
      'invalidRequest',
    );
  });
});

describe('actions', () => {
  test('are called on an object, on the type, and with a query', async () => {
    const { key } = await client.create('WebhookSubscription', {
      eventTypes: ['Port.U'],
      channelInfo: { channelType: 'STREAM' },
    });
    expect(await client.call('WebhookSubscription', 'pull', { key, limit: 10 })).toEqual([]);
    const { signingSecret } = await client.call('WebhookSubscription', 'rotateSecret', { key });
    service.secrets.plant('the rotated secret', signingSecret!);
    const decisions = await client.call('WebhookSubscription', 'decisions', { key, limit: 1 });
    expect(decisions.map(({ objectType, subscription }) => [objectType, subscription])).toEqual([['Port', key]]);
    expect(Array.isArray(await client.call('WebhookSubscription', 'decisions'))).toBe(true);
    const tried = await client.call('WebhookSubscription', 'test', { subscription: key, objectKey: fleet.port.key });
    expect(tried).toBeTypeOf('object');
  });
});

describe('errors', () => {
  test('have the code, every violation, and the id of the request', async () => {
    const error = await errorOf(
      // @ts-expect-error: not of its type
      client.create('Voyage', { voyageStatus: 'NOPE', portCalls: [{ reasonForCall: 'L' }] }),
    );
    expect(error).toMatchObject({ status: 400, code: 'invalidBody' });
    expect(error.violations.map(({ path }) => path)).toEqual(['voyageStatus', 'portCalls[0].port']);
    expect(error.message).toMatch(/^POST \/ws\/rest\/Voyage answered 400 invalidBody: /);
    expect(error.requestId).toBeTypeOf('string');
  });

  test('of a filter quote it', async () => {
    const error = await errorOf(client.count('Voyage', { filter: ['nonsense(EQ)1'] }));
    expect(error).toMatchObject({ status: 400, code: 'invalidFilter' });
    expect(error.message).toContain('nonsense');
  });
});

describe('any request', () => {
  test('has the token and the errors of the client', async () => {
    const { status, headers, body } = await client.request({
      method: 'GET',
      path: '/ws/rest/Vessel',
      query: { filter: [`key(EQ)${fleet.vessel.key}`], limit: 1 },
      headers: { fields: '{"vesselName":"*"}' },
    });
    expect([status, headers.get('totalObjectsNumber')]).toEqual([200, '1']);
    expect(body).toMatchObject([{ vesselName: fleet.vessel.vesselName }]);
    expect((await errorOf(client.request({ method: 'PATCH', path: '/ws/rest/Vessel' }))).status).toBe(405);
    expect((await errorOf(client.request({ method: 'GET', path: 'ws' }))).code).toBe('invalidRequest');
  });

  test('answers text that is not JSON as it is', async () => {
    expect((await client.request({ method: 'GET', path: '/metrics' })).body).toContain('# HELP');
  });
});

describe('numbers', () => {
  const bodyWith = (freight: string) => `{"vessel":${fleet.vessel.key},"voyageStatus":"EST","freight":${freight}}`;

  async function freightOf(number: string, exactNumbers: boolean): Promise<unknown> {
    const exact = createClient({ url: service.url(), ...administrator, exactNumbers });
    const { body } = await exact.request({ method: 'POST', path: '/ws/rest/Voyage', body: bodyWith(number) });
    return (await exact.get('Voyage', (body as { key: number }).key)).freight;
  }

  test.each([
    ['1234567890123456.12345678', '1234567890123456.12345678'],
    ['0.10000001', 0.10000001],
    ['1250.75', 1250.75],
    ['-9007199254740993', '-9007199254740993'],
    ['9007199254740992', 9007199254740992],
    ['1000000000000000', 1e15],
    ['0', 0],
    ['0.00000001', 1e-8],
  ])('exactNumbers: %s is %j', async (written, read) => {
    expect(await freightOf(written, true)).toBe(read);
    expect(await freightOf(written, false)).toBe(Number(written));
  });
});
