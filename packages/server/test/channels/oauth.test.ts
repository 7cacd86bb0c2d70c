// Receivers that want a token: when it is fetched, how long it is kept, and what is recorded where there is none.

import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { AccessTokens } from '../../src/channels/http/access-tokens.ts';
import { sendWithToken } from '../../src/channels/http/send-with-token.ts';
import type { OAuth2 } from '../../src/channels/receiver-auth.ts';
import type { SendResult } from '../../src/channels/send-result.ts';
import { type Received, startHooks } from '../deliver/hooks.ts';
import { type ChannelWishes, closedPort, failure, openChannel } from './receiver.ts';

const clientSecret = 'p&ss: wörd/+';

/** Sends to one subscription after the other, as the channel does. */
function openSender(tokenUrl: string, url: string, wishes: ChannelWishes & Partial<OAuth2> = {}) {
  const { scope, audience, ...others } = wishes;
  const { http } = openChannel(others);
  const tokens = new AccessTokens(http);
  const given = { ...(scope !== undefined && { scope }), ...(audience !== undefined && { audience }) };
  const auth: OAuth2 = { type: 'OAUTH2', tokenUrl, clientId: 'flag hoist', clientSecret, ...given };
  return (subscription = 1, changes: Partial<OAuth2> = {}): Promise<SendResult> =>
    sendWithToken(
      http,
      { url, headers: ['content-type', 'application/json'], body: '{"a":1}' },
      tokens.sourceOf(subscription, { ...auth, ...changes }),
    );
}

const json = (response: ServerResponse, status: number, body: unknown) => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

/** Gives `token-1`, `token-2` and so on. */
function startTokenEndpoint(more: object = { expires_in: 3600 }) {
  let count = 0;
  return startHooks((response) => {
    count += 1;
    json(response, 200, { access_token: `token-${count}-of-the-endpoint`, token_type: 'Bearer', ...more });
  });
}

const delivered: SendResult = { kind: 'delivered', statusCode: 200, answer: 'thanks' };
const tokensAt = (received: Received[]) => received.map(({ headers }) => headers.authorization);

test('a token is requested as RFC 6749 says, kept, and sent along', async () => {
  const [endpoint, receiver] = [await startTokenEndpoint(), await startHooks()];
  const send = openSender(`${endpoint.url}/token`, receiver.url, { scope: 'a b', audience: 'https://b.example' });
  for (let i = 0; i < 3; i++) expect(await send()).toEqual(delivered);
  expect(tokensAt(receiver.received)).toEqual(Array(3).fill('Bearer token-1-of-the-endpoint'));
  expect(endpoint.received).toHaveLength(1);
  const [{ headers, body }] = endpoint.received as [Received];
  expect(headers['content-type']).toBe('application/x-www-form-urlencoded');
  expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
    grant_type: 'client_credentials',
    scope: 'a b',
    audience: 'https://b.example',
  });
  const [id, secret] = Buffer.from(headers.authorization!.slice(6), 'base64').toString().split(':');
  const decode = (text = '') => new URLSearchParams(`x=${text}`).get('x');
  expect([decode(id), decode(secret)]).toEqual(['flag hoist', clientSecret]);
});

test('notifications that wait for a token share one request', async () => {
  const [endpoint, receiver] = [await startTokenEndpoint(), await startHooks()];
  const send = openSender(endpoint.url, receiver.url);
  expect(await Promise.all(Array.from({ length: 20 }, () => send()))).toEqual(Array(20).fill(delivered));
  expect(endpoint.received).toHaveLength(1);
});

test('subscriptions share no tokens, and a changed configuration gets a token of its own', async () => {
  const [endpoint, receiver] = [await startTokenEndpoint(), await startHooks()];
  const send = openSender(endpoint.url, receiver.url);
  await send(1);
  await send(2);
  await send(1, { scope: 'more' });
  await send(1, { scope: 'more' });
  await send(1, { scope: 'more', clientSecret: 'rotated' });
  expect(tokensAt(receiver.received)).toEqual(
    [1, 2, 3, 3, 4].map((number) => `Bearer token-${number}-of-the-endpoint`),
  );
});

test.each<[string, object, number]>([
  ['that has expired is replaced', { expires_in: 0 }, 3],
  ['with a lifetime in quotes is kept', { expires_in: '3600' }, 1],
  ['without a lifetime is kept', {}, 1],
  ['with a lifetime that is none is kept', { expires_in: 'soon' }, 1],
])('a token %s', async (_, more, requests) => {
  const [endpoint, receiver] = [await startTokenEndpoint(more), await startHooks()];
  const send = openSender(endpoint.url, receiver.url);
  for (let i = 0; i < 3; i++) expect(await send()).toEqual(delivered);
  expect(endpoint.received).toHaveLength(requests);
});

test('a 401 replaces the token, and the same bytes are sent once more', async () => {
  const endpoint = await startTokenEndpoint();
  const receiver = await startHooks((response, { headers }) => {
    response.statusCode = headers.authorization === 'Bearer token-1-of-the-endpoint' ? 401 : 200;
    response.end('thanks');
  });
  const send = openSender(endpoint.url, receiver.url);
  expect(await Promise.all([send(), send(), send()])).toEqual([delivered, delivered, delivered]);
  expect(endpoint.received).toHaveLength(2);
  expect(new Set(receiver.received.map(({ body }) => body))).toEqual(new Set(['{"a":1}']));
  expect(await send()).toEqual(delivered);
  expect(endpoint.received).toHaveLength(2);
});

test('a second 401 is the failure, and no token is shown that the receiver repeats', async () => {
  const endpoint = await startTokenEndpoint();
  const receiver = await startHooks((response, { headers }) => {
    response.writeHead(401).end(`You sent ${headers.authorization}.`);
  });
  expect(await openSender(endpoint.url, receiver.url)()).toEqual({
    ...failure('The receiver answered 401, and again 401 with a new token.'),
    statusCode: 401,
    answer: 'You sent Bearer ***.',
  });
  expect([endpoint.received.length, receiver.received.length]).toEqual([2, 2]);
});

test('a 401 while no other token can be had tells both', async () => {
  let count = 0;
  const endpoint = await startHooks((response) => {
    count += 1;
    if (count === 1) json(response, 200, { access_token: 'first', token_type: 'bearer' });
    else json(response, 503, {});
  });
  const receiver = await startHooks((response) => response.writeHead(401).end());
  expect(await openSender(endpoint.url, receiver.url)()).toEqual({
    ...failure('The receiver answered 401. No token: the token endpoint answered 503.'),
    statusCode: 401,
  });
});

test.each<[string, (response: ServerResponse) => void, string]>([
  [
    'rejects the client',
    (response) => json(response, 401, { error: 'invalid_client', error_description: clientSecret }),
    'No token: the token endpoint answered 401 invalid_client.',
  ],
  [
    'rejects the scope',
    (response) => json(response, 400, { error: 'invalid_scope' }),
    'No token: the token endpoint answered 400 invalid_scope.',
  ],
  [
    'repeats the secret as its error',
    (response) => json(response, 400, { error: clientSecret }),
    'No token: the token endpoint answered 400.',
  ],
  [
    'redirects',
    (response) => response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(),
    'No token: the token endpoint answered 307: redirects are not followed.',
  ],
  [
    'answers a page',
    (response) => response.end('<html>'),
    'No token: the response of the token endpoint is not a JSON object.',
  ],
  [
    'answers null',
    (response) => response.end('null'),
    'No token: the response of the token endpoint is not a JSON object.',
  ],
  [
    'answers an empty object',
    (response) => json(response, 200, {}),
    'No token: the response of the token endpoint has no valid access_token.',
  ],
  [
    'answers a token with another header in it',
    (response) => json(response, 200, { access_token: 'a\r\nX-Injected: b' }),
    'No token: the response of the token endpoint has no valid access_token.',
  ],
  [
    'answers a token of another type',
    (response) => json(response, 200, { access_token: 'a', token_type: 'mac' }),
    'No token: the token endpoint gives tokens of another type than Bearer.',
  ],
  [
    'answers without end',
    (response) => {
      const more = () => response.write('x'.repeat(10_000), () => !response.destroyed && setImmediate(more));
      more();
    },
    'No token: the response of the token endpoint is too large.',
  ],
  [
    'hangs up',
    (response) => response.destroy(),
    'No token: the request to the token endpoint failed. The connection was closed before a response arrived.',
  ],
])('where the token endpoint %s, the receiver is not called', async (_, respond, reason) => {
  const [endpoint, receiver] = [await startHooks(respond), await startHooks()];
  expect(await openSender(endpoint.url, receiver.url)()).toEqual(failure(reason));
  expect(receiver.received).toEqual([]);
});

test('a token endpoint that is down, or in a forbidden place, is a failure without a call of the receiver', async () => {
  const receiver = await startHooks();
  const down = `http://127.0.0.1:${await closedPort()}/token`;
  const failed = 'No token: the request to the token endpoint failed.';
  expect(await openSender(down, receiver.url)()).toEqual(failure(`${failed} The connection was refused.`));
  const forbidden = openSender('http://169.254.169.254/token', receiver.url);
  expect(await forbidden()).toEqual(
    failure(`${failed} The host cannot be reached: its name has no address that notifications may be sent to.`),
  );
  expect(receiver.received).toEqual([]);
});

test('a slow token endpoint ends with the deadline of the attempt', async () => {
  const [endpoint, receiver] = [await startHooks(() => undefined), await startHooks()];
  const send = openSender(endpoint.url, receiver.url, { timeoutMs: 300 });
  expect(await send()).toMatchObject({
    kind: 'failed',
    reason: expect.stringMatching(/^No token: .*within 0\.3 s\.$/),
  });
  expect(receiver.received).toEqual([]);
});

test('the deadline covers the token and the receiver together', async () => {
  const endpoint = await startHooks((response) => {
    setTimeout(() => json(response, 200, { access_token: 'late' }), 300);
  });
  const receiver = await startHooks((response) => void setTimeout(() => response.end(), 450));
  const send = openSender(endpoint.url, receiver.url, { timeoutMs: 600 });
  expect(await send()).toEqual(failure('No response within 0.6 s.'));
  // The token is there by now.
  expect(await send()).toMatchObject({ kind: 'delivered' });
});

test('a failed request is remembered for a moment', async () => {
  const endpoint = await startHooks((response) => json(response, 503, {}));
  const send = openSender(endpoint.url, 'http://127.0.0.1:1/');
  for (let i = 0; i < 5; i++) expect(await send()).toMatchObject({ kind: 'failed' });
  expect(endpoint.received).toHaveLength(1);
  const askAgain = async () => {
    await send();
    return endpoint.received.length;
  };
  await expect.poll(askAgain, { timeout: 5_000 }).toBe(2);
});

test('a client whose credentials belong in the body gets its token, from then on with one request', async () => {
  const endpoint = await startHooks((response, { headers, body }) => {
    const isInBody = new URLSearchParams(body).get('client_secret') === clientSecret;
    if (isInBody && headers.authorization === undefined) json(response, 200, { access_token: 'token', expires_in: 0 });
    else json(response, 401, { error: 'invalid_client' });
  });
  const receiver = await startHooks();
  const send = openSender(endpoint.url, receiver.url);
  for (let i = 0; i < 3; i++) expect(await send()).toEqual(delivered);
  expect(endpoint.received).toHaveLength(4);
});

test('no member of the request can add a parameter or a header to it', async () => {
  const [endpoint, receiver] = [await startTokenEndpoint(), await startHooks()];
  const evil = 'a&grant_type=password&client_id=admin#?=+%0d%0aX-Evil:1 ü"';
  const send = openSender(endpoint.url, receiver.url, { scope: evil, audience: evil });
  expect(await send(1, { clientId: evil, clientSecret: evil })).toEqual(delivered);
  const [{ headers, body }] = endpoint.received as [Received];
  expect([...new URLSearchParams(body)]).toEqual([
    ['grant_type', 'client_credentials'],
    ['scope', evil],
    ['audience', evil],
  ]);
  expect(headers['x-evil']).toBeUndefined();
  const [id, secret, ...more] = Buffer.from(headers.authorization!.slice(6), 'base64').toString().split(':');
  const decode = (text = '') => new URLSearchParams(`x=${text}`).get('x');
  expect([decode(id), decode(secret), more]).toEqual([evil, evil, []]);
});
