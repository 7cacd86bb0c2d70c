// `Idempotency-Key` on POST.

import { beforeAll, describe, expect, test } from 'vitest';
import { createClient, fetchToken } from '../support/access.ts';
import { eventNamesDuring } from '../support/events-written.ts';
import { create, createFleet, type Fleet, freshCode } from '../support/fleet.ts';
import { holdRow, holdTable } from '../support/held-lock.ts';
import { type Answer, useTestService } from '../support/test-service.ts';

const service = useTestService();
let fleet: Fleet;
beforeAll(async () => {
  fleet = await createFleet(service);
});

let keyCount = 0;
/** Posts under a key that nobody has used before; called again, it repeats with the same key. */
function startKey(): (resource: string, body: unknown, headers?: Record<string, string>) => Promise<Answer> {
  keyCount += 1;
  const key = `order-${keyCount}`;
  return (resource, body, headers) =>
    service.post(`/ws/rest/${resource}`, body, { 'idempotency-key': key, ...headers });
}

describe('a repeat', () => {
  test('returns the first response, bytes and headers, and creates nothing', async () => {
    const post = startKey();
    const body = { vesselName: 'Once' };
    const first = await post('Vessel', body);
    await service.put(`/ws/rest/Vessel/${first.body.key}`, { vesselName: 'Changed Meanwhile' });
    const events = await eventNamesDuring(service, async () => {
      const again = await post('Vessel', body);
      expect([again.status, again.text]).toEqual([201, first.text]);
      for (const name of ['location', 'etag', 'content-type', 'vary'])
        expect(again.headers.get(name)).toBe(first.headers.get(name));
    });
    expect(events).toEqual([]);
  });

  test('of an array returns the array, and creates nothing', async () => {
    const post = startKey();
    const body = [{ vesselName: 'One' }, { vesselName: 'Two' }];
    const first = await post('Vessel', body);
    const events = await eventNamesDuring(service, async () => {
      expect((await post('Vessel', body)).text).toBe(first.text);
    });
    expect(events).toEqual([]);
  });

  test('after the object was deleted still returns the first response', async () => {
    const post = startKey();
    const first = await post('Vessel', { vesselName: 'Gone' });
    await service.delete(`/ws/rest/Vessel/${first.body.key}`);
    expect((await post('Vessel', { vesselName: 'Gone' })).text).toBe(first.text);
  });

  test('with another body is a 422 and creates nothing', async () => {
    const post = startKey();
    await post('Vessel', { vesselName: 'First' });
    const events = await eventNamesDuring(service, async () => {
      expect((await post('Vessel', { vesselName: 'Second' })).status).toBe(422);
    });
    expect(events).toEqual([]);
  });

  test('of a finished request is never rejected, however many arrive concurrently', async () => {
    const headers = { 'idempotency-key': 'finished' };
    const first = await service.post('/ws/rest/Vessel', { vesselName: 'Often' }, headers);
    const repeats = await Promise.all(
      Array.from({ length: 20 }, () => service.post('/ws/rest/Vessel', { vesselName: 'Often' }, headers)),
    );
    expect(repeats.map(({ status, body }) => [status, body.key])).toEqual(Array(20).fill([201, first.body.key]));
  });

  test('within 24 h is a repeat, after that a new request', async () => {
    const post = startKey();
    const first = await post('Vessel', { vesselName: 'Daily' });
    const age = (interval: string) =>
      service.database.pool.query(
        `update flaghoist_system.idempotency set created_at = now() - interval '${interval}' where object_key = $1`,
        [first.body.key],
      );
    await age('23 hours 59 minutes');
    expect((await post('Vessel', { vesselName: 'Daily' })).body.key).toBe(first.body.key);
    await age('24 hours 1 minute');
    const next = await post('Vessel', { vesselName: 'Daily' });
    expect(next.status).toBe(201);
    expect(next.body.key).toBeGreaterThan(first.body.key);
    expect((await post('Vessel', { vesselName: 'Daily' })).body.key).toBe(next.body.key);
  });

  test('while the first request runs is a 409; afterwards it returns the first response', async () => {
    const post = startKey();
    const body = { ballastPort: fleet.port.key };
    const held = await holdRow(service, 'port', fleet.port.key);
    const running = post('Voyage', body);
    await held.waiters(1);
    const meanwhile = await post('Voyage', body);
    await held.letGo();
    const first = await running;
    expect([meanwhile.status, meanwhile.body.statusCode, first.status]).toEqual([409, 409, 201]);
    expect((await post('Voyage', body)).text).toBe(first.text);
  });

  test('of many concurrent requests creates one object', async () => {
    const post = startKey();
    const answers = await Promise.all(Array.from({ length: 20 }, () => post('Vessel', { vesselName: 'Only' })));
    const created = answers.filter(({ status }) => status === 201);
    expect(new Set(created.map(({ text }) => text)).size).toBe(1);
    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true);
    expect((await service.get('/ws/rest/Vessel?filter=vesselName(EQ)Only')).body).toHaveLength(1);
  });
});

describe('a stored response', () => {
  test('is stored per path: the same key at another resource is another request', async () => {
    const post = startKey();
    const vessel = await post('Vessel', { vesselName: 'Pathed' });
    const voyage = await post('Voyage', { comments: 'Pathed' });
    expect([vessel.status, voyage.status]).toEqual([201, 201]);
  });

  test(
    'is stored per client: the same key of another client is ' + 'another request, with the same body or another',
    async () => {
      const post = startKey();
      const [one, other] = [await createClient(service, ['write']), await createClient(service, ['write'])];
      const first = await post('Vessel', { vesselName: 'Mine' }, one.headers);
      const second = await post('Vessel', { vesselName: 'Mine' }, other.headers);
      const third = await post('Vessel', { vesselName: 'Ours' });
      expect([first.status, second.status, third.status]).toEqual([201, 201, 201]);
      expect(new Set([first, second, third].map(({ body }) => body.key)).size).toBe(3);
      expect((await post('Vessel', { vesselName: 'Mine' }, other.headers)).text).toBe(second.text);
    },
  );

  test('is stored per client: two clients of one user do not share keys', async () => {
    const post = startKey();
    const client = await createClient(service, ['write']);
    const { body } = await service.post('/ws/rest/ApiClient', { user: client.userKey, scopes: ['write'] });
    const token = await fetchToken(service.url(), body);
    const mine = await post('Vessel', { vesselName: 'Mine' }, client.headers);
    const theirs = await post('Vessel', { vesselName: 'Theirs' }, { authorization: `Bearer ${token}` });
    expect([mine.status, theirs.status]).toEqual([201, 201]);
  });

  test('is stored per client, not per token: a repeat with a new token is a repeat', async () => {
    const post = startKey();
    const client = await createClient(service, ['write']);
    const first = await post('Vessel', { vesselName: 'Renewed' }, client.headers);
    const token = await fetchToken(service.url(), client);
    const again = await post('Vessel', { vesselName: 'Renewed' }, { authorization: `Bearer ${token}` });
    expect(again.text).toBe(first.text);
  });

  test('is always 2xx: after an error the key can be used again, also with another body', async () => {
    const post = startKey();
    expect((await post('Vessel', {})).status).toBe(400);
    expect((await post('Port', { unLoCode: fleet.port.unLoCode })).status).toBe(409);
    expect((await post('Vessel', { vesselName: 'Now Right' })).status).toBe(201);
    expect((await post('Port', { unLoCode: 'ZZIDE' })).status).toBe(201);
  });

  test('is in the transaction of the change: the object is visible only after its response is stored', async () => {
    const post = startKey();
    const held = await holdTable(service, 'flaghoist_system.idempotency');
    const running = post('Vessel', { vesselName: 'Unseen' });
    await held.waiters(1);
    const seen = await service.get('/ws/rest/Vessel?filter=vesselName(EQ)Unseen');
    await held.letGo();
    expect([seen.body, (await running).status]).toEqual([[], 201]);
  });

  test('is in the transaction of the change: if the COMMIT fails, the key can be used again', async () => {
    const post = startKey();
    const port = await create(service, 'Port', { unLoCode: freshCode('ZZ', 5) });
    const held = await holdRow(service, 'port', port.key);
    const running = post('Voyage', { ballastPort: port.key });
    await held.waiters(1);
    await held.letGo(`delete from flaghoist.port where key = ${port.key}`);
    expect((await running).status).toBe(400);
    const again = await post('Voyage', { ballastPort: fleet.port.key });
    expect([again.status, again.body.ballastPort.key]).toEqual([201, fleet.port.key]);
  });
});

describe('the key', () => {
  test.each(['', 'x'.repeat(256), 'two words', 'caf\u00e9'])(
    'has 1 to 255 visible ASCII characters; anything else is a 400: %s',
    async (key) => {
      const answer = await service.post('/ws/rest/Vessel', { vesselName: 'x' }, { 'idempotency-key': key });
      expect(answer.status).toBe(400);
    },
  );
});
