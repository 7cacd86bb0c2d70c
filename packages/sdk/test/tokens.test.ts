// Where tokens come from, how long they are used, and that no secret shows anywhere.

import { inspect } from 'node:util';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { administrator, testAudience } from '../../server/test/support/access.ts';
import { useTestService } from '../../server/test/support/test-service.ts';
import { createClient } from '../src/index.ts';
import { errorOf } from './support/error-of.ts';
import { answerError, answerJson, useScriptedServer } from './support/scripted-server.ts';

const server = useScriptedServer();
const service = useTestService();
const secret = 'sdk-client-secret-Jf82nVw0';
const credentials = { clientId: 'someone', clientSecret: secret, audience: testAudience };

const clientOf = (options: object = {}) => createClient({ url: server.url(), ...credentials, ...options });

/** Issues `token-1`, `token-2`, …, each valid for this long, and answers everything else with an object. */
function issueTokens(lifetimeSeconds: number, isAccepted: (token: string) => boolean = () => true): void {
  let issued = 0;
  server.respond(({ path, headers }, response) => {
    if (path === '/oauth/token') {
      issued += 1;
      return answerJson(response, 200, { access_token: `token-${issued}`, expires_in: lifetimeSeconds });
    }
    const token = (headers.authorization ?? '').slice('Bearer '.length);
    return isAccepted(token) ? answerJson(response, 200, { key: 7 }) : answerError(response, 401, 'tokenExpired');
  });
}

const tokenRequests = () => server.requests.filter(({ path }) => path === '/oauth/token');
const tokensUsed = () => server.requests.flatMap(({ headers }) => headers.authorization?.slice('Bearer '.length) ?? []);

afterEach(() => vi.restoreAllMocks());

describe('the token cache', () => {
  test('100 calls at once wait for one token request', async () => {
    issueTokens(86_400);
    const client = clientOf();
    await Promise.all(Array.from({ length: 100 }, () => client.get('Voyage', 7)));
    expect(tokenRequests().length).toBe(1);
    expect(new Set(tokensUsed())).toEqual(new Set(['token-1']));
    expect(JSON.parse(tokenRequests()[0]!.body)).toEqual({
      grant_type: 'client_credentials',
      client_id: 'someone',
      client_secret: secret,
      audience: testAudience,
    });
  });

  test.each([
    ['a minute before it expires', 86_400, 86_400 - 60],
    ['in the middle of a short life', 90, 45],
  ])('a token is renewed %s', async (_, lifetimeSeconds, renewedAfterSeconds) => {
    issueTokens(lifetimeSeconds);
    const client = clientOf();
    const startMs = performance.now();
    const clock = vi.spyOn(performance, 'now').mockReturnValue(startMs);
    await client.get('Voyage', 7);
    clock.mockReturnValue(startMs + renewedAfterSeconds * 1000 - 1);
    await client.get('Voyage', 7);
    clock.mockReturnValue(startMs + renewedAfterSeconds * 1000 + 1);
    await client.get('Voyage', 7);
    expect(tokensUsed()).toEqual(['token-1', 'token-1', 'token-2']);
  });

  test('a token that the service rejects is replaced once, for all calls that had it', async () => {
    issueTokens(86_400, (token) => token !== 'token-1');
    const client = clientOf();
    await Promise.all(Array.from({ length: 20 }, () => client.get('Voyage', 7)));
    expect(tokenRequests().length).toBe(2);
  });

  test('a second 401 is an error', async () => {
    issueTokens(86_400, () => false);
    expect(await errorOf(clientOf().get('Voyage', 7))).toMatchObject({ status: 401, code: 'tokenExpired' });
    expect(tokensUsed()).toEqual(['token-1', 'token-2']);
  });

  test('after a token request that failed, the next call asks again', async () => {
    server.respond((_, response) => answerJson(response, 401, { error: 'invalid_client', error_description: 'No.' }));
    const client = clientOf();
    expect((await errorOf(client.get('Voyage', 7))).code).toBe('invalid_client');
    issueTokens(86_400);
    expect(await client.get('Voyage', 7)).toEqual({ key: 7 });
  });

  test('a busy token endpoint is asked again', async () => {
    server.respond(({ path }, response) => {
      if (path !== '/oauth/token') return answerJson(response, 200, { key: 7 });
      if (tokenRequests().length === 2) return answerJson(response, 200, { access_token: 'a', expires_in: 60 });
      return answerJson(response, 429, { error: 'too_many_requests' }, { 'retry-after': '0' });
    });
    expect(await clientOf().get('Voyage', 7)).toEqual({ key: 7 });
  });
});

describe('tokens of the caller', () => {
  test('a function is called for each request, and again after a 401', async () => {
    issueTokens(0, (token) => token === 'mine-2');
    let calls = 0;
    const token = async () => {
      calls += 1;
      return `mine-${calls}`;
    };
    const client = createClient({ url: server.url(), token });
    await client.get('Voyage', 7);
    expect(tokensUsed()).toEqual(['mine-1', 'mine-2']);
  });

  test('a token that the service rejects is an error at once', async () => {
    issueTokens(0, () => false);
    const client = createClient({ url: server.url(), token: 'mine' });
    expect((await errorOf(client.get('Voyage', 7))).status).toBe(401);
    expect(tokensUsed()).toEqual(['mine']);
  });
});

describe('the service', () => {
  test('names its audience, so that a client needs only id and secret', async () => {
    const client = createClient({ url: service.url(), ...administrator });
    expect(await client.count('Vessel')).toBe(0);
  });

  test('grants the scopes that a client asks for', async () => {
    const client = createClient({ url: `${service.url()}/`, ...administrator, scope: 'read' });
    const error = await errorOf(client.create('Vessel', { vesselName: 'A' }));
    expect(error.status).toBe(403);
  });

  test('rejects a wrong secret with the code of RFC 6749', async () => {
    const client = createClient({ url: service.url(), clientId: administrator.clientId, clientSecret: secret });
    const error = await errorOf(client.count('Vessel'));
    expect(error).toMatchObject({ status: 401, code: 'invalid_client' });
    expect(inspect(error, { depth: 10 })).not.toContain(secret);
  });
});

describe('secrets', () => {
  const shown = (value: unknown) => `${inspect(value, { depth: 10, showHidden: true })} ${JSON.stringify(value)}`;

  test('a client shows neither its secret nor its token', async () => {
    issueTokens(86_400);
    const client = clientOf();
    await client.get('Voyage', 7);
    expect(shown(client)).not.toMatch(/sdk-client-secret|token-1/);
    expect(shown(createClient({ url: server.url(), token: 'my-token' }))).not.toContain('my-token');
  });

  test('an error does not repeat what an answer repeats of them', async () => {
    server.respond(({ body, headers }, response) =>
      answerJson(response, 400, { error: 'invalid_request', error_description: `${body} ${headers.authorization}` }),
    );
    const error = await errorOf(clientOf().get('Voyage', 7));
    expect(error.message).toContain('***');
    expect(shown(error)).not.toContain(secret);
    const other = await errorOf(createClient({ url: server.url(), token: 'my-token' }).get('Voyage', 7));
    expect(shown(other)).not.toContain('my-token');
  });

  test('a token with a line break is an error that does not show it', async () => {
    const error = await errorOf(createClient({ url: server.url(), token: 'my-token\nx' }).get('Voyage', 7));
    expect(error).toMatchObject({ code: 'invalidRequest' });
    expect(shown(error)).not.toContain('my-token');
  });

  test('nor does an error about a service that cannot be reached', async () => {
    const client = createClient({ url: 'http://127.0.0.1:1', ...credentials, retries: 0 });
    const error = await errorOf(client.get('Voyage', 7));
    expect(error.code).toBe('network');
    expect(shown(error)).not.toContain(secret);
  });

  test.each(['http://user:a-password@localhost', 'not a url a-password', 'ftp://localhost/a-password'])(
    'a bad `url` is rejected without being repeated',
    (url) => {
      let error: unknown;
      try {
        createClient({ url, token: 'x' });
      } catch (thrown) {
        error = thrown;
      }
      expect(error).toMatchObject({ code: 'invalidRequest' });
      expect(shown(error)).not.toContain('a-password');
    },
  );
});
