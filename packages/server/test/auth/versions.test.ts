// API versions and editions: which one a request speaks, and what it then sees, may send, and leaves alone.

import { beforeAll, describe, expect, test } from 'vitest';
import { createClient, type TestClient } from '../support/access.ts';
import { expectErrorBody } from '../support/error-body.ts';
import { create, type Shown } from '../support/fleet.ts';
import { converse } from '../support/raw-http.ts';
import { useTestService } from '../support/test-service.ts';
import { labelled } from './labelled.ts';
import { useNoticeModel } from './notice-model.ts';

const service = useTestService(useNoticeModel());
const bulletins = '/ws/rest/Bulletin';
const speaking = (version: string) => ({ 'api-version': version });
let vessel: Shown;
let bulletin: Shown;
beforeAll(async () => {
  vessel = await create(service, 'Vessel', { vesselName: 'Versioned' });
  bulletin = await create(service, 'Bulletin', {
    title: 'All of it',
    colour: 'RED',
    priority: 1,
    vessel: vessel.key,
    layout: 'wide',
    stamp: 'S',
    bulletinLines: [{ text: 'one', weight: 1.5 }],
  });
});

/** Attribute → the version that it came with. */
const arrivals = { colour: '3.9', priority: '3.16', vessel: '5.23', layout: '5.24', stamp: '6.44' };
const attributes = Object.keys(arrivals);

describe('the version', () => {
  test.each([
    ['3.3', []],
    ['3.8', []],
    ['3.9', ['colour']],
    ['3.10', ['colour']],
    ['3.15', ['colour']],
    ['3.16', ['colour', 'priority']],
    ['4.7', ['colour', 'priority']],
    ['5.9', ['colour', 'priority']],
    ['5.23', ['colour', 'priority', 'vessel']],
    ['5.24', ['colour', 'priority', 'vessel', 'layout']],
    ['6.2', ['colour', 'priority', 'vessel', 'layout']],
    ['6.43', ['colour', 'priority', 'vessel', 'layout']],
    ['6.44', attributes],
  ])('%s has what came with it and before', async (version, seen) => {
    for (const { body } of [
      await service.get(`${bulletins}/${bulletin.key}`, speaking(version)),
      { body: (await service.get(`${bulletins}?filter=key(EQ)${bulletin.key}`, speaking(version))).body[0] },
    ])
      expect(attributes.filter((name) => name in body)).toEqual(seen);
  });

  test('is the newest by default', async () => {
    const { body } = await service.get(`${bulletins}/${bulletin.key}`);
    expect(body).toMatchObject({ colour: 'RED', priority: 1, layout: 'wide', stamp: 'S' });
    expect(body).toEqual((await service.get(`${bulletins}/${bulletin.key}`, speaking('6.44'))).body);
  });

  test("is the user's where the request names none, and the request's where it does", async () => {
    const { headers } = await createClient(service, ['admin'], { apiVersion: '3.9' });
    const shown = async (more = {}) => {
      const { body } = await service.get(`${bulletins}/${bulletin.key}`, { ...headers, ...more });
      return attributes.filter((name) => name in body);
    };
    expect(await shown()).toEqual(['colour']);
    expect(await shown(speaking('6.44'))).toEqual(attributes);
    expect(await shown(speaking('3.3'))).toEqual([]);
  });

  test("is another one within a second after the user's is changed", async () => {
    const client = await createClient(service, ['admin'], { apiVersion: '3.3' });
    const count = async () => {
      const { body } = await service.get(`${bulletins}/${bulletin.key}`, client.headers);
      return attributes.filter((name) => name in body).length;
    };
    expect(await count()).toBe(0);
    await service.put(`/ws/rest/ApiUser/${client.userKey}`, { apiVersion: null });
    await expect.poll(count, { timeout: 1_000, interval: 20 }).toBe(attributes.length);
  });

  const unknown = [
    '3.2',
    '6.45',
    '7.0',
    '0.0',
    '',
    '5',
    '5.',
    '.5',
    '5.23.1',
    'v5.23',
    '5,23',
    '-5.23',
    '5.-1',
    '1e1',
    'newest',
  ];
  test.each(labelled([...unknown, '٣.٩', '99999.1']))('%s is not known', async (_, version) => {
    const header = Buffer.from(version).toString('latin1');
    const answer = await service.get(`${bulletins}/${bulletin.key}`, speaking(header));
    expect(expectErrorBody(answer, 400).message).toContain('supported are versions 3.3 to 6.44');
  });

  test('cannot be given twice', async () => {
    const lines = [`GET ${bulletins} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${service.token()}`];
    const bytes = `${[...lines, 'API-Version: 3.3', 'API-Version: 6.44'].join('\r\n')}\r\n\r\n`;
    const { answers } = await converse(service.url(), bytes, { answers: 1 });
    expectErrorBody(answers[0]!, 400);
  });

  test('is named by Vary, so that no cache mixes responses up', async () => {
    const answer = await service.get(`${bulletins}/${bulletin.key}`, speaking('3.3'));
    expect(answer.headers.get('vary')).toContain('API-Version');
    expect((await service.get(`${bulletins}/${bulletin.key}`)).headers.get('etag')).not.toBe(
      answer.headers.get('etag'),
    );
  });
});

describe('an attribute that is newer than the request', () => {
  test.each(Object.entries(arrivals))(
    '%s cannot be read in any way, and the answer says which version has it',
    async (name, since) => {
      const before = speaking('3.3');
      for (const answer of [
        await service.get(`${bulletins}/${bulletin.key}`, { ...before, fields: `{"${name}":"*"}` }),
        await service.get(`${bulletins}?filter=${name}(NOTNULL)`, before),
        await service.get(`${bulletins}?sort=${name}(AS)`, before),
      ])
        expect(expectErrorBody(answer, 400).message).toContain(since);
    },
  );

  test.each(Object.entries(arrivals))(
    '%s cannot be written, and the answer says which version has it',
    async (name, since) => {
      const value = { colour: 'RED', priority: 1, vessel: vessel.key, layout: 'x', stamp: 'x' }[name];
      const older = since === '3.9' ? '3.8' : '3.9';
      for (const answer of [
        await service.post(bulletins, { title: 'New', [name]: value }, speaking(older)),
        await service.put(`${bulletins}/${bulletin.key}`, { [name]: value }, speaking(older)),
      ]) {
        const { violations } = expectErrorBody(answer, 400);
        expect(violations).toEqual([{ path: name, message: expect.stringContaining(`API version ${since}`) }]);
      }
      expect((await service.put(`${bulletins}/${bulletin.key}`, { [name]: value }, speaking(since))).status).toBe(200);
    },
  );

  test('is out of reach inside of a reference and of a collection too', async () => {
    const before = speaking('5.9');
    expect((await service.get(`${bulletins}/${bulletin.key}`, before)).body.bulletinLines[0]).not.toHaveProperty(
      'weight',
    );
    for (const answer of [
      await service.get(`${bulletins}/${bulletin.key}`, { ...before, fields: '{"bulletinLines":{"weight":"*"}}' }),
      await service.get(`${bulletins}?filter=bulletinLines.weight(GT)1`, before),
      await service.get('/ws/rest/BulletinLine?filter=bulletin.stamp(EQ)S', before),
      await service.get('/ws/rest/BulletinLine?sort=bulletin.vessel.vesselName(AS)', before),
      await service.get('/ws/rest/BulletinLine', { ...before, fields: '{"bulletin":{"vessel":{"vesselName":"*"}}}' }),
      await service.post(bulletins, { title: 'X', bulletinLines: [{ text: 'y', weight: 1 }] }, before),
    ])
      expect(answer.text).toMatch(/API version (5\.23|6\.44)/);
  });

  test('is left alone by a PUT, also inside of a collection, and has its default in what is created', async () => {
    const body = {
      title: 'Old',
      colour: 'BLUE',
      priority: 7,
      stamp: 'kept',
      bulletinLines: [{ text: 'l', weight: 2.5 }],
    };
    const made = await create(service, 'Bulletin', body);
    const lines = [{ key: made.bulletinLines[0].key, text: 'changed' }];
    const changed = await service.put(
      `${bulletins}/${made.key}`,
      { title: 'New', bulletinLines: lines },
      speaking('3.3'),
    );
    expect(changed.status).toBe(200);
    expect(changed.body).not.toHaveProperty('stamp');
    const now = (await service.get(`${bulletins}/${made.key}`)).body;
    expect(now).toMatchObject({ title: 'New', colour: 'BLUE', priority: 7, stamp: 'kept' });
    expect(now.bulletinLines).toMatchObject([{ text: 'changed', weight: 2.5 }]);
    const old = await service.post(bulletins, [{ title: 'One' }, { title: 'Two' }], speaking('3.3'));
    expect(old.status).toBe(201);
    for (const { key } of old.body)
      expect((await service.get(`${bulletins}/${key}`)).body).toMatchObject({ priority: 3, colour: null, stamp: null });
  });

  test(
    'does not make a state stale for who cannot see it: ' + 'If-Match compares the state, whatever the view',
    async () => {
      const made = await create(service, 'Bulletin', { title: 'Tagged', stamp: 'a' });
      const etag = (await service.get(`${bulletins}/${made.key}`, speaking('3.3'))).headers.get('etag')!;
      const put = (version: string) =>
        service.put(`${bulletins}/${made.key}`, { title: 'Again' }, { ...speaking(version), 'if-match': etag });
      expect((await put('3.3')).status).toBe(200);
      expect((await put('6.44')).status).toBe(412);
    },
  );

  test('is not that of a response stored for a newer request, nor the other way round', async () => {
    const key = { 'idempotency-key': 'versions' };
    const first = await service.post(bulletins, { title: 'Once' }, { ...key, ...speaking('3.3') });
    const second = await service.post(bulletins, { title: 'Once' }, { ...key, ...speaking('6.44') });
    expect([first.status, second.status, second.text]).toEqual([201, 201, first.text]);
  });
});

describe('an edition', () => {
  let standard: TestClient;
  let enterprise: TestClient;
  beforeAll(async () => {
    standard = await createClient(service, ['write'], { edition: 'STANDARD' });
    enterprise = await createClient(service, ['write']);
  });

  test('that the user does not have is a 403 that says so, when it is set, and not when it is cleared', async () => {
    const message = 'layout requires the edition ENTERPRISE; this user has STANDARD.';
    const created = await service.post(bulletins, { title: 'X', layout: 'wide' }, standard.headers);
    expect(expectErrorBody(created, 403).message).toBe(message);
    const { body } = await service.post(bulletins, { title: 'X', layout: null }, standard.headers);
    const path = `${bulletins}/${body.key}`;
    expect(expectErrorBody(await service.put(path, { layout: 'wide' }, standard.headers), 403).message).toBe(message);
    expect((await service.put(path, { layout: null, title: 'Y' }, standard.headers)).status).toBe(200);
    const several = [{ title: 'A' }, { title: 'B', layout: 'wide' }];
    expectErrorBody(await service.post(bulletins, several, standard.headers), 403);
  });

  test('holds for a reference as well', async () => {
    const partner = await service.post('/ws/rest/BusinessPartner', { businessPartnerCode: 'SPONSOR' });
    for (const sponsor of [partner.body.key, 'SPONSOR'])
      expectErrorBody(await service.post(bulletins, { title: 'X', sponsor }, standard.headers), 403);
    expect((await service.post(bulletins, { title: 'X', sponsor: 'SPONSOR' }, enterprise.headers)).status).toBe(201);
    expect((await service.post(bulletins, { title: 'X', sponsor: null }, standard.headers)).status).toBe(201);
  });

  test('that the user has lets it set the attribute', async () => {
    const { status, body } = await service.post(bulletins, { title: 'X', layout: 'wide' }, enterprise.headers);
    expect([status, body.layout]).toEqual([201, 'wide']);
  });

  test('is that of the user now: a change holds within a second', async () => {
    const client = await createClient(service, ['write'], { edition: 'STANDARD' });
    const status = async () => (await service.post(bulletins, { title: 'X', layout: 'w' }, client.headers)).status;
    expect(await status()).toBe(403);
    await service.put(`/ws/rest/ApiUser/${client.userKey}`, { edition: 'ENTERPRISE' });
    await expect.poll(status, { timeout: 1_000, interval: 20 }).toBe(201);
  });
});
