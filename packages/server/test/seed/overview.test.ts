// Part 1 of the interface: its resources are there, and a client gets from its credentials to a notification with what
// the interface says and nothing else.

import { expect, test } from 'vitest';
import { settled, startHooks } from '../deliver/hooks.ts';
import { administrator } from '../support/access.ts';
import { useTestService } from '../support/test-service.ts';

const service = useTestService();

const named = ['Cargo', 'Voyage', 'PortCall', 'BunkerOrder', 'BunkerOrderLine', 'Document', 'Remarks'];

test.each([...named, 'WebhookSubscription'])('%s is a protected resource', async (resource) => {
  const answer = await service.get(`/ws/rest/${resource}`);
  expect([answer.status, Array.isArray(answer.body)]).toEqual([200, true]);
  expect((await fetch(`${service.url()}/ws/rest/${resource}`)).status).toBe(401);
});

test('a client gets a token, subscribes with it, and is sent what changes', async () => {
  const hooks = await startHooks();
  const { clientId, clientSecret } = administrator;
  const asked = await post('/oauth/token', {
    client_id: clientId,
    client_secret: clientSecret,
    audience: 'https://flaghoist.dev',
    grant_type: 'client_credentials',
  });
  expect(Object.keys(asked)).toEqual(expect.arrayContaining(['access_token', 'token_type', 'expires_in']));
  service.secrets.plantToken('a token of this test', asked.access_token);
  const authorization = `Bearer ${asked.access_token}`;
  const subscription = await post(
    '/ws/rest/WebhookSubscription',
    { eventType: 'Vessel.C', url: hooks.url },
    authorization,
  );
  service.secrets.plant('a signing secret', subscription.signingSecret);
  const vessel = await post('/ws/rest/Vessel', { vesselName: 'Northern Light' }, authorization);
  await settled(service, subscription, ['DELIVERED']);
  expect(JSON.parse(hooks.received[0]!.body)).toMatchObject({ eventType: 'C', serviceObject: vessel.key });
});

test('filter limits a list of subscriptions to those that match', async () => {
  const keys = [];
  for (const eventType of ['Port.C', 'Port.D']) {
    const { body } = await service.post('/ws/rest/WebhookSubscription', { eventType, url: 'http://127.0.0.1:9/' });
    service.secrets.plant('a signing secret', body.signingSecret);
    keys.push(body.key);
  }
  const { body } = await service.get('/ws/rest/WebhookSubscription?filter=eventType(EQ)Port.D');
  expect(body.map(({ key }: { key: number }) => key)).toEqual([keys[1]]);
});

async function post(path: string, body: object, authorization?: string) {
  const response = await fetch(`${service.url()}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
    body: JSON.stringify(body),
  });
  expect(response.ok).toBe(true);
  // biome-ignore lint/suspicious/noExplicitAny: answers of three shapes.
  return (await response.json()) as any;
}
