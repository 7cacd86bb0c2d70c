// Requests are repeated while the service is busy or cannot be reached, and nothing is done twice.

import { getEventListeners } from 'node:events';
import { describe, expect, test, vi } from 'vitest';
import { administrator } from '../../server/test/support/access.ts';
import { useTestService } from '../../server/test/support/test-service.ts';
import { createClient } from '../src/index.ts';
import { errorOf } from './support/error-of.ts';
import { answerError, answerJson, passOn, useScriptedServer } from './support/scripted-server.ts';

const server = useScriptedServer();
const service = useTestService();

const clientOf = (options: object = {}) => createClient({ url: server.url(), token: 'a-token', ...options });

describe('while the service is busy', () => {
  test.each([
    [503, 'busy'],
    [429, 'tooManyRequests'],
    [507, 'diskFull'],
  ])('a %i is repeated after Retry-After', async (status, code) => {
    server.respond((_, response) => {
      if (server.requests.length < 3) answerError(response, status, code, { 'retry-after': '0' });
      else answerJson(response, 200, { key: 7 });
    });
    expect(await clientOf().get('Voyage', 7)).toEqual({ key: 7 });
    expect(server.requests.length).toBe(3);
  });

  test('Retry-After may be a date, which is compared with the date of the answer', async () => {
    server.respond((_, response) =>
      answerError(response, 503, 'busy', {
        date: 'Sun, 06 Nov 1994 08:49:37 GMT',
        'retry-after': 'Sun, 06 Nov 1994 08:49:39 GMT',
      }),
    );
    expect((await errorOf(clientOf({ retries: 0 }).get('Voyage', 7))).retryAfterMs).toBe(2000);
  });

  test('after the last repeat, the error is that of the service', async () => {
    server.respond((_, response) => answerError(response, 503, 'busy', { 'retry-after': '0' }));
    expect(await errorOf(clientOf({ retries: 2 }).get('Voyage', 7))).toMatchObject({
      status: 503,
      code: 'busy',
      requestId: 'req-1',
      retryAfterMs: 0,
      message: 'GET /ws/rest/Voyage/7 answered 503 busy: It is busy.',
    });
    expect(server.requests.length).toBe(3);
  });

  test('a Retry-After of more than a minute is not waited for: the caller decides', async () => {
    server.respond((_, response) => answerError(response, 429, 'tooManyRequests', { 'retry-after': '3600' }));
    expect((await errorOf(clientOf().get('Voyage', 7))).retryAfterMs).toBe(3_600_000);
    expect(server.requests.length).toBe(1);
  });

  test('other errors are not repeated', async () => {
    server.respond((_, response) => answerError(response, 400, 'invalidBody'));
    await errorOf(clientOf().create('Port', { unLoCode: 'NLRTM' }));
    expect(server.requests.length).toBe(1);
  });
});

describe('without an answer', () => {
  test('a POST whose answer is lost creates once', async () => {
    const url = server.url();
    let isLost = false;
    // The service creates the vessel, and the connection breaks before the answer.
    server.respond(async (request, response) => {
      if (isLost || request.path !== '/ws/rest/Vessel') return passOn(service.url(), request, response);
      isLost = true;
      const { status } = await service.post('/ws/rest/Vessel', JSON.parse(request.body), {
        'idempotency-key': String(request.headers['idempotency-key']),
      });
      expect(status).toBe(201);
      return response.destroy();
    });
    const client = createClient({ url, token: service.token() });
    const vessel = await client.create('Vessel', { vesselName: 'Created Once' });
    expect(isLost).toBe(true);
    const found = await service.get('/ws/rest/Vessel?filter=vesselName(EQ)Created Once');
    expect(found.body.map(({ key }: { key: number }) => key)).toEqual([vessel.key]);
    expect(new Set(server.requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  });

  test('a POST that is still being processed is asked for again', async () => {
    server.respond((_, response) => {
      if (server.requests.length === 1) response.destroy();
      else if (server.requests.length === 2) answerError(response, 409, 'stillRunning');
      else answerJson(response, 201, { key: 7 });
    });
    expect(await clientOf().create('Vessel', { vesselName: 'A' })).toEqual({ key: 7 });
  });

  test('two calls have two keys', async () => {
    server.respond((_, response) => answerJson(response, 201, { key: 7 }));
    await clientOf().create('Vessel', { vesselName: 'A' });
    await clientOf().create('Vessel', { vesselName: 'A' });
    await clientOf().create('Vessel', { vesselName: 'A' }, { idempotencyKey: 'mine' });
    const keys = server.requests.map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).toBe(3);
    expect(keys[2]).toBe('mine');
  });

  test('a DELETE whose answer is lost is done, though the repeat finds nothing', async () => {
    server.respond((_, response) => {
      if (server.requests.length === 1) response.destroy();
      else answerError(response, 404, 'notFound');
    });
    await clientOf().delete('Voyage', 7);
    expect(server.requests.length).toBe(2);
    expect((await errorOf(clientOf().delete('Voyage', 7))).code).toBe('notFound');
  });

  test('a PUT that is stale after a lost answer says that it may have been processed', async () => {
    server.respond((_, response) => {
      if (server.requests.length === 1) answerJson(response, 200, { key: 7 }, { etag: '"1.1"' });
      else if (server.requests.length === 2) response.destroy();
      else answerError(response, 412, 'stale');
    });
    const client = clientOf();
    const voyage = await client.get('Voyage', 7);
    const error = await errorOf(client.update(voyage, { comments: 'late' }));
    expect(error.code).toBe('stale');
    expect(error.message).toContain('may have been processed');
    expect(error.cause).toMatchObject({ code: 'network' });
  });

  test('a service that cannot be reached is an error `network` that says why', async () => {
    const client = createClient({ url: 'http://127.0.0.1:1', token: 'a-token', retries: 0 });
    const error = await errorOf(client.get('Voyage', 7));
    expect(error).toMatchObject({ status: 0, code: 'network' });
    expect(error.message).toMatch(/^GET \/ws\/rest\/Voyage\/7: no answer from http:\/\/127\.0\.0\.1:1 \(/);
  });

  test('no answer in time is an error `timeout`, also while the body comes', async () => {
    server.respond(() => undefined);
    expect((await errorOf(clientOf({ timeoutMs: 50, retries: 0 }).get('Voyage', 7))).code).toBe('timeout');
    server.respond((_, response) => response.writeHead(200, { 'content-type': 'application/json' }).write('{"key":'));
    expect((await errorOf(clientOf({ timeoutMs: 50, retries: 0 }).get('Voyage', 7))).code).toBe('timeout');
  });
});

describe('abort', () => {
  test('ends a request', async () => {
    const controller = new AbortController();
    server.respond(() => controller.abort('enough'));
    const error = await errorOf(clientOf().get('Voyage', 7, { signal: controller.signal }));
    expect(error).toMatchObject({ code: 'aborted', status: 0, cause: 'enough' });
  });

  test('a long-lived signal keeps nothing of a request that has ended', async () => {
    const { signal } = new AbortController();
    server.respond((_, response) => {
      if (server.requests.length % 2 === 0) answerJson(response, 200, { key: 7 });
      else answerError(response, 404, 'notFound');
    });
    const any = vi.spyOn(AbortSignal, 'any');
    await errorOf(clientOf().get('Voyage', 7, { signal }));
    await clientOf().get('Voyage', 7, { signal });
    expect([getEventListeners(signal, 'abort').length, any.mock.calls.length]).toEqual([0, 0]);
    any.mockRestore();
  });

  test('ends the wait for a retry', async () => {
    const controller = new AbortController();
    server.respond((_, response) => {
      answerError(response, 503, 'busy', { 'retry-after': '50' });
      response.on('close', () => controller.abort());
    });
    expect((await errorOf(clientOf().get('Voyage', 7, { signal: controller.signal }))).code).toBe('aborted');
  });

  test('a call with a signal that is aborted already sends nothing', async () => {
    const client = createClient({ url: server.url(), ...administrator });
    const { code } = await errorOf(client.get('Voyage', 7, { signal: AbortSignal.abort() }));
    expect([code, server.requests.length]).toEqual(['aborted', 0]);
  });

  test('of one call leaves the token request that others wait for', async () => {
    const controller = new AbortController();
    server.respond((request, response) => {
      if (request.path !== '/oauth/token') return answerJson(response, 200, { key: 7 });
      controller.abort();
      return setImmediate(() => answerJson(response, 200, { access_token: 'fresh', expires_in: 86_400 }));
    });
    const client = createClient({ url: server.url(), ...administrator, audience: 'https://flaghoist.dev' });
    const both = [errorOf(client.get('Voyage', 7, { signal: controller.signal })), client.get('Voyage', 7)] as const;
    expect((await both[0]).code).toBe('aborted');
    expect(await both[1]).toEqual({ key: 7 });
    expect(server.requests.filter(({ path }) => path === '/oauth/token').length).toBe(1);
  });
});
