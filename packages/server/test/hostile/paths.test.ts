// Hostile paths: keys that are none, and other spellings of places that exist.

import { beforeAll, describe, expect, test } from 'vitest';
import { expectErrorBody } from '../support/error-body.ts';
import { create } from '../support/fleet.ts';
import { converse, type RawAnswer, withToken } from '../support/raw-http.ts';
import { useTestService } from '../support/test-service.ts';
import { describeUnharmed } from './unharmed.ts';

const service = useTestService();
let key: number;
beforeAll(async () => {
  ({ key } = await create(service, 'Vessel', { vesselName: 'Path Finder' }));
});

/** Without a client that would tidy up the path. */
async function ask(method: string, target: string): Promise<RawAnswer> {
  const body = method === 'PUT' ? 'Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}' : '\r\n';
  const request = withToken(service.token(), `${method} ${target} HTTP/1.1\r\nHost: x\r\n${body}`);
  const { answers } = await converse(service.url(), request, { answers: 1 });
  return answers[0]!;
}

describe('a key', () => {
  test.each([
    '0',
    '-1',
    '+1',
    '01',
    '1e3',
    '1.0',
    '0x1',
    '1,2',
    '1%20',
    '%201',
    '1%0a',
    '1%00',
    '%00',
    '1;',
    '1;jsessionid=1',
    "1'--",
    '1%20or%201=1',
    '..%2f1',
    '%2e%2e%2f',
    '*',
    'NaN',
    'null',
    'undefined',
    '__proto__',
    'constructor',
    '%2531',
    '%D9%A1',
    '%EF%BC%91',
    '9007199254740992',
    '9223372036854775808',
    '18446744073709551617',
    '1'.repeat(300),
    '9'.repeat(10_000),
  ])('that is none is a 400, whatever is asked: %s', async (text) => {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const target = `/ws/rest/Vessel/${text}`;
      const body = expectErrorBody(await ask(method, target), 400);
      expect([body.method, body.uri]).toEqual([method, service.url() + target]);
    }
  });

  test('that no object has is a 404', async () => {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      expectErrorBody(await ask(method, '/ws/rest/Vessel/9007199254740991'), 404);
    }
  });

  test('of another type is a 404, and that object stays', async () => {
    for (const method of ['GET', 'PUT', 'DELETE']) expectErrorBody(await ask(method, `/ws/rest/Port/${key}`), 404);
    expect((await ask('GET', `/ws/rest/Vessel/${key}`)).status).toBe(200);
  });

  test('may be percent-encoded like anything else, and names the same object', async () => {
    const encoded = [...String(key)].map((digit) => `%3${digit}`).join('');
    expect((await ask('GET', `/ws/rest/Vessel/${encoded}`)).body.key).toBe(key);
  });

  test('of an object that was deleted is a 404 for everything', async () => {
    const { key: gone } = await create(service, 'Vessel', { vesselName: 'Gone' });
    expect((await ask('DELETE', `/ws/rest/Vessel/${gone}`)).status).toBe(204);
    for (const method of ['GET', 'PUT', 'DELETE']) expectErrorBody(await ask(method, `/ws/rest/Vessel/${gone}`), 404);
  });
});

describe('another spelling of a path', () => {
  test.each([
    '//ws/rest/Vessel',
    '/ws//rest/Vessel',
    '/ws/rest//Vessel',
    '/./ws/rest/Vessel',
    '/ws/rest/./Vessel',
    '/ws/rest/x/../Vessel',
    '/ws/rest/%2e/Vessel',
    '/ws/rest/%2e%2e/rest/Vessel',
    '/ws/rest/..%2frest/Vessel',
    '/ws/rest/Vessel;jsessionid=1',
    '/ws/rest;x=y/Vessel',
    '/WS/REST/Vessel',
    '/ws/rest/vessel',
    '/ws/rest/VESSEL',
    '/ws/rest/Vessel/',
    '/ws/rest/Vessel//',
    '/ws/rest/Vessel%00',
    '/ws/rest/Vessel%20',
    '/ws/rest/Vessel.json',
    '/ws/rest\\Vessel',
    '/ws/rest%5cVessel',
    '/ws/rest%2fVessel',
    '/ws%2frest%2fVessel',
    '/ws/rest/%2556essel',
    '/ws/rest/',
    '/ws/rest',
    '/ws/rest/Vessel/{key}/',
    '/ws/rest/Vessel/{key}/vesselName',
    '/ws/rest/__proto__',
    '/ws/rest/constructor/1',
    '/ws/rest/toString',
    '/etc/passwd',
    '/../../../../etc/passwd',
    '/%2e%2e/%2e%2e/etc/passwd',
  ])('is a 404: %s', async (target) => {
    for (const method of ['GET', 'DELETE']) {
      const answer = await ask(method, target.replace('{key}', String(key)));
      const body = expectErrorBody(answer, 404);
      expect(body.message).toMatch(/^Not found: /);
    }
  });

  test.each(['/%77s/rest/Vessel', '/ws/r%65st/Vessel/{key}', '/%77%73/%72%65%73%74/%56essel', '/ws/rest/Vesse%6C'])(
    'that leads to a resource needs a token like any other: %s',
    async (spelling) => {
      const target = spelling.replace('{key}', String(key));
      for (const method of ['GET', 'HEAD', 'OPTIONS']) {
        const request = `${method} ${target} HTTP/1.1\r\nHost: x\r\n\r\n`;
        const { answers } = await converse(service.url(), request, { answers: 1, isHead: method === 'HEAD' });
        expect(answers[0]?.status).toBe(401);
      }
      expect((await ask('GET', target)).status).toBe(200);
    },
  );

  test.each([
    '/ws/rest/%ff',
    '/ws/rest/%zz',
    '/ws/rest/%',
    '/ws/rest/Vessel/%c0%b1',
    '/ws/rest/Vessel%c0%af1',
    '/ws/rest/Vessel/%e0%80%b1',
    '/ws/rest/Vessel/%ed%a0%80',
    '/ws/rest/Vessel/%f5%80%80%80',
    '/ws/rest/Vessel/%u0031',
  ])('with an escape that is no UTF-8 is a 400: %s', async (target) => {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      expectErrorBody(await ask(method, target), 400);
    }
  });

  test('with a fragment is a 400: the router and the query must not disagree where the path ends', async () => {
    for (const target of ['/ws/rest/Vessel#', '/ws/rest/Vessel/{key}#x', '/ws/rest/Vessel/1#?fields={}']) {
      const body = expectErrorBody(await ask('GET', target.replace('{key}', String(key))), 400);
      expect(body.message).toContain('fragment');
    }
  });

  test('with bytes that should be percent-encoded is a 400 that says so', async () => {
    const body = expectErrorBody(await ask('GET', '/ws/rest/Vessel?filter=vesselName(EQ)Ærø'), 400);
    expect(body.message).toContain('percent-encoded');
  });

  test('longer than 16 kB is a 431', async () => {
    for (const target of [`/${'a'.repeat(20_000)}`, `/ws/rest/Vessel?filter=${'a'.repeat(20_000)}`]) {
      expectErrorBody(await ask('GET', target), 431);
    }
  });

  test('just below 16 kB, with its headers, is answered like any other', async () => {
    const left = 16_000 - service.token().length;
    expectErrorBody(await ask('GET', `/${'a'.repeat(left)}`), 404);
    expectErrorBody(await ask('GET', `/ws/rest/Vessel?filter=${'a'.repeat(left)}`), 400);
  });
});

describe('a query', () => {
  test.each([
    'limit=1;filter=x',
    'limit=1%26limit=2',
    'limit=1&limit=2',
    'limit=1&limit=1',
    'limit',
    'limit=',
    'limit=%00',
    'limit=%EF%BC%91',
    'limit[]=1',
    'limit[$gt]=1',
    'LIMIT=1',
    'Filter=key(EQ)1',
    'offset=1',
    '=x',
    '%00=x',
    '__proto__=1',
    '__proto__[limit]=1',
    'constructor=1',
    'constructor.prototype.limit=1',
    'toString=1',
    'hasOwnProperty=1',
    'filter=%ff',
    'filter=%c0%80',
    'filter=%ed%a0%80(EQ)1',
    'filter=%',
    'filter=%u0041(EQ)1',
    'filter=vesselName%2528EQ%2529x',
    '%66ilter=%2566ilter',
    'sort=%00(AS)',
    'fields=%00',
    'after=%00',
    '?limit=1',
  ])('that is not understood is a 400, for there is one rule everywhere: %s', async (query) => {
    const body = expectErrorBody(await ask('GET', `/ws/rest/Vessel?${query}`), 400);
    expect(body.uri).toBe(`${service.url()}/ws/rest/Vessel?${query}`);
  });

  test('of nothing but separators is none', async () => {
    for (const query of ['', '&', '&&&&', 'limit=1&&']) {
      expect((await ask('GET', `/ws/rest/Vessel?${query}`)).status).toBe(200);
    }
  });

  test('is taken only where there is something to ask', async () => {
    for (const method of ['PUT', 'DELETE']) expectErrorBody(await ask(method, `/ws/rest/Vessel/${key}?limit=1`), 400);
    expectErrorBody(await ask('GET', `/ws/rest/Vessel/${key}?filter=key(EQ)1`), 400);
  });
});

describeUnharmed(service);
