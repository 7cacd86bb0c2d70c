// What can be changed of a subscription, attribute by attribute, and what stays as it is.

import { beforeAll, describe, expect, test } from 'vitest';
import { openEncryption } from '../../src/auth/encryption/encryption.ts';
import { webhookPasswordPurpose } from '../../src/subscriptions/channel/secret-purposes.ts';
import { administratorSettings } from '../support/access.ts';
import { expectErrorBody } from '../support/error-body.ts';
import { createFleet, createVoyage, read, type Shown } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { identityStylesheet, inBase64, mistakesOf, pathOf, receiver, subscribe } from './subscribe.ts';

const service = useTestService();
const put = (subscription: Shown, body: unknown) => service.put(pathOf(subscription), body);
let voyage: Shown;
beforeAll(async () => {
  voyage = await createVoyage(service, await createFleet(service));
});

describe('can be updated', () => {
  const other = 'https://other.example/hooks';
  test.each<[string, unknown]>([
    ['url', other],
    ['channelInfo', { channelType: 'HTTP', URL: other }],
    ['channelInfo', { channelType: 'EMAIL', URL: 'ops@agent.example' }],
    ['webhookUsername', 'somebody'],
    ['webhookUsername', null],
    ['json', inBase64('{"extraCost":"*"}')],
    ['json', null],
    ['expression', 'svcObject.getExtraCost() == null'],
    ['expression', null],
    ['dlpAlertScript', null],
    ['scriptParameterValues', {}],
    ['scriptParameterValues', null],
    ['useMsg', false],
    ['doNotUnsubscribe', true],
    ['unsubscribed', true],
  ])('%s, to %j', async (name, value) => {
    const made = await subscribe(service, {
      webhookUsername: 'flaghoist',
      json: inBase64('{"bunkeredDate":"*"}'),
      expression: 'svcObject.getExtraCost() != null',
    });
    const { status, body } = await put(made, { [name]: value });
    expect([status, body[name]]).toEqual([200, value]);
    expect(await read(service, 'WebhookSubscription', made.key)).toEqual(body);
  });

  test('webhookPassword, which is stored encrypted and never shown', async () => {
    const encryption = openEncryption(Buffer.from(administratorSettings.FLAGHOIST_ENCRYPTION_KEY!, 'base64'));
    const stored = async (key: number) => {
      const { rows } = await service.database.pool.query(
        'select webhook_password from flaghoist_service.webhook_subscription where key = $1',
        [key],
      );
      const sealed = rows[0].webhook_password;
      return sealed === null ? null : encryption.decrypt(webhookPasswordPurpose, sealed);
    };
    const [first, second] = ['planted-webhook-password-1', 'planted-webhook-password-2'];
    service.secrets.plant('a password', first);
    service.secrets.plant('another password', second);
    const made = await subscribe(service, { webhookPassword: first });
    expect(made).not.toHaveProperty('webhookPassword');
    expect(await stored(made.key)).toBe(first);
    const { status, body } = await put(made, { webhookPassword: second });
    expect([status, body]).toEqual([200, { ...made, modifiedDate: body.modifiedDate }]);
    expect(await stored(made.key)).toBe(second);
    expect((await put(made, { url: 'https://third.example/' })).status).toBe(200);
    expect(await stored(made.key)).toBe(second);
    expect((await put(made, { webhookPassword: null })).status).toBe(200);
    expect(await stored(made.key)).toBeNull();
  });
});

describe('url and channelInfo', () => {
  const address = 'ops@agent.example';
  const email = { channelType: 'EMAIL', URL: address };

  test('a url alone keeps the channel type, and channelInfo follows', async () => {
    const mail = await subscribe(service, { url: null, channelInfo: email });
    const { body } = await put(mail, { url: 'other@agent.example' });
    expect(body).toMatchObject({
      url: 'other@agent.example',
      channelInfo: { channelType: 'EMAIL', URL: 'other@agent.example' },
    });
    expect(mistakesOf(await put(mail, { url: receiver }))).toMatchObject([expect.stringMatching(/^url: .*e-mail/)]);
  });

  test('a channelInfo alone changes url with it', async () => {
    const made = await subscribe(service);
    expect((await put(made, { channelInfo: email })).body).toMatchObject({ url: address, channelInfo: email });
  });

  test('a URL in channelInfo alone keeps the channel type', async () => {
    const mail = await subscribe(service, { url: null, channelInfo: email });
    const { body } = await put(mail, { channelInfo: { URL: 'other@agent.example' } });
    expect(body.channelInfo).toEqual({ channelType: 'EMAIL', URL: 'other@agent.example' });
  });

  test('if a whole object is sent back, the one that differs counts', async () => {
    const made = await subscribe(service);
    const byUrl = (await put(made, { ...made, url: 'https://a.example/' })).body;
    expect(byUrl).toMatchObject({ url: 'https://a.example/', channelInfo: { URL: 'https://a.example/' } });
    const { body } = await put(made, {
      url: byUrl.url,
      channelInfo: { channelType: 'HTTP', URL: 'https://b.example/' },
    });
    expect(body).toMatchObject({ url: 'https://b.example/', channelInfo: { URL: 'https://b.example/' } });
  });

  test('that are unchanged change nothing, not even the date', async () => {
    const made = await subscribe(service);
    const etag = (await service.get(pathOf(made))).headers.get('etag');
    expect((await put(made, { url: made.url, channelInfo: made.channelInfo })).headers.get('etag')).toBe(etag);
  });
});

describe('stays as it is', () => {
  test.each<[string, () => unknown]>([
    ['eventType', () => 'BunkerOrder.D'],
    ['eventType', () => 'D'],
    ['eventType', () => `Voyage.U.${voyage.key}`],
    ['eventType', () => null],
    ['eventType', () => 5],
    ['objectType', () => 'Voyage'],
    ['operation', () => 'D'],
    ['objectKey', () => voyage.key],
    ['user', () => null],
    ['onlyMainObject', () => true],
    ['rawObject', () => true],
    ['includeChanges', () => true],
    ['notSendMyChanges', () => true],
    ['xsl', () => inBase64(identityStylesheet)],
    ['externalObjectKey', () => 'another'],
    ['key', () => 1],
    ['self', () => 'https://other.example/'],
    ['createdDate', () => '2020-01-01T00:00:00'],
    ['modifiedDate', () => '2020-01-01T00:00:00'],
    ['createdById', () => 1],
    ['changedById', () => 1],
    ['state', () => 'UNSUBSCRIBED'],
    ['stateDate', () => '2020-01-01T00:00:00'],
    ['stateReason', () => 'Because.'],
  ])('%s: another value is a 400 that names it', async (name, value) => {
    const made = await subscribe(service);
    const answer = await put(made, { [name]: value(), webhookUsername: 'changed' });
    expect(expectErrorBody(answer, 400).violations).toEqual([{ path: name, message: expect.any(String) }]);
    expect(await read(service, 'WebhookSubscription', made.key)).toEqual(made);
  });

  test('values that are sent back unchanged, in any form, are ignored', async () => {
    const made = await subscribe(service, { eventType: `Voyage.U.${voyage.key}`, externalObjectKey: 'mine' });
    for (const body of [
      made,
      { eventType: `Voyage.U.${voyage.key}` },
      { eventType: 'U' },
      { eventType: 'U', objectType: 'Voyage', objectKey: voyage.key },
      { operation: 'U', objectKey: voyage.key },
      { user: made.user.key },
      { user: { key: made.user.key } },
      { externalObjectKey: 'mine' },
    ]) {
      const answer = await put(made, body);
      expect([answer.status, answer.body], JSON.stringify(body)).toEqual([200, made]);
    }
    const all = await subscribe(service);
    expect((await put(all, { eventType: 'BunkerOrder.U', objectKey: null })).status).toBe(200);
  });
});

test('If-Match protects a change', async () => {
  const made = await subscribe(service);
  const etag = (await service.get(pathOf(made))).headers.get('etag')!;
  expect((await service.put(pathOf(made), { webhookUsername: 'one' }, { 'if-match': etag })).status).toBe(200);
  expectErrorBody(await service.put(pathOf(made), { webhookUsername: 'two' }, { 'if-match': etag }), 412);
});

test('two concurrent changes of different attributes are both kept', async () => {
  const made = await subscribe(service);
  const changes = [{ webhookUsername: 'one' }, { doNotUnsubscribe: true }, { url: 'https://third.example/' }];
  const statuses = await Promise.all(changes.map(async (change) => (await put(made, change)).status));
  expect(statuses).toEqual([200, 200, 200]);
  expect(await read(service, 'WebhookSubscription', made.key)).toMatchObject(Object.assign({}, ...changes));
});
