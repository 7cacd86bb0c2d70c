// `POST /ws/rest/{Resource}/batch`: several objects in one request, all or none.

import { describe, expect, test } from 'vitest';
import { useTestService } from '../support/test-service.ts';

const service = useTestService();
const batch = '/ws/rest/Vessel/batch';

async function named(name: string): Promise<number> {
  return (await service.get(`/ws/rest/Vessel?filter=vesselName(EQ)${name}`)).body.length;
}

describe('a batch', () => {
  test('creates all objects of its array, in their order, as the plain POST does', async () => {
    for (const path of [batch, '/ws/rest/Vessel']) {
      const answer = await service.post(path, [{ vesselName: 'One' }, { vesselName: 'Two' }]);
      expect(answer.status).toBe(201);
      expect(answer.body.map(({ vesselName }: { vesselName: string }) => vesselName)).toEqual(['One', 'Two']);
      expect([answer.headers.get('location'), answer.headers.get('etag')]).toEqual([null, null]);
    }
  });

  test('creates none if one is not valid, and names each mistake with its place', async () => {
    const answer = await service.post(batch, [{ vesselName: 'Good' }, {}, { vesselName: 5 }]);
    expect(answer.status).toBe(400);
    expect(answer.body.violations.map(({ path }: { path: string }) => path)).toEqual([
      '[1].vesselName',
      '[2].vesselName',
    ]);
    expect(await named('Good')).toBe(0);
  });

  test('takes nothing but an array, and no other method', async () => {
    const answer = await service.post(batch, { vesselName: 'Alone' });
    expect([answer.status, answer.body.message]).toEqual([400, 'The body must be an array, not an object.']);
    expect((await service.post(batch, [])).body).toEqual([]);
    const read = await service.get(batch);
    expect([read.status, read.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
  });

  test('is created once by a repeated Idempotency-Key, which is not that of the plain POST', async () => {
    const headers = { 'idempotency-key': 'batch-1' };
    const first = await service.post(batch, [{ vesselName: 'Once' }], headers);
    expect((await service.post(batch, [{ vesselName: 'Once' }], headers)).text).toBe(first.text);
    expect(await named('Once')).toBe(1);
    expect((await service.post('/ws/rest/Vessel', [{ vesselName: 'Once' }], headers)).status).toBe(201);
    expect(await named('Once')).toBe(2);
  });

  test('is not there for a type that only the service creates', async () => {
    expect((await service.post('/ws/rest/ResendJob/batch', [])).status).toBe(405);
  });
});
