// Receivers behind gateways, with the whole service: a real OAuth server in front of a receiver that verifies its
// tokens, and credentials that contradict each other.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRemoteJWKSet, exportJWK, generateKeyPair, jwtVerify } from 'jose';
import Provider from 'oidc-provider';
import { expect, onTestFinished, test } from 'vitest';
import { mistakesIn, mistakesOf, pathOf, subscribe } from '../subscriptions/subscribe.ts';
import { useTestService } from '../support/test-service.ts';
import { createVoyage, settled, startHooks, subscribeTo } from './hooks.ts';

const service = useTestService({ FLAGHOIST_DELIVERY_ATTEMPTS: '3', FLAGHOIST_DELIVERY_INTERVAL_SECONDS: '0.2' });
const clientSecret = 'secret-at-the-gateway-7Hs2Kq9Lm4';
service.secrets.plant('the secret of the client', clientSecret);
const audience = 'https://receiver.example';

/** Clients of both methods; tokens are JWTs for the receiver. */
async function startIssuer() {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const client = (id: string, method: string) => ({
    client_id: id,
    client_secret: clientSecret,
    grant_types: ['client_credentials'],
    redirect_uris: [],
    response_types: [],
    token_endpoint_auth_method: method,
  });
  const jwt = { sign: { alg: 'RS256', kid: 'one' } };
  const provider = new Provider(url, {
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: 'one', alg: 'RS256', use: 'sig' }] },
    clients: [client('basic', 'client_secret_basic'), client('post', 'client_secret_post')],
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => audience,
        getResourceServerInfo: () => ({ scope: 'webhooks', audience, accessTokenFormat: 'jwt', jwt }),
      },
    },
  });
  server.on('request', provider.callback());
  return { tokenUrl: `${url}/token`, keys: createRemoteJWKSet(new URL(`${url}/jwks`)) };
}

/** Answers 200 to a valid token, and repeats what it was sent. */
async function startProtected(keys: ReturnType<typeof createRemoteJWKSet>) {
  const clients: unknown[] = [];
  const hooks = await startHooks(async (response, { headers }) => {
    const token = headers.authorization?.replace('Bearer ', '') ?? '';
    if (token !== '') service.secrets.plantToken('an access token', token);
    const verified = await jwtVerify(token, keys, { audience }).catch(() => undefined);
    if (verified) clients.push(verified.payload.client_id);
    response.statusCode = verified ? 200 : 401;
    response.end(JSON.stringify({ authorization: headers.authorization }));
  });
  return { ...hooks, clients };
}

test.each(['basic', 'post'])('a client (%s) of a real issuer gets its notifications through', async (clientId) => {
  const { tokenUrl, keys } = await startIssuer();
  const receiver = await startProtected(keys);
  const auth = { type: 'OAUTH2', tokenUrl, clientId, clientSecret, scope: 'webhooks' };
  const subscription = await subscribeTo(service, { channelInfo: { URL: receiver.url, auth } });
  await createVoyage(service);
  const [notification] = await settled(service, subscription, ['DELIVERED']);
  expect(receiver.clients).toEqual([clientId]);
  expect(notification.attemptLog[0].answer).toBe('{"authorization":"Bearer ***"}');
  expect(JSON.stringify(notification)).not.toContain(receiver.received[0]!.headers.authorization!.split(' ')[1]);
  await service.put(pathOf(subscription), { unsubscribed: true });
});

test('a client that the issuer rejects is recorded, and the receiver is not called', async () => {
  const { tokenUrl, keys } = await startIssuer();
  const receiver = await startProtected(keys);
  const auth = { type: 'OAUTH2', tokenUrl, clientId: 'nobody', clientSecret };
  const subscription = await subscribeTo(service, { channelInfo: { URL: receiver.url, auth } });
  await createVoyage(service);
  const [notification] = await settled(service, subscription, ['FAILED']);
  expect(notification.errorMessage).toContain('No token: the token endpoint answered 401 invalid_client.');
  expect([notification.attempts, receiver.received.length]).toEqual([3, 0]);
});

test('the envelope is byte for byte the same at each attempt, also after a 401', async () => {
  const { tokenUrl } = await startIssuer();
  let count = 0;
  const hooks = await startHooks((response) => {
    count += 1;
    response.statusCode = count < 3 ? 401 : 200;
    response.end();
  });
  const auth = { type: 'OAUTH2', tokenUrl, clientId: 'basic', clientSecret };
  const subscription = await subscribeTo(service, { channelInfo: { URL: hooks.url, auth } });
  await createVoyage(service);
  const [notification] = await settled(service, subscription, ['DELIVERED']);
  expect([notification.attempts, hooks.received.length]).toEqual([2, 3]);
  expect(new Set(hooks.received.map(({ body }) => body)).size).toBe(1);
  expect(new Set(hooks.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(hooks.received.map(({ headers }) => headers['flaghoist-attempt'])).toEqual(['1', '1', '2']);
  await service.put(pathOf(subscription), { unsubscribed: true });
});

const oauth = { type: 'OAUTH2', tokenUrl: 'https://login.example/token', clientId: 'a', clientSecret };

test('what sets the header Authorization twice is rejected, sent together or one after the other', async () => {
  const body = { eventType: 'Voyage.U', url: 'https://a.example/' };
  const rule = 'each sets the header Authorization. Keep one of them, and set what is not wanted to null.';
  expect(await mistakesIn(service, { ...body, webhookUsername: 'u', channelInfo: { auth: oauth } })).toEqual([
    `channelInfo.auth: cannot be combined with webhookUsername: ${rule}`,
  ]);
  const headers = { authorization: 'Custom x' };
  expect(await mistakesIn(service, { ...body, webhookPassword: 'p', headers })).toEqual([
    `headers.Authorization: cannot be combined with webhookUsername: ${rule}`,
  ]);
  const made = await subscribe(service, { headers });
  expect(mistakesOf(await service.put(pathOf(made), { webhookUsername: 'u' }))).toEqual([
    `webhookUsername: cannot be combined with headers.Authorization: ${rule}`,
  ]);
  expect(mistakesOf(await service.put(pathOf(made), { channelInfo: { auth: oauth } }))).toEqual([
    `channelInfo.auth: cannot be combined with headers.Authorization: ${rule}`,
  ]);
  const answer = await service.put(pathOf(made), { channelInfo: { auth: oauth }, headers: null });
  expect(answer.status, answer.text).toBe(200);
});
