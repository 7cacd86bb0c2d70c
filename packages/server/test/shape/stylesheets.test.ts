// Stylesheets that make the body: what they see, what is sent, and what happens if one fails.

import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { headersNamed } from '../channels/read-mail.ts';
import { notificationsOf, readSubscription, settled, startHooks, subscribeTo } from '../deliver/hooks.ts';
import { inBase64 } from '../subscriptions/subscribe.ts';
import { create, createFleet, createVoyage } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { decisionsOf, mailsTo, makeScript, prepared, put, stylesheet } from './shaped.ts';

const service = useTestService({ FLAGHOIST_DELIVERY_ATTEMPTS: '1' });

const identity = stylesheet(
  '<xsl:template match="@*|node()"><xsl:copy><xsl:apply-templates select="@*|node()"/></xsl:copy></xsl:template>',
);
const named = (output: string, before = '') =>
  stylesheet(
    `${output}<xsl:template match="/">${before}<n><xsl:value-of select="Vessel/vesselName"/></n></xsl:template>`,
  );

/** What a receiver gets for a change of a vessel whose name XML has to escape. */
async function deliver(wishes: object) {
  const hooks = await startHooks();
  const vessel = await create(service, 'Vessel', { vesselName: 'Ærø & <Sons>' });
  const made = await subscribeTo(service, { eventType: `Vessel.U.${vessel.key}`, url: hooks.url, ...wishes });
  await put(service, 'Vessel', vessel.key, { flag: 'NO' });
  await expect.poll(() => hooks.received.length, { timeout: 10_000 }).toBe(1);
  const received = hooks.received[0]!;
  const headers = received.headers as Record<string, string>;
  new Webhook(made.signingSecret).verify(received.body, headers, { jsonParse: false });
  return { ...received, vessel, made };
}

describe('XSL-01', () => {
  test('an identity stylesheet sends the object as XML, signed', async () => {
    const { body, headers, vessel } = await deliver({ xsl: identity });
    expect(headers['content-type']).toBe('application/xml; charset=utf-8');
    expect(body).toMatch(/^<\?xml version="1\.0"( encoding="UTF-8")?\?>\n?<Vessel>/i);
    expect(body).toContain(`<key>${vessel.key}</key>`);
    expect(body).toContain('<vesselName>Ærø &amp; &lt;Sons&gt;</vesselName>');
    expect(body).toContain('<flag>NO</flag>');
  });

  test('value-of sends a value', async () => {
    expect((await deliver({ xsl: named('') })).body).toContain('<n>Ærø &amp; &lt;Sons&gt;</n>');
  });

  test('collections have one element per object', async () => {
    const hooks = await startHooks();
    const voyage = await createVoyage(service, await createFleet(service));
    const xsl = stylesheet(
      '<xsl:output method="text"/><xsl:template match="/"><xsl:value-of ' +
        'select="count(/Voyage/portCalls/PortCall/key)"/></xsl:template>',
    );
    await subscribeTo(service, { eventType: `Voyage.U.${voyage.key}`, url: hooks.url, xsl });
    await put(service, 'Voyage', voyage.key, { comments: 'x' });
    await expect.poll(() => hooks.received.map(({ body }) => body), { timeout: 10_000 }).toEqual(['2']);
  });
});

describe('the output method determines the content type', () => {
  test.each([
    ['text', 'text/plain; charset=utf-8', 'Ærø & <Sons>'],
    ['html', 'text/html; charset=utf-8', '<n>Ærø &amp; &lt;Sons&gt;</n>'],
    ['xml', 'application/xml; charset=utf-8', '<n>Ærø &amp; &lt;Sons&gt;</n>'],
  ])('%s', async (method, contentType, content) => {
    const { body, headers } = await deliver({ xsl: named(`<xsl:output method="${method}"/>`) });
    expect(headers['content-type']).toBe(contentType);
    expect(body).toContain(content);
    expect(Number(headers['content-length'])).toBe(Buffer.byteLength(body));
  });

  test('another output encoding is ignored: the body is UTF-8', async () => {
    const { body, headers } = await deliver({ xsl: named('<xsl:output encoding="ISO-8859-1"/>') });
    expect(headers['content-type']).toBe('application/xml; charset=utf-8');
    expect(body).toContain('<n>Ærø &amp; &lt;Sons&gt;</n>');
    expect(body).not.toContain('ISO-8859-1');
  });
});

test('json narrows what the stylesheet sees', async () => {
  const { body } = await deliver({ xsl: identity, json: inBase64('{"flag":"*"}') });
  expect(body).toContain('<flag>NO</flag>');
  expect(body).not.toContain('vesselName');
});

test('rawObject and a stylesheet: the stylesheet makes the body', async () => {
  expect((await deliver({ xsl: identity, rawObject: true })).headers['content-type']).toMatch(/^application\/xml/);
});

test('by e-mail, its output is attached', async () => {
  const vessel = await create(service, 'Vessel', { vesselName: 'Mailed' });
  const address = `xml-${vessel.key}@agent.example`;
  await subscribeTo(service, {
    eventType: `Vessel.U.${vessel.key}`,
    channelInfo: { channelType: 'EMAIL', URL: address },
    xsl: identity,
  });
  await put(service, 'Vessel', vessel.key, { flag: 'NO' });
  await expect.poll(() => mailsTo(service, address).length, { timeout: 10_000 }).toBe(1);
  const [mail] = mailsTo(service, address);
  expect(headersNamed(mail!, 'subject')).toEqual([`Vessel ${vessel.key} updated`]);
  expect(mail!.attachments).toMatchObject([
    { contentType: 'application/xml', fileName: expect.stringMatching(/\.xml$/) },
  ]);
  expect(mail!.attachments[0]!.content).toContain('<vesselName>Mailed</vesselName>');
});

describe('XSL-17, XSL-22: a stylesheet that fails for one object', () => {
  const picky = named(
    '',
    '<xsl:if test="Vessel/flag = \'XX\'"><xsl:message terminate="yes">No flag XX here.</xsl:message></xsl:if>',
  );

  test('makes a failed notification with the reason; no attempt, no deactivation, no harm to others', async () => {
    const hooks = await startHooks();
    const vessel = await create(service, 'Vessel', { vesselName: 'Picky' });
    const wishes = { eventType: `Vessel.U.${vessel.key}`, url: hooks.url };
    const made = await subscribeTo(service, { ...wishes, xsl: picky });
    const plain = await subscribeTo(service, { ...wishes, url: `${hooks.url}/plain` });
    for (const flag of ['AA', 'XX', 'BB']) {
      await put(service, 'Vessel', vessel.key, { flag });
      await prepared(service);
    }
    const all = await settled(service, made, ['DELIVERED', 'FAILED', 'DELIVERED']);
    expect(all[1]).toMatchObject({
      attempts: 0,
      isFailed: true,
      errorMessage: expect.stringMatching(/^The stylesheet failed\. .*No flag XX here\./),
      deliveryDate: null,
      nextAttemptDate: null,
    });
    expect(await readSubscription(service, made)).toMatchObject({
      state: 'ACTIVE',
      consecutiveFailures: 0,
      shapingFailures: 0,
    });
    await settled(service, plain, ['DELIVERED', 'DELIVERED', 'DELIVERED']);
    expect(hooks.at('/')).toHaveLength(2);
    expect((await decisionsOf(service, made, 3)).map(({ reason }) => reason)).toEqual(Array(3).fill('NOTIFIED'));
  });

  test('three times shows on the subscription, even if its script suppresses everything in between', async () => {
    const vessel = await create(service, 'Vessel', { vesselName: 'Now and then' });
    const { code } = await makeScript(service, 'return svcObject.flag !== "NO";');
    const xsl = named('', '<xsl:message terminate="yes">Never.</xsl:message>');
    const wishes = { eventType: `Vessel.U.${vessel.key}`, url: 'http://127.0.0.1:9/', dlpAlertScript: code };
    const made = await subscribeTo(service, { ...wishes, xsl });
    for (const flag of ['A', 'NO', 'B', 'NO', 'C', 'NO']) {
      await put(service, 'Vessel', vessel.key, { flag });
      await prepared(service);
    }
    expect(await readSubscription(service, made)).toMatchObject({
      shapingFailures: 3,
      shapingError: expect.stringContaining('Never.'),
    });
  });

  test('three times shows on the subscription; its notifications cannot be resent', async () => {
    const vessel = await create(service, 'Vessel', { vesselName: 'Never' });
    const made = await subscribeTo(service, {
      eventType: `Vessel.U.${vessel.key}`,
      url: 'http://127.0.0.1:9/',
      xsl: named('', '<xsl:message terminate="yes">Never.</xsl:message>'),
    });
    for (const flag of ['A', 'B', 'C']) {
      await put(service, 'Vessel', vessel.key, { flag });
      await prepared(service);
    }
    expect(await readSubscription(service, made)).toMatchObject({
      state: 'ACTIVE',
      shapingFailures: 3,
      shapingError: expect.stringContaining('Never.'),
    });
    const resent = await service.post(`/ws/rest/WebhookSubscription/${made.key}/sendFailedNotifications`, {});
    expect(resent.status, resent.text).toBe(202);
    expect(resent.body).toMatchObject({ total: 0 });
    expect((await notificationsOf(service, made)).map(({ status }) => status)).toEqual(Array(3).fill('FAILED'));
  });
});
