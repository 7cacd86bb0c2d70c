// The alert mail about a deactivated subscription has a command that replaces it. The new subscription must match and
// send the same, so the command repeats every setting. It has no secret, but says where each one belongs.

import { expect, test } from 'vitest';
import { composeAlertMail } from '../../src/deliver/mail/compose-alert-mail.ts';
import { type FailingRow, selectFailing } from '../../src/deliver/outcomes/deactivation-table.ts';
import type { ReadyNotification } from '../../src/deliver/queue/ready-notification.ts';
import { webhooks } from '../../src/model/catalogue/webhooks.ts';
import { useAuthority } from '../channels/certificates.ts';
import { userCredentials } from '../nats/user-credentials.ts';
import { makeScript, stylesheet } from '../shape/shaped.ts';
import { deactivate, mistakesOf, pathOf, post, receiver, subscribe } from '../subscriptions/subscribe.ts';
import type { Shown } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';

const service = useTestService();
const client = useAuthority().issue('DNS:client');
const clientSecret = 'a-client-secret-of-oauth';
service.secrets.plant('a client secret', clientSecret);
service.secrets.plant('a private key', client.key.split('\n')[1]!);

/** Each with a value that is not the default. */
const settings = {
  name: 'Vessels to the agent',
  webhookUsername: 'agent',
  json: Buffer.from('{"vesselName":"*"}').toString('base64'),
  expression: '.vesselName = Kari',
  dlpAlertScript: 'repeated',
  scriptParameterValues: { least: 10 },
  useMsg: true,
  onlyMainObject: true,
  rawObject: true,
  includeChanges: true,
  xsl: stylesheet('<xsl:template match="/"><out/></xsl:template>'),
  notSendMyChanges: true,
  ordering: 'OBJECT',
  retryPolicy: { attempts: 7, intervalSeconds: 20, backoff: 'EXPONENTIAL', maxIntervalSeconds: 600 },
  ratePerSecond: 2.5,
};

/** What stands for them in the command. */
const secrets = { webhookPassword: '***', headers: { 'X-Api-Key': '***', 'X-Tenant': '***' } };
const sentSecrets = { webhookPassword: 'a-password', headers: { 'X-Api-Key': 'an-api-key', 'X-Tenant': 'north' } };

/** Settable attributes that are not among the repeated settings, and why. */
const others = {
  eventTypes: 'in the command',
  eventType: 'in the command',
  objectType: 'in the command, as a part of eventType',
  operation: 'in the command, as a part of eventType',
  objectKey: 'in the command, as a part of eventType',
  url: 'in the command',
  channelInfo: 'in the command, if there is more than a URL over HTTP',
  replaces: 'in the command',
  acknowledgeSeconds: 'of streams, which are never deactivated',
  signingSecret: 'kept by replaces',
  user: 'the owner, who gets the mail',
  unsubscribed: 'cannot be true in a new subscription',
  doNotUnsubscribe: 'false, or it would not be deactivated',
};

async function readSubscription({ key }: Shown): Promise<FailingRow['subscription']> {
  const failed = { key: 1, subscriptionKey: key, attempts: 0, resendJob: null } as ReadyNotification;
  const [row] = await service.database.connections.run(selectFailing(failed, 1));
  return (row as unknown as FailingRow).subscription;
}

async function repeatedSettings(shown: Shown): Promise<FailingRow['subscription']['shape']> {
  return (await readSubscription(shown)).shape;
}

/** What the first command of the mail sends. */
async function bodyOfCommand(shown: Shown): Promise<Shown> {
  const { text } = composeAlertMail({
    subscription: await readSubscription(shown),
    user: { name: 'Kari', email: 'kari@agent.example' },
    failingSince: new Date(),
    firstAttemptAt: new Date(),
    lastAttemptAt: new Date(),
    attempts: 5,
    schedule: { attemptsMax: 5, intervalMs: 60_000, isExponential: false, intervalMaxMs: 60_000 },
    hasOwnPolicy: false,
    lastError: 'The receiver answered 503.',
    lastAnswer: null,
    waiting: 1,
    collectsUntil: null,
    baseUrl: 'https://fleet.example',
  });
  return JSON.parse(/ -d '(\{.*?\n {2}\})' /s.exec(text)![1]!);
}

test('every attribute that can be set is a setting that the command repeats, or there is a reason', () => {
  const attributes = Object.entries(webhooks.WebhookSubscription!.attributes);
  const settable = attributes.filter(
    ([, { isReadOnly, isComputed, isHidden }]) => !isReadOnly && !isComputed && !isHidden,
  );
  expect(Object.keys({ ...settings, ...secrets, ...others }).sort()).toEqual(settable.map(([name]) => name).sort());
});

test('the command creates a subscription with the same settings', async () => {
  const parameters = [{ name: 'least', type: 'number' }];
  await makeScript(service, 'return parameters.least > 1;', { code: settings.dlpAlertScript, parameters });
  const old = await subscribe(service, { eventType: 'Vessel.U', ...settings, ...sentSecrets });
  const repeated = await repeatedSettings(old);
  expect(repeated).toEqual({ ...settings, ...secrets });
  await deactivate(service, old);
  const command = await bodyOfCommand(old);
  expect(command).toEqual({ eventType: 'Vessel.U', url: receiver, ...repeated, replaces: old.key });
  const unfilled = await post(service, command);
  expect(
    mistakesOf(unfilled)
      .map((mistake) => mistake.split(':')[0])
      .sort(),
  ).toEqual(['headers.X-Api-Key', 'headers.X-Tenant', 'webhookPassword']);
  const made = await post(service, { ...command, ...sentSecrets });
  expect(made.status, made.text).toBe(201);
  expect(made.body).toMatchObject({ ...settings, headers: secrets.headers });
});

const oauth = {
  type: 'OAUTH2',
  tokenUrl: 'https://login.example/token',
  clientId: 'flaghoist',
  scope: 'a',
  audience: 'b',
};
const nats = { channelType: 'NATS', URL: 'tls://nats.example:4222', subject: 'fleet.{objectKey}' };

test.each<[string, object, string, () => object]>([
  ['HTTP, OAUTH2', { channelType: 'HTTP', URL: receiver }, 'clientSecret', () => ({ ...oauth, clientSecret })],
  [
    'HTTP, MTLS',
    { channelType: 'HTTP', URL: receiver },
    'privateKey',
    () => ({ type: 'MTLS', certificate: client.cert, privateKey: client.key }),
  ],
  ['NATS, CREDENTIALS', nats, 'credentials', () => ({ type: 'CREDENTIALS', credentials: userCredentials(service) })],
  ['NATS, MTLS', nats, 'privateKey', () => ({ type: 'MTLS', certificate: client.cert, privateKey: client.key })],
])('the command repeats all of the channel: %s', async (_, channel, secretName, makeAuth) => {
  const auth = makeAuth();
  const old = await subscribe(service, { url: undefined, channelInfo: { ...channel, auth } });
  const command = await bodyOfCommand(old);
  expect(command.channelInfo).toEqual({ ...channel, auth: { ...auth, [secretName]: '***' } });
  await deactivate(service, old);
  expect(mistakesOf(await post(service, command))).toEqual([
    `channelInfo.auth.${secretName}: cannot be ***, which stands for a secret: send the secret.`,
  ]);
  const made = await post(service, { ...command, channelInfo: { ...channel, auth } });
  expect([made.status, made.body.channelInfo]).toEqual([201, old.channelInfo]);
  expect((await service.get(pathOf(made.body))).body.channelInfo).toEqual(old.channelInfo);
});

test('the command repeats the address of a mail, and the subject of NATS', async () => {
  for (const channelInfo of [{ channelType: 'EMAIL', URL: 'ops@agent.example' }, nats]) {
    const made = await subscribe(service, { url: undefined, channelInfo });
    expect((await bodyOfCommand(made)).channelInfo).toEqual(channelInfo);
  }
});

test('the command leaves out what was set for another channel', async () => {
  const old = await subscribe(service, { webhookUsername: 'agent', headers: sentSecrets.headers });
  const channelInfo = { channelType: 'EMAIL', URL: 'ops@agent.example' };
  expect((await service.put(pathOf(old), { channelInfo })).status).toBe(200);
  const command = await bodyOfCommand(old);
  expect(command).toEqual({ eventType: 'BunkerOrder.U', channelInfo, replaces: old.key });
  await deactivate(service, old);
  expect((await post(service, command)).status).toBe(201);
});

test('a setting that has its default is left out', async () => {
  expect(await repeatedSettings(await subscribe(service))).toEqual({});
});
