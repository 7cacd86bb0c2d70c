// Messages that scripts write are sent instead of the default body if useMsg is true, byte for byte, over HTTP and by
// e-mail.

import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { headersNamed } from '../channels/read-mail.ts';
import { notificationsOf, startHooks, subscribeTo } from '../deliver/hooks.ts';
import { create, type Shown } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { decisionsOf, mailsTo, makeScript, put, stylesheet } from './shaped.ts';

const service = useTestService();

/** What a receiver gets for a change of a vessel named Ærø. */
async function deliver(body: string, wishes: object = {}) {
  const hooks = await startHooks();
  const vessel = await create(service, 'Vessel', { vesselName: 'Ærø' });
  const { code } = await makeScript(service, body);
  const made = await subscribeTo(service, {
    eventType: `Vessel.U.${vessel.key}`,
    url: hooks.url,
    dlpAlertScript: code,
    useMsg: true,
    ...wishes,
  });
  await put(service, 'Vessel', vessel.key, { flag: 'NO' });
  await expect.poll(() => hooks.received.length, { timeout: 10_000 }).toBe(1);
  const received = hooks.received[0]!;
  const headers = received.headers as Record<string, string>;
  new Webhook(made.signingSecret).verify(received.body, headers, { jsonParse: false });
  // The request arrives a moment before it is recorded.
  const statuses = async () => (await notificationsOf(service, made)).map(({ status }) => status);
  await expect.poll(statuses, { timeout: 10_000 }).toEqual(['DELIVERED']);
  const [notification] = await notificationsOf(service, made);
  return { ...received, vessel, made, notification: notification! };
}

describe('over HTTP', () => {
  test('a text is sent as it is', async () => {
    const { body, headers, notification } = await deliver(
      'message.body = "Flag of " + svcObject.vesselName + ": ✓\\n";',
    );
    expect(body).toBe('Flag of Ærø: ✓\n');
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(Number(headers['content-length'])).toBe(Buffer.byteLength(body));
    expect(notification).toMatchObject({ body, status: 'DELIVERED' });
  });

  test('an object is sent as JSON', async () => {
    const { body, headers } = await deliver('message.body = { name: svcObject.vesselName, n: [1, null, 0.1] };');
    expect(body).toBe('{"name":"Ærø","n":[1,null,0.1]}');
    expect(headers['content-type']).toMatch(/^application\/json/);
  });

  test.each([
    ['an empty text', 'message.body = "";', ''],
    ['null', 'message.body = null;', 'null'],
    ['a number', 'message.body = 7;', '7'],
  ])('%s is a message as well', async (_, script, body) => {
    expect((await deliver(script)).body).toBe(body);
  });

  test.each([
    ['only a subject', 'message.subject = "S";', { useMsg: true }],
    ['no message', 'return true;', { useMsg: true }],
    ['a message, and useMsg is false', 'message.body = "mine"; return true;', { useMsg: false }],
  ])('%s: the usual body is sent', async (_, script, wishes) => {
    const { body, vessel, made, headers } = await deliver(script, wishes);
    expect(JSON.parse(body)).toMatchObject({
      id: headers['webhook-id'],
      objectType: 'Vessel',
      eventType: 'U',
      serviceObject: vessel.key,
      subscription: { key: made.key, eventType: `Vessel.U.${vessel.key}` },
      resource: { vesselName: 'Ærø', flag: 'NO' },
    });
  });

  test('no message with rawObject: the object alone is sent', async () => {
    const { body } = await deliver('return true;', { rawObject: true });
    expect(JSON.parse(body)).toMatchObject({ vesselName: 'Ærø', flag: 'NO' });
  });

  test('the message takes precedence over the stylesheet, which makes the body if there is no message', async () => {
    const xsl = stylesheet('<xsl:template match="/"><v><xsl:value-of select="Vessel/vesselName"/></v></xsl:template>');
    expect((await deliver('message.body = "mine";', { xsl })).body).toBe('mine');
    expect((await deliver('return true;', { xsl })).body).toContain('<v>Ærø</v>');
    expect((await deliver('message.body = "mine";', { xsl, useMsg: false })).body).toContain('<v>Ærø</v>');
  });

  test('a message that is too large is an error of the script', async () => {
    const vessel = await create(service, 'Vessel', { vesselName: 'Large' });
    const { code } = await makeScript(service, 'message.body = "é".repeat(600000);');
    const wishes = { eventType: `Vessel.U.${vessel.key}`, url: 'http://127.0.0.1:9/', dlpAlertScript: code };
    const made = await subscribeTo(service, { ...wishes, useMsg: true });
    await put(service, 'Vessel', vessel.key, { flag: 'NO' });
    expect(await decisionsOf(service, made)).toMatchObject([
      { reason: 'SCRIPT_ERROR', message: expect.stringContaining('message.body is longer than 1 MB.') },
    ]);
    expect(await notificationsOf(service, made)).toEqual([]);
  });
});

describe('by e-mail', () => {
  async function mailed(script: string, wishes: object = {}) {
    const vessel = await create(service, 'Vessel', { vesselName: 'Ærø' });
    const address = `desk-${vessel.key}@agent.example`;
    const { code } = await makeScript(service, script);
    await subscribeTo(service, {
      eventType: `Vessel.U.${vessel.key}`,
      channelInfo: { channelType: 'EMAIL', URL: address },
      dlpAlertScript: code,
      useMsg: true,
      ...wishes,
    });
    await put(service, 'Vessel', vessel.key, { flag: 'NO' });
    await expect.poll(() => mailsTo(service, address).length, { timeout: 10_000 }).toBe(1);
    const [mail] = mailsTo(service, address);
    return { mail: mail!, subjects: headersNamed(mail!, 'subject'), vessel };
  }

  test('the subject and the text come from the script', async () => {
    const { mail, subjects } = await mailed('message.subject = "Ærø: ✓"; message.body = "Flag is " + svcObject.flag;');
    expect(subjects).toEqual(['Ærø: ✓']);
    expect(mail.text).toContain('Flag is NO');
    expect(mail.attachments).toMatchObject([{ contentType: 'text/plain', content: 'Flag is NO' }]);
    expect(mail.attachments[0]!.fileName).toMatch(/\.txt$/);
  });

  test('an object is attached as JSON', async () => {
    const { mail } = await mailed('message.body = { flag: svcObject.flag };');
    expect(mail.attachments).toMatchObject([{ contentType: 'application/json', content: '{"flag":"NO"}' }]);
  });

  test('only a subject: with the default body', async () => {
    const { mail, subjects, vessel } = await mailed('message.subject = "Look";');
    expect(subjects).toEqual(['Look']);
    const attached: Shown = JSON.parse(mail.attachments[0]!.content);
    expect(attached).toMatchObject({ serviceObject: vessel.key });
  });

  test('a subject cannot add headers', async () => {
    const { mail, subjects } = await mailed('message.subject = "A\\r\\nBcc: all@agent.example\\r\\n\\r\\nB";');
    expect(subjects).toHaveLength(1);
    expect(headersNamed(mail, 'bcc')).toEqual([]);
  });

  test('useMsg is false: neither subject nor text', async () => {
    const { mail, subjects, vessel } = await mailed('message.subject = "S"; message.body = "T"; return true;', {
      useMsg: false,
    });
    expect(subjects).toEqual([`Vessel ${vessel.key} updated`]);
    expect(mail.attachments[0]!.contentType).toBe('application/json');
  });
});
