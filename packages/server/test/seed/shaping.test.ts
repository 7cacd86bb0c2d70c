// Part 6.3 of the interface, from the change to what is sent: expressions, scripts, their messages, stylesheets.

import { describe, expect, test } from 'vitest';
import { createVoyage, notificationsOf, readSubscription, settled, startHooks, subscribeTo } from '../deliver/hooks.ts';
import { create } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';

const service = useTestService();

const change = (voyage: number, body: object) => service.put(`/ws/rest/Voyage/${voyage}`, body);

async function makeScript(code: string, body: string, more: object = {}) {
  return await create(service, 'AlertScript', { code, name: code, body, ...more });
}

describe('an expression', () => {
  test.each<[string, string, object[], number[]]>([
    [
      'a number that is there and within a range',
      'svcObject.getFreight() != null && svcObject.getFreight() > 10 && svcObject.getFreight() <= 20',
      [{ freight: 5 }, { freight: 15 }, { freight: null }, { freight: 20 }, { freight: 21 }],
      [15, 20],
    ],
    [
      'a new value that is larger than the old one',
      'svcObject.getFreight() > oldSvcObject.getFreight()',
      [{ freight: 2 }, { freight: 1 }, { freight: 3 }],
      [2, 3],
    ],
    [
      'an attribute that was null and is not any more',
      'oldSvcObject.getDemurrage() == null && svcObject.getDemurrage() != null',
      [{ freight: 7 }, { demurrage: 1, freight: 8 }, { freight: 9 }],
      [8],
    ],
  ])('%s: sent only where it is true', async (_, expression, changes, sent) => {
    const hooks = await startHooks();
    const voyage = await createVoyage(service, { freight: 1 });
    await subscribeTo(service, { eventType: `Voyage.U.${voyage}`, url: hooks.url, expression });
    const witness = await subscribeTo(service, { eventType: `Voyage.U.${voyage}`, url: `${hooks.url}/all` });
    for (const body of changes) await change(voyage, body);
    await settled(service, witness, Array(changes.length).fill('DELIVERED'));
    await expect.poll(() => hooks.at('/').length, { timeout: 5_000 }).toBe(sent.length);
    expect(
      hooks
        .at('/')
        .map(({ body }) => JSON.parse(body).resource.freight)
        .sort((a, b) => a - b),
    ).toEqual(sent);
  });
});

test('an expression is about the subscribed object, also where a sub-object changed', async () => {
  const hooks = await startHooks();
  const port = await create(service, 'Port', { unLoCode: 'ZZEXP', portName: 'Expression' });
  const portCalls = [{ port: port.key, reasonForCall: 'L', speed: 12 }];
  const voyage = await create(service, 'Voyage', { voyageStatus: 'OPR', portCalls });
  const subscription = await subscribeTo(service, {
    eventType: `Voyage.U.${voyage.key}`,
    url: hooks.url,
    expression:
      'svcObject.getVoyageStatus().equals("OPR") && ' +
      'svcObject.getPortCalls().get(0).getSpeed() > oldSvcObject.getPortCalls().get(0).getSpeed()',
  });
  for (const speed of [11, 14, 13]) await service.put(`/ws/rest/PortCall/${voyage.portCalls[0].key}`, { speed });
  const [one] = await settled(service, subscription, ['DELIVERED']);
  expect(JSON.parse(one.body)).toMatchObject({ objectType: 'PortCall', resource: { portCalls: [{ speed: 14 }] } });
});

describe('a script', () => {
  test('lets through what it is true for, with the values of the subscription', async () => {
    const hooks = await startHooks();
    await makeScript('more-than', 'return svcObject.freight > parameters.least;', {
      parameters: [{ name: 'least', type: 'number', required: true }],
    });
    const voyage = await createVoyage(service);
    const eventType = `Voyage.U.${voyage}`;
    const script = { dlpAlertScript: 'more-than', scriptParameterValues: { least: 10 } };
    const subscription = await subscribeTo(service, { eventType, url: hooks.url, ...script });
    expect(subscription).toMatchObject(script);
    for (const freight of [5, 15]) await change(voyage, { freight });
    const [one] = await settled(service, subscription, ['DELIVERED']);
    expect(JSON.parse(one.body).resource.freight).toBe(15);
    expect(hooks.received.map(({ body }) => body)).toEqual([one.body]);
  });

  test('other values, another script and useMsg can be given to a subscription that is there', async () => {
    const hooks = await startHooks();
    await makeScript('never', 'return false;');
    await makeScript('says', "message.body = parameters.greeting + ' ' + svcObject.comments;", {
      parameters: [{ name: 'greeting', type: 'text', default: 'Hello' }],
    });
    const voyage = await createVoyage(service);
    const wishes = { eventType: `Voyage.U.${voyage}`, url: hooks.url, dlpAlertScript: 'never' };
    const subscription = await subscribeTo(service, wishes);
    await change(voyage, { comments: 'one' });
    const decided = async () =>
      (await service.get(`/ws/rest/WebhookSubscription/${subscription.key}/decisions?limit=1`)).body[0]?.reason;
    await expect.poll(decided, { timeout: 10_000 }).toBe('SCRIPT_FALSE');
    const said = { dlpAlertScript: 'says', scriptParameterValues: { greeting: 'Ahoy' }, useMsg: true };
    const changed = await service.put(`/ws/rest/WebhookSubscription/${subscription.key}`, said);
    expect([changed.status, changed.body]).toMatchObject([200, said]);
    await change(voyage, { comments: 'two' });
    const [one] = await settled(service, subscription, ['DELIVERED']);
    expect([one.body, hooks.received[0]!.headers['content-type']]).toEqual(['Ahoy two', 'text/plain; charset=utf-8']);
  });

  test('has its message sent only with useMsg: without it, it is the usual body', async () => {
    const hooks = await startHooks();
    await makeScript('writes', "message.subject = 'Late'; message.body = { late: svcObject.comments };");
    const voyage = await createVoyage(service);
    const common = { eventType: `Voyage.U.${voyage}`, dlpAlertScript: 'writes' };
    const usual = await subscribeTo(service, { ...common, url: `${hooks.url}/usual` });
    const own = await subscribeTo(service, { ...common, url: `${hooks.url}/own`, useMsg: true });
    await change(voyage, { comments: 'very' });
    const [envelope] = await settled(service, usual, ['DELIVERED']);
    expect(JSON.parse(envelope.body)).toMatchObject({ objectType: 'Voyage', resource: { comments: 'very' } });
    const [message] = await settled(service, own, ['DELIVERED']);
    expect(JSON.parse(message.body)).toEqual({ late: 'very' });
  });

  test(
    'that fails sends nothing, is no attempt, and leaves ' + 'the subscription active, with the error on it',
    async () => {
      const hooks = await startHooks();
      await makeScript('breaks', 'return svcObject.vessel.vesselName.length > 0;');
      const voyage = await createVoyage(service);
      const wishes = { eventType: `Voyage.U.${voyage}`, url: hooks.url, dlpAlertScript: 'breaks' };
      const subscription = await subscribeTo(service, wishes);
      for (const comments of ['1', '2', '3']) await change(voyage, { comments });
      await expect
        .poll(async () => (await readSubscription(service, subscription)).shapingFailures, { timeout: 10_000 })
        .toBe(3);
      expect(await readSubscription(service, subscription)).toMatchObject({
        state: 'ACTIVE',
        consecutiveFailures: 0,
        shapingError: expect.stringMatching(/^Error in line 1, column \d+: /),
      });
      expect(await notificationsOf(service, subscription)).toEqual([]);
      expect(hooks.received).toEqual([]);
    },
  );
});

describe('a stylesheet', () => {
  const xsl = (inside: string, method = 'xml') =>
    Buffer.from(
      `<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:output method="${method}"/>
<xsl:template match="/Voyage">${inside}</xsl:template></xsl:stylesheet>`,
    ).toString('base64');

  test('makes XML of the object, which is sent as such', async () => {
    const hooks = await startHooks();
    const voyage = await createVoyage(service);
    const wishes = { xsl: xsl('<trip no="{key}"><xsl:value-of select="comments"/></trip>') };
    const subscription = await subscribeTo(service, { eventType: `Voyage.U.${voyage}`, url: hooks.url, ...wishes });
    await change(voyage, { comments: 'Fish & <chips>' });
    const [one] = await settled(service, subscription, ['DELIVERED']);
    expect(one.body).toBe(`<?xml version="1.0"?>\n<trip no="${voyage}">Fish &amp; &lt;chips&gt;</trip>\n`);
    expect(hooks.received).toMatchObject([
      { body: one.body, headers: { 'content-type': 'application/xml; charset=utf-8' } },
    ]);
  });

  test('that fails makes a failed notification, which is no attempt and deactivates nothing', async () => {
    const hooks = await startHooks();
    const voyage = await createVoyage(service);
    const wishes = { xsl: xsl('<xsl:message terminate="yes">No vessel.</xsl:message>') };
    const subscription = await subscribeTo(service, { eventType: `Voyage.U.${voyage}`, url: hooks.url, ...wishes });
    await change(voyage, { comments: 'fails' });
    const [one] = await settled(service, subscription, ['FAILED']);
    expect(one).toMatchObject({ attempts: 0, errorMessage: expect.stringContaining('No vessel.') });
    expect(await readSubscription(service, subscription)).toMatchObject({ state: 'ACTIVE', shapingFailures: 1 });
    expect(hooks.received).toEqual([]);
  });
});
