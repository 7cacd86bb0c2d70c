// Subscriptions at older API versions: what came later is a 400 where it is sent, and is absent where it is read.

import { describe, expect, test } from 'vitest';
import { createClient } from '../support/access.ts';
import { useTestService } from '../support/test-service.ts';
import { inBase64, least, mistakesOf, pathOf, post, subscribe, subscriptions } from './subscribe.ts';

const service = useTestService();
const at = (version: string) => ({ 'api-version': version });

/** Attribute, the version before it, the version that it came with, and a value. */
const additions: [string, string, string, unknown][] = [
  ['channelInfo', '3.8', '3.9', { channelType: 'HTTP', URL: least.url }],
  ['json', '3.8', '3.9', inBase64('{"extraCost":"*"}')],
  ['expression', '3.8', '3.9', 'svcObject.getExtraCost() == null'],
  ['dlpAlertScript', '3.8', '3.9', null],
  ['scriptParameterValues', '3.8', '3.9', {}],
  ['useMsg', '3.8', '3.9', false],
  ['onlyMainObject', '3.15', '3.16', true],
  ['rawObject', '5.22', '5.23', true],
  ['xsl', '5.23', '5.24', null],
  ['doNotUnsubscribe', '6.9', '6.10', true],
  ['notSendMyChanges', '6.43', '6.44', true],
];

describe.each(additions)('%s', (name, before, since, value) => {
  const later =
    `${name}: came with API version ${since}; this request uses an older one. Ask for it with the header ` +
    `API-Version: ${since}.`;

  test(`can be sent at ${since}, and not before`, async () => {
    expect((await post(service, { ...least, [name]: value }, at(since))).status).toBe(201);
    expect(mistakesOf(await post(service, { ...least, [name]: value }, at(before)))).toEqual([later]);
    const made = await subscribe(service);
    expect(mistakesOf(await service.put(pathOf(made), { [name]: value }, at(before)))).toEqual([later]);
  });

  test(`is shown at ${since}, and not before`, async () => {
    const made = await subscribe(service);
    expect((await service.get(pathOf(made), at(since))).body).toHaveProperty(name);
    expect((await service.get(pathOf(made), at(before))).body).not.toHaveProperty(name);
    const query = `${subscriptions}?filter=key(EQ)${made.key}`;
    expect((await service.get(query, at(since))).body[0]).toHaveProperty(name);
    expect((await service.get(query, at(before))).body[0]).not.toHaveProperty(name);
  });
});

test('attributes newer than the version have their defaults', async () => {
  const made = await subscribe(service, {}, { ...at('3.3') });
  expect((await service.get(pathOf(made))).body).toMatchObject({
    channelInfo: { channelType: 'HTTP', URL: least.url },
    onlyMainObject: false,
    rawObject: false,
    notSendMyChanges: false,
    state: 'ACTIVE',
  });
});

test('state and the attributes beside it have no version', async () => {
  const made = await subscribe(service);
  const { body } = await service.get(pathOf(made), at('3.3'));
  expect(Object.keys(body)).toEqual(expect.arrayContaining(['state', 'stateDate', 'stateReason', 'objectType']));
});

describe('below 3.9', () => {
  const email = { channelType: 'EMAIL', URL: 'ops@agent.example' };

  test("url shows an e-mail subscription's address", async () => {
    const made = await subscribe(service, { url: null, channelInfo: email });
    expect((await service.get(pathOf(made), at('3.3'))).body.url).toBe('ops@agent.example');
  });

  test('a new url of an e-mail subscription must be a mail address, and the channel stays e-mail', async () => {
    const made = await subscribe(service, { url: null, channelInfo: email });
    expect(mistakesOf(await service.put(pathOf(made), { url: least.url }, at('3.3')))).toHaveLength(1);
    expect((await service.put(pathOf(made), { url: 'b@agent.example' }, at('3.3'))).status).toBe(200);
    expect((await service.get(pathOf(made))).body).toMatchObject({
      url: 'b@agent.example',
      channelInfo: { channelType: 'EMAIL', URL: 'b@agent.example' },
    });
  });

  test('a PUT leaves newer attributes alone', async () => {
    const newer = { expression: 'svcObject.getExtraCost() == null', onlyMainObject: true, notSendMyChanges: true };
    const made = await subscribe(service, newer);
    const old = (await service.get(pathOf(made), at('3.3'))).body;
    expect((await service.put(pathOf(made), { ...old, webhookUsername: 'new' }, at('3.3'))).status).toBe(200);
    expect((await service.get(pathOf(made))).body).toMatchObject({ ...newer, webhookUsername: 'new' });
  });
});

test("the user's version applies if the request names none", async () => {
  const client = await createClient(service, ['read', 'webhook'], { apiVersion: '3.3' });
  const { body } = await post(service, least, client.headers);
  expect(body).not.toHaveProperty('channelInfo');
  const newest = (await service.get(pathOf(body), { ...client.headers, ...at('6.44') })).body;
  expect(newest).toHaveProperty('channelInfo');
});
