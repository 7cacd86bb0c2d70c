// What answers in place of the service, or on the way to it: proxies, caches, login pages, and services that hang, end in
// the middle or never. Each is an error that says who was asked, what is wrong and what to do.

import { createServer as createTcpServer } from 'node:net';
import { inspect } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { useTestService } from '../../server/test/support/test-service.ts';
import { readText } from '../src/client/read-text.ts';
import { createClient } from '../src/index.ts';
import { errorOf } from './support/error-of.ts';
import { answerError, answerJson, passOn, useScriptedServer } from './support/scripted-server.ts';

const server = useScriptedServer();
const service = useTestService();

const clientOf = (options: object = {}) =>
  createClient({ url: server.url(), token: 'a-token', retries: 0, ...options });
const html = { 'content-type': 'text/html; charset=utf-8' };
const json = { 'content-type': 'application/json' };

describe('a proxy', () => {
  test.each([403, 404, 413, 500])('that answers a page with %i', async (status) => {
    server.respond((_, response) => response.writeHead(status, html).end('<html><h1>Blocked</h1></html>'));
    const error = await errorOf(clientOf().get('Voyage', 7));
    expect(error).toMatchObject({ status, code: 'unknownAnswer' });
    expect(error.message).toBe(
      `GET /ws/rest/Voyage/7 answered ${status} unknownAnswer: The response is not from Flaghoist. ` +
        `Is ${server.url()} its address, and what is between?`,
    );
  });

  test.each([502, 503, 504])('that answers %i while the service restarts: the request is repeated', async (status) => {
    server.respond((_, response) => {
      if (server.requests.length < 3) response.writeHead(status, html).end('<html>Bad gateway</html>');
      else answerJson(response, 200, { key: 7 });
    });
    expect(await clientOf({ retries: 3 }).get('Voyage', 7)).toEqual({ key: 7 });
  });

  test('that answers a login page in place of JSON', async () => {
    server.respond((_, response) => response.writeHead(200, html).end('<html>'));
    for (const call of [clientOf().get('Voyage', 7), clientOf().page('Voyage'), clientOf().count('Voyage')]) {
      const error = await errorOf(call);
      expect(error.code).toBe('invalidAnswer');
      expect(error.message).toMatch(
        /^GET \S+ was answered with text\/html; charset=utf-8\. Is it from Flaghoist, or does/,
      );
    }
  });

  test('that answers a page for the token', async () => {
    server.respond((_, response) => response.writeHead(200, html).end('<html>'));
    const client = createClient({
      url: server.url(),
      clientId: 'someone',
      clientSecret: 'strange-secret',
      audience: 'a',
    });
    const error = await errorOf(client.get('Voyage', 7));
    expect(error.message).toMatch(/^The token endpoint did not answer with JSON, but with text\/html/);
    expect(inspect(error)).not.toContain('strange-secret');
  });

  test('that redirects: the error names where to, and nothing secret; the token stays here', async () => {
    const location = 'https://login.example/start?ticket=strange-ticket';
    server.respond((_, response) => response.writeHead(302, { location }).end());
    const error = await errorOf(clientOf().get('Voyage', 7));
    expect(error.message).toContain('It redirects to https://login.example. Use the final address as `url`.');
    expect(inspect(error)).not.toContain('strange-ticket');
    expect(server.requests.length).toBe(1);
    server.respond((_, response) => response.writeHead(308, { location: '/other' }).end());
    expect((await errorOf(clientOf().get('Voyage', 7))).message).toContain(`redirects to ${server.url()}.`);
    server.respond((_, response) => response.writeHead(304).end());
    expect((await errorOf(clientOf().get('Voyage', 7))).message).toContain('It redirects. Use');
  });

  test('that removes headers', async () => {
    server.respond((_, response) => answerJson(response, 200, [{ key: 7 }]));
    expect((await errorOf(clientOf().count('Voyage'))).message).toContain('`totalObjectsNumber` is missing');
    const find = clientOf().find('Voyage', { filter: ['key(EQ)7'] });
    expect((await errorOf(find)).code).toBe('invalidAnswer');
  });

  test('that answers the same page again and again, or breaks the link to the next one', async () => {
    for (const query of ['?after=same', '', '?page=2']) {
      const link = `<${server.url()}/ws/rest/Voyage${query}>; rel="next"`;
      server.respond((_, response) => answerJson(response, 200, [{ key: 7 }], { link }));
      const seen: number[] = [];
      const list = async () => {
        for await (const { key } of clientOf().list('Voyage')) seen.push(key);
      };
      expect((await errorOf(list())).code).toBe('invalidAnswer');
      expect(seen.length).toBeLessThan(3);
    }
  });
});

describe('JSON', () => {
  test.each(['{', '[{"key":1},', '{"key":7}}', ''])('that is broken: %j', async (text) => {
    server.respond((_, response) => response.writeHead(200, json).end(text));
    const error = await errorOf(clientOf().get('Voyage', 7));
    expect(error).toMatchObject({ code: 'invalidAnswer', cause: expect.any(SyntaxError) });
    expect(error.message).toContain(
      `GET /ws/rest/Voyage/7 was answered with broken JSON, of ${text.length} characters`,
    );
  });

  test.each([null, [], 7, 'text'])('that is no object: %j', async (body) => {
    server.respond((_, response) => answerJson(response, 200, body));
    const error = await errorOf(clientOf().get('Voyage', 7));
    expect([error.code, error.message]).toEqual(['invalidAnswer', expect.stringContaining('other JSON than expected')]);
  });

  test.each([null, {}, 7])('that is no list: %j', async (body) => {
    server.respond((_, response) => answerJson(response, 200, body));
    expect((await errorOf(clientOf().page('Voyage'))).code).toBe('invalidAnswer');
    expect((await errorOf(clientOf().createAll('Vessel', []))).code).toBe('invalidAnswer');
  });

  test('in an error that is not as the service has it', async () => {
    for (const body of [null, [], 'text', { message: 7, violations: 'none' }]) {
      server.respond((_, response) => answerJson(response, 400, body));
      expect(await errorOf(clientOf().get('Voyage', 7))).toMatchObject({ status: 400, violations: [] });
    }
  });

  test('of 60 MB is read', async () => {
    const comments = 'Ålesund 🚢 '.repeat(4_000_000);
    server.respond((_, response) => answerJson(response, 200, { key: 7, comments }));
    expect((await clientOf().get('Voyage', 7)).comments).toBe(comments);
  });

  test('that never ends is given up at the limit', async () => {
    const closed = new Promise<void>((resolve) => {
      server.respond((_, response) => {
        response.writeHead(200, json).on('close', resolve);
        const more = () => {
          while (!response.destroyed && response.write('x'.repeat(65_536)));
        };
        response.on('drain', more);
        more();
      });
    });
    const error = await errorOf(readText(await fetch(server.url()), 1_000_000));
    expect(error.message).toBe('The answer has more than 1000000 bytes. Is it from Flaghoist?');
    await closed;
  });
});

describe('a connection', () => {
  test('that is cut in an answer is tried again', async () => {
    server.respond((_, response) => {
      if (server.requests.length > 1) return answerJson(response, 200, { key: 7 });
      response.writeHead(200, { ...json, 'content-length': '1000' });
      return response.write('{"key":7,', () => response.destroy());
    });
    expect(await clientOf({ retries: 1 }).get('Voyage', 7)).toEqual({ key: 7 });
    expect(server.requests.length).toBe(2);
  });

  test('that hangs before or in the answer is given up, and names the service', async () => {
    const begin = [
      () => undefined,
      (response: import('node:http').ServerResponse) => response.writeHead(200, json).write('{"key":'),
    ];
    for (const answer of begin) {
      server.respond((_, response) => answer(response));
      const error = await errorOf(clientOf({ timeoutMs: 100 }).get('Voyage', 7));
      expect(error).toMatchObject({ code: 'timeout', status: 0 });
      expect(error.message).toBe(`GET /ws/rest/Voyage/7: ${server.url()} did not answer in full within 100 ms.`);
    }
  });

  test('that is aborted in an answer is an error `aborted`, with the reason', async () => {
    const controller = new AbortController();
    server.respond((_, response) => {
      response.writeHead(200, json).write('{"key":', () => controller.abort('enough'));
    });
    const error = await errorOf(clientOf().get('Voyage', 7, { signal: controller.signal }));
    expect(error).toMatchObject({ code: 'aborted', cause: 'enough' });
  });

  test('that is lost between two pages: the list goes on, without a gap', async () => {
    const names = Array.from({ length: 12 }, (_, index) => ({ vesselName: `Paged ${String(index).padStart(2, '0')}` }));
    const client = createClient({ url: server.url(), token: service.token() });
    await createClient({ url: service.url(), token: service.token() }).createAll('Vessel', names);
    let lost = 0;
    server.respond(async (request, response) => {
      // Each page but the first is lost twice: before the answer, and in it.
      if (server.requests.length > 1 && lost < 2) {
        lost += 1;
        if (lost === 1) return response.destroy();
        response.writeHead(200, { ...json, 'content-length': '5000' });
        return response.write('[{"key":1', () => response.destroy());
      }
      lost = 0;
      return passOn(service.url(), request, response);
    });
    const seen: string[] = [];
    const filter = [['vesselName', 'LIKE', 'Paged %']] as const;
    for await (const { vesselName } of client.list('Vessel', { filter, sort: ['vesselName(AS)'], pageSize: 5 }))
      seen.push(vesselName);
    expect(seen).toEqual(names.map(({ vesselName }) => vesselName));
    expect(server.requests.length).toBe(7);
  });
});

describe('an address', () => {
  const failing = (url: string) =>
    errorOf(createClient({ url, token: 'a-token', retries: 0 }).page('Voyage', { filter: ['key(EQ)strange-value'] }));

  test.each([
    ['where nothing listens', 'http://127.0.0.1:9999', 'Is the service running, and is `url` right?'],
    ['that does not exist', 'http://flaghoist.invalid', 'The host name is not known. Is `url` right?'],
  ])('%s', async (_, url, remedy) => {
    const error = await failing(url);
    expect(error).toMatchObject({ code: 'network', status: 0, cause: expect.anything() });
    expect(error.message).toContain(`GET /ws/rest/Voyage: no answer from ${url} (`);
    expect(error.message).toContain(remedy);
    expect(error.message).not.toContain('strange-value');
  });

  test('with https where http is spoken', async () => {
    const error = await failing(server.url().replace('http:', 'https:'));
    expect(error.message).toContain('(it does not answer with TLS');
    expect(error.message).toContain('does the service take http only?');
    expect(error.message).not.toContain('OPENSSL');
  });

  test('that closes the connection', async () => {
    const closing = createTcpServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    onTestFinished(() => void closing.close());
    await new Promise((resolve) => closing.once('listening', resolve));
    const { port } = closing.address() as { port: number };
    const error = await failing(`http://127.0.0.1:${port}`);
    expect(error.message).toMatch(/\(.*(closed|ECONNRESET).*\)\. The connection was closed\./);
  });
});

test('a 401 in the middle of a list is answered with another token, and the list goes on', async () => {
  let issued = 0;
  server.respond(({ path, headers }, response) => {
    if (path === '/oauth/token') {
      issued += 1;
      return answerJson(response, 200, { access_token: `token-${issued}`, expires_in: 86_400 });
    }
    const isSecond = path.includes('after=');
    if (isSecond && headers.authorization === 'Bearer token-1') return answerError(response, 401, 'tokenExpired');
    const link = `<${server.url()}/ws/rest/Voyage?after=first>; rel="next"`;
    return answerJson(response, 200, [{ key: isSecond ? 2 : 1 }], isSecond ? {} : { link });
  });
  const client = createClient({ url: server.url(), clientId: 'someone', clientSecret: 'a-secret', audience: 'a' });
  const keys: number[] = [];
  for await (const { key } of client.list('Voyage')) keys.push(key);
  expect([keys, issued]).toEqual([[1, 2], 2]);
});
