// HEAD, OPTIONS and 405 behave as HTTP specifies.

import { beforeAll, describe, expect, test } from 'vitest';
import { createFleet, type Fleet } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';

const service = useTestService();
let fleet: Fleet;
beforeAll(async () => {
  fleet = await createFleet(service);
});

function send(method: string, path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${service.url()}/ws/rest/${path}`, {
    method,
    headers: { authorization: `Bearer ${service.token()}`, ...headers },
  });
}

const ofList = ['GET', 'HEAD', 'OPTIONS', 'POST'];
const ofObject = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PUT'];

function allowed(answer: Response): string[] | undefined {
  return answer.headers.get('allow')?.split(', ').sort();
}

describe('HEAD', () => {
  const headers = ['content-type', 'etag', 'vary', 'link', 'totalObjectsNumber', 'cache-control'];

  test.each<[string, () => string]>([
    ['a list', () => 'Vessel?limit=1'],
    ['one object', () => `Vessel/${fleet.vessel.key}`],
  ])('responds as GET does, with the same Content-Length, without the body: %s', async (_, path) => {
    const [head, get] = [await send('HEAD', path()), await send('GET', path())];
    expect([head.status, await head.text()]).toEqual([200, '']);
    for (const name of [...headers, 'content-length']) expect(head.headers.get(name), name).toBe(get.headers.get(name));
    expect(get.headers.get('content-length')).toBe(String(Buffer.byteLength(await get.text())));
  });

  test.each(['Vessel/999999999', 'Vessel?filter=nonsense', 'Nonsense', 'Vessel/0'])(
    'returns the same error as GET, without the body: %s',
    async (path) => {
      const [head, get] = [await send('HEAD', path), await send('GET', path)];
      expect([head.status, await head.text()]).toEqual([get.status, '']);
      for (const name of headers) expect(head.headers.get(name), name).toBe(get.headers.get(name));
    },
  );

  test('supports If-None-Match', async () => {
    const path = `Vessel/${fleet.vessel.key}`;
    const etag = (await send('HEAD', path)).headers.get('etag')!;
    expect((await send('HEAD', path, { 'if-none-match': etag })).status).toBe(304);
  });
});

describe('OPTIONS', () => {
  test.each<[string, string[]]>([
    ['Vessel', ofList],
    ['Vessel/1', ofObject],
  ])('returns 204 with Allow: %s', async (path, allow) => {
    const answer = await send('OPTIONS', path);
    expect([answer.status, allowed(answer), await answer.text()]).toEqual([204, allow, '']);
  });
});

describe('405', () => {
  test.each<[string, string, string[]]>([
    ['PUT', 'Vessel', ofList],
    ['PATCH', 'Vessel', ofList],
    ['DELETE', 'Vessel', ofList],
    ['POST', 'Vessel/1', ofObject],
    ['PATCH', 'Vessel/1', ofObject],
    ['PROPFIND', 'Vessel', ofList],
  ])('has Allow and the body of every error: %s %s', async (method, path, allow) => {
    const answer = await send(method, path);
    expect([answer.status, allowed(answer)]).toEqual([405, allow]);
    expect(await answer.json()).toMatchObject({ statusCode: 405, statusText: 'Method Not Allowed', method });
  });
});

describe('401', () => {
  test.each([
    ['GET', 'Vessel'],
    ['HEAD', 'Vessel'],
    ['OPTIONS', 'Vessel'],
    ['PATCH', 'Vessel'],
    ['POST', 'Vessel/1'],
    ['PROPFIND', 'Vessel'],
    ['GET', 'Nonsense'],
    ['DELETE', 'Vessel/1/nonsense'],
    ['GET', ''],
  ])('takes precedence: without a token, a response does not reveal what exists: %s %s', async (method, path) => {
    const answer = await fetch(`${service.url()}/ws/rest/${path}`, { method });
    expect([answer.status, answer.headers.get('allow')]).toEqual([401, null]);
  });
});

describe('404', () => {
  test.each(['', '/', '/Nonsense', '/vessel', '/Vessel/1/nonsense', '/Vessel/1/'])(
    'not found: /ws/rest%s',
    async (path) => {
      const answer = await service.get(`/ws/rest${path}`);
      expect([answer.status, answer.body.statusCode, answer.body.statusFamily]).toEqual([404, 404, 'CLIENT_ERROR']);
    },
  );
});
