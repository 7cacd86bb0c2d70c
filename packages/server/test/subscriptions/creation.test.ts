// Creating subscriptions: each use case that the interface shows, each way to say the event type and the channel.

import { beforeAll, describe, expect, test } from 'vitest';
import { bunkerOrderBody, create, createFleet, createVoyage, type Shown } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { least, pathOf, post, receiver, subscribe, subscriptions } from './subscribe.ts';

const service = useTestService();
let order: Shown;
let voyage: Shown;
beforeAll(async () => {
  const fleet = await createFleet(service);
  voyage = await createVoyage(service, fleet);
  order = await create(service, 'BunkerOrder', bunkerOrderBody(fleet, voyage.portCalls[0].key));
});

describe('the creation use cases', () => {
  const cases: [string, () => object, () => object][] = [
    [
      'a BunkerOrder with a given key, on update',
      () => ({ eventType: `BunkerOrder.U.${order.key}`, url: receiver }),
      () => ({ objectType: 'BunkerOrder', operation: 'U', objectKey: order.key }),
    ],
    [
      'any BunkerOrder, on update',
      () => ({ eventType: 'BunkerOrder.U', url: receiver }),
      () => ({ objectType: 'BunkerOrder', operation: 'U', objectKey: null }),
    ],
    [
      'a BunkerOrder, on create',
      () => ({ eventType: 'BunkerOrder.C', url: receiver }),
      () => ({ objectType: 'BunkerOrder', operation: 'C', objectKey: null }),
    ],
    [
      'a BunkerOrder with a given key, on delete',
      () => ({ eventType: `BunkerOrder.D.${order.key}`, url: receiver }),
      () => ({ objectType: 'BunkerOrder', operation: 'D', objectKey: order.key }),
    ],
    [
      'any BunkerOrder, on delete',
      () => ({ eventType: 'BunkerOrder.D', url: receiver }),
      () => ({ objectType: 'BunkerOrder', operation: 'D', objectKey: null }),
    ],
    [
      'any BunkerOrder, on update, by e-mail',
      () => ({ eventType: 'BunkerOrder.U', channelInfo: { channelType: 'EMAIL', URL: 'ops@agent.example' } }),
      () => ({ url: 'ops@agent.example', channelInfo: { channelType: 'EMAIL', URL: 'ops@agent.example' } }),
    ],
    [
      'a Voyage, only for the object itself',
      () => ({ eventType: 'Voyage.U', url: receiver, onlyMainObject: true }),
      () => ({ objectType: 'Voyage', onlyMainObject: true }),
    ],
  ];
  test.each(cases)('%s', async (_, body, expected) => {
    const { status, body: created, headers } = await post(service, body());
    expect([status, created]).toMatchObject([201, { ...body(), ...expected(), state: 'ACTIVE' }]);
    expect(headers.get('location')).toBe(created.self);
    const { signingSecret, ...kept } = created;
    expect((await service.get(pathOf(created))).body).toEqual(kept);
  });
});

test('a minimal request returns the whole object, with every default', async () => {
  const created = (await post(service, least)).body;
  const date = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
  expect(created).toEqual({
    key: expect.any(Number),
    self: `${service.url()}${subscriptions}/${created.key}`,
    createdDate: date,
    modifiedDate: date,
    createdById: created.user.key,
    changedById: created.user.key,
    externalObjectKey: null,
    eventTypes: ['BunkerOrder.U'],
    eventType: 'BunkerOrder.U',
    objectType: 'BunkerOrder',
    operation: 'U',
    objectKey: null,
    user: { key: expect.any(Number), self: expect.any(String), userCode: 'admin', name: expect.any(String) },
    name: null,
    url: receiver,
    channelInfo: { channelType: 'HTTP', URL: receiver },
    headers: null,
    acknowledgeSeconds: null,
    retryPolicy: null,
    ratePerSecond: null,
    unsubscribed: false,
    webhookUsername: null,
    json: null,
    expression: null,
    dlpAlertScript: null,
    scriptParameterValues: null,
    useMsg: false,
    onlyMainObject: false,
    ordering: 'NONE',
    rawObject: false,
    includeChanges: false,
    xsl: null,
    doNotUnsubscribe: false,
    notSendMyChanges: false,
    failingSince: null,
    consecutiveFailures: 0,
    shapingFailures: 0,
    shapingError: null,
    replaces: null,
    state: 'ACTIVE',
    stateDate: date,
    stateReason: null,
    signingSecret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
  });
});

test('every attribute is stored as it was sent', async () => {
  const said = {
    ...least,
    name: 'Bunker orders',
    webhookUsername: 'flaghoist',
    json: Buffer.from('{"bunkeredDate":"*"}').toString('base64'),
    expression: 'svcObject.getExtraCost() != null && svcObject.getExtraCost() > 100',
    scriptParameterValues: {},
    onlyMainObject: true,
    rawObject: true,
    doNotUnsubscribe: true,
    notSendMyChanges: true,
    externalObjectKey: 'agent-17',
  };
  expect(await subscribe(service, said)).toMatchObject(said);
});

describe('the event type can be written', () => {
  const forms: [string, () => object][] = [
    ['dotted', () => ({ eventType: `Voyage.U.${voyage.key}` })],
    [
      'as the letter with objectType and objectKey',
      () => ({ eventType: 'U', objectType: 'Voyage', objectKey: voyage.key }),
    ],
    [
      'as operation with objectType and objectKey',
      () => ({ operation: 'U', objectType: 'Voyage', objectKey: voyage.key }),
    ],
    [
      'in all ways at once',
      () => ({ eventType: `Voyage.U.${voyage.key}`, operation: 'U', objectType: 'Voyage', objectKey: voyage.key }),
    ],
    [
      'dotted without the key, and the key beside',
      () => ({ eventType: 'U', operation: 'U', objectType: 'Voyage', objectKey: voyage.key }),
    ],
  ];
  test.each(forms)('%s', async (_, form) => {
    const { status, body } = await post(service, { url: receiver, ...form() });
    expect([status, body]).toMatchObject([
      201,
      { eventType: `Voyage.U.${voyage.key}`, objectType: 'Voyage', operation: 'U', objectKey: voyage.key },
    ]);
  });

  test('as the parts without a key, which may be null', async () => {
    for (const objectKey of [null, undefined]) {
      const { body } = await post(service, { url: receiver, eventType: 'D', objectType: 'Voyage', objectKey });
      expect(body).toMatchObject({ eventType: 'Voyage.D', objectKey: null });
    }
  });
});

describe('the address can be written', () => {
  const http = { channelType: 'HTTP', URL: receiver };
  test.each<[string, object]>([
    ['as url', { url: receiver }],
    ['as channelInfo', { channelInfo: http }],
    ['as channelInfo without a channel type', { channelInfo: { URL: receiver } }],
    ['as both, which agree', { url: receiver, channelInfo: http }],
    ['as url, with the channel type beside', { url: receiver, channelInfo: { channelType: 'HTTP' } }],
    ['as url, with channelInfo null', { url: receiver, channelInfo: null }],
    ['as channelInfo, with url null', { url: null, channelInfo: http }],
  ])('%s', async (_, said) => {
    const { status, body } = await post(service, { eventType: 'Voyage.U', ...said });
    expect([status, body]).toMatchObject([201, { url: receiver, channelInfo: http }]);
  });
});

describe('the signing secret', () => {
  test('is shown once: a repeat of the request does not show it again', async () => {
    const headers = { 'idempotency-key': 'once' };
    const first = await post(service, least, headers);
    expect(first.body.signingSecret).toMatch(/^whsec_/);
    expect(first.headers.get('cache-control')).toBe('no-store');
    service.secrets.plant('the signing secret', first.body.signingSecret);
    const { signingSecret, ...kept } = first.body;
    const repeated = await post(service, least, headers);
    expect([repeated.status, repeated.body]).toEqual([201, kept]);
  });

  test('is different for each subscription of an array', async () => {
    const { status, body } = await post(service, [least, { ...least, eventType: 'BunkerOrder.D' }]);
    expect(status).toBe(201);
    expect(body.map(({ eventType }: Shown) => eventType)).toEqual(['BunkerOrder.U', 'BunkerOrder.D']);
    expect(new Set(body.map(({ signingSecret }: Shown) => signingSecret)).size).toBe(2);
  });
});

test('a list shows everything except the secrets', async () => {
  const made = await subscribe(service, { webhookUsername: 'listed' });
  const { body } = await service.get(`${subscriptions}?filter=webhookUsername(EQ)listed`);
  const { user, ...shown } = made;
  expect(body).toEqual([{ ...shown, user: { key: user.key, self: user.self } }]);
});
