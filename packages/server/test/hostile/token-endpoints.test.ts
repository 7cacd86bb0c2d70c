// A token endpoint whose name turns to a private address after the subscription was saved: nothing connects to it, and
// the attempt is recorded as for a receiver with such a name.

import { expect, test } from 'vitest';
import { type Reply, startNameServer } from '../channels/name-server.ts';
import { startReceiver } from '../channels/receiver.ts';
import { createVoyage, settled, startHooks, subscribeTo } from '../deliver/hooks.ts';
import { useTestService } from '../support/test-service.ts';

const answers = new Map<string, Reply>();
const nameServer = await startNameServer(({ name }) => answers.get(name) ?? 'NXDOMAIN');
const service = useTestService({
  FLAGHOIST_DNS_SERVERS: nameServer.address,
  // The receiver. The token endpoint is at another loopback address.
  FLAGHOIST_ALLOWED_TARGETS: '127.0.0.1/32',
  FLAGHOIST_DELIVERY_ATTEMPTS: '1',
});

const noAddress = 'The host cannot be reached: its name has no address that notifications may be sent to.';

test.each<[string, string[]]>([
  ['a private address', ['127.0.0.2']],
  ['a public and a private address', ['93.184.215.14', '127.0.0.2']],
  ['the address of metadata', ['169.254.169.254']],
])('a name that turns to %s is not connected to', async (_, addresses) => {
  const canary = await startReceiver({ host: '127.0.0.2' });
  const hooks = await startHooks();
  answers.set('login.example', { addresses: ['93.184.215.14'] });
  const auth = {
    type: 'OAUTH2',
    tokenUrl: `http://login.example:${canary.port}/token`,
    clientId: 'a',
    clientSecret: 'a-client-secret',
  };
  const subscription = await subscribeTo(service, { url: hooks.url, channelInfo: { auth } });
  answers.set('login.example', { addresses });
  await createVoyage(service);
  const [recorded] = await settled(service, subscription, ['FAILED']);
  const errorMessage = `No token: the request to the token endpoint failed. ${noAddress}`;
  expect(recorded).toMatchObject({ errorMessage, attempts: 1 });
  expect(recorded!.attemptLog).toMatchObject([{ statusCode: null, answer: null, error: errorMessage }]);
  expect([canary.accepted, hooks.received]).toEqual([0, []]);
  // Saving tells more: only those who may write subscriptions see it.
  const refused = await service.post('/ws/rest/WebhookSubscription', {
    eventType: 'Voyage.C',
    url: hooks.url,
    channelInfo: { auth },
  });
  expect([refused.status, refused.body.violations?.map(({ path }: { path: string }) => path)]).toEqual([
    400,
    ['channelInfo.auth.tokenUrl'],
  ]);
});
