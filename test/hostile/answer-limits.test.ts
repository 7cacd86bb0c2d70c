// Answers that are too large: refused while they arrive, without harm to anybody else.

import { beforeAll, describe, expect, test } from 'vitest';
import { expectErrorBody } from '../support/error-body.ts';
import { useTestService } from '../support/test-service.ts';

const megabyte = 1024 * 1024;

/** Remarks of a megabyte each, on one voyage. */
async function addRemarks(service: ReturnType<typeof useTestService>, count: number): Promise<void> {
  await service.database.pool.query(
    `with v as (insert into flaghoist.voyage default values returning key)
     insert into flaghoist.remarks (source, remark_text) select v.key, repeat('x', ${megabyte}) from v, generate_series(1, $1)`,
    [count],
  );
}

const texts = '/ws/rest/Remarks?fields={"remarkText":"*"}';

describe('a list of more than 64 MB', () => {
  const service = useTestService({ FLAGHOIST_DATABASE_CONNECTIONS: '2', FLAGHOIST_ROLES: 'api' });
  beforeAll(() => addRemarks(service, 70));

  test('is 413, and says what to do', async () => {
    const answer = await service.get(`${texts}&limit=100`);
    expectErrorBody(answer, 413);
    expect(answer.body.message).toMatch(/64 MB. Page through the list with limit, or select less with fields/);
  });

  test('costs no connection for good, however often it is asked for', async () => {
    for (let n = 0; n < 3; n += 1) expect((await service.get(`${texts}&limit=100`)).status).toBe(413);
    expect((await service.get('/ws/rest/Voyage')).status).toBe(200);
  });

  test('can be had in pages', async () => {
    const { status, body } = await service.get(`${texts}&limit=50`);
    expect(status).toBe(200);
    expect(body.map(({ remarkText }: { remarkText: string }) => remarkText.length)).toEqual(
      Array.from({ length: 50 }, () => megabyte),
    );
  });
});

describe('where answers of all clients together may have 4 MB', () => {
  const service = useTestService({ FLAGHOIST_ANSWER_BYTES_MAX: String(4 * megabyte), FLAGHOIST_ROLES: 'api' });
  beforeAll(() => addRemarks(service, 5));

  test('one of 5 MB is 503 with Retry-After, one of 3 MB is answered', async () => {
    const refused = await service.get(texts);
    expectErrorBody(refused, 503);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(refused.body.message).toMatch(/page through the list with limit, or select less with fields/);
    expect((await service.get(`${texts}&limit=3`)).body).toHaveLength(3);
  });

  test('nothing is held when answers were refused, left out or unchanged', async () => {
    const [{ self }] = (await service.get('/ws/rest/Remarks?limit=1')).body;
    const path = `${new URL(self).pathname}?fields={"remarkText":"*"}`;
    const { headers } = await service.get(path);
    for (let n = 0; n < 8; n += 1) {
      expect((await service.get(path, { 'if-none-match': headers.get('etag')! })).status).toBe(304);
      expect((await service.get(texts)).status).toBe(503);
      const head = await fetch(service.url() + path, {
        method: 'HEAD',
        headers: { authorization: `Bearer ${service.token()}` },
      });
      expect(Number(head.headers.get('content-length'))).toBeGreaterThan(megabyte);
    }
    expect((await service.get(`${texts}&limit=3`)).status).toBe(200);
  });
});
