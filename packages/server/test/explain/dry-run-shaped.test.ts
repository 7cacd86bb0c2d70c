// The dry run of subscriptions with scripts and stylesheets: what would be sent or why not, with the log. Nothing is
// stored.

import { beforeAll, describe, expect, test } from 'vitest';
import { startHooks, subscribeTo } from '../deliver/hooks.ts';
import { makeScript, prepared, put, stylesheet } from '../shape/shaped.ts';
import { createClient } from '../support/access.ts';
import { expectErrorBody } from '../support/error-body.ts';
import { createFleet, createVoyage, type Fleet, read, type Shown } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';

const service = useTestService({ FLAGHOIST_NOTIFICATION_BYTES_MAX: '20000' });
const url = 'http://127.0.0.1:9/';
let fleet: Fleet;
let voyage: Shown;
beforeAll(async () => {
  fleet = await createFleet(service);
  voyage = await createVoyage(service, fleet);
});

async function tried(subscription: unknown, more: object = {}): Promise<Shown> {
  const answer = await service.post('/ws/rest/WebhookSubscription/test', {
    subscription,
    objectKey: voyage.key,
    ...more,
  });
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

async function unsaved(body: string, more: object = {}, script: object = {}) {
  const { code } = await makeScript(service, body, script);
  return { eventType: 'Voyage.U', url, dlpAlertScript: code, ...more };
}

async function traces(): Promise<unknown> {
  await prepared(service);
  const { rows } = await service.database.pool.query(`select
    (select last_value from flaghoist.object_key) as key,
    (select count(*) from flaghoist_service.webhook_subscription) as subscriptions,
    (select count(*) from flaghoist_service.webhook_notification) as notifications,
    (select count(*) from flaghoist_system.suppressed_match) as suppressed,
    (select count(*) from flaghoist_system.script_log) as logs,
    (select count(*) from flaghoist_system.unshaped_match) as drafts,
    (select count(*) from flaghoist_system.unshaped_object) as texts,
    (select count(*) from flaghoist_system.shaping_health) as health`);
  return rows[0];
}

describe('of an unsaved subscription', () => {
  test('with a script that returns true: the body and the log', async () => {
    const subscription = await unsaved(
      'console.log(user.name, parameters.n, svcObject.voyageStatus, oldSvcObject.voyageStatus); return true;',
      { scriptParameterValues: { n: 3 } },
      { parameters: [{ name: 'n', type: 'integer' }] },
    );
    const answer = await tried(subscription);
    expect(answer).toMatchObject({
      isNotified: true,
      reason: 'NOTIFIED',
      contentType: expect.stringMatching(/^application\/json/),
      subject: null,
      log: ['Administrator 3 NOM NOM'],
    });
    expect(JSON.parse(answer.body).resource).toEqual(await read(service, 'Voyage', voyage.key));
  });

  test.each([
    ['no', 'console.log(1); return false;', 'SCRIPT_FALSE', /returned false/, ['1']],
    ['an error', '\n\nthrow new Error("mine");', 'SCRIPT_ERROR', /Error in line 3, column \d+: mine/, []],
    ['too long', 'for (;;);', 'SCRIPT_ERROR', /took longer/, []],
    ['nonsense', 'return 1;', 'SCRIPT_ERROR', /must return true or false/, []],
  ])('with a script that says %s: why', async (_, body, reason, message, log) => {
    const answer = await tried(await unsaved(body));
    expect(answer).toMatchObject({ isNotified: false, reason, log, body: null, contentType: null, subject: null });
    expect(answer.message).toMatch(message);
  });

  test('a script is tried before it is saved, by those who may save it', async () => {
    const subscription = await unsaved(
      'console.log("saved", parameters.n); return false;',
      {
        scriptParameterValues: { n: 3 },
      },
      { parameters: [{ name: 'n', type: 'integer' }] },
    );
    const script = 'console.log("edited", parameters.n); return true;';
    expect(await tried(subscription)).toMatchObject({ isNotified: false, log: ['saved 3'] });
    expect(await tried(subscription, { script })).toMatchObject({ isNotified: true, log: ['edited 3'] });
    expect(await tried(subscription, { script: 'return true;\n}' })).toMatchObject({
      reason: 'SCRIPT_ERROR',
      message: expect.stringMatching(/line \d/i),
    });
    const { key } = await createVoyage(service, fleet);
    await put(service, 'Voyage', key, { comments: 'tried' });
    await prepared(service);
    const recent = await service.post('/ws/rest/WebhookSubscription/testRecent', { subscription, script, limit: 1 });
    expect(recent.body.changes[0]).toMatchObject({ reason: 'NOTIFIED', log: ['edited 3'] });
    expect(await tried(subscription)).toMatchObject({ isNotified: false, log: ['saved 3'] });

    const sent = (more: object, headers = {}) =>
      service.post('/ws/rest/WebhookSubscription/test', { subscription, objectKey: voyage.key, ...more }, headers);
    const integrator = await createClient(service, ['read', 'webhook']);
    expectErrorBody(await sent({ script }, integrator.headers), 403);
    for (const wrong of [{ script: 'x'.repeat(1_000_001) }, { script, subscription: { eventType: 'Voyage.U', url } }]) {
      const answer = await sent(wrong);
      expectErrorBody(answer, 400);
      expect(answer.body.violations[0].path).toBe('script');
    }
  });

  test('with useMsg: the message and its subject', async () => {
    const body = 'message.subject = "S " + svcObject.key; message.body = { a: 1 };';
    const answer = await tried(await unsaved(body, { useMsg: true }));
    expect(answer).toMatchObject({ isNotified: true, subject: `S ${voyage.key}`, body: '{"a":1}' });
    expect(await tried(await unsaved('message.body = "t";', { useMsg: true }))).toMatchObject({
      body: 't',
      contentType: 'text/plain; charset=utf-8',
    });
  });

  test('with a stylesheet: its output, or why it fails', async () => {
    const good = stylesheet(
      '<xsl:output method="text"/><xsl:template match="/"><xsl:value-of select="Voyage/voyageStatus"/></xsl:template>',
    );
    const plain = { eventType: 'Voyage.U', url };
    expect(await tried({ ...plain, xsl: good })).toMatchObject({
      isNotified: true,
      body: 'NOM',
      contentType: 'text/plain; charset=utf-8',
      log: null,
    });
    const bad = stylesheet('<xsl:template match="/"><xsl:message terminate="yes">Bad.</xsl:message></xsl:template>');
    expect(await tried({ ...plain, xsl: bad })).toMatchObject({
      isNotified: false,
      reason: 'STYLESHEET_ERROR',
      message: expect.stringMatching(/^The stylesheet failed\. .*Bad\./),
      body: null,
    });
    const endless = stylesheet('<xsl:template match="/" name="t"><xsl:call-template name="t"/></xsl:template>');
    expect(await tried({ ...plain, xsl: endless })).toMatchObject({ isNotified: false, reason: 'STYLESHEET_ERROR' });
  });

  test('with a body that is too large', async () => {
    const subscription = await unsaved('message.body = "x".repeat(30000);', { useMsg: true });
    expect(await tried(subscription)).toMatchObject({ isNotified: false, reason: 'BODY_TOO_LARGE', log: [] });
  });

  test('the expression is evaluated first', async () => {
    const subscription = await unsaved('throw new Error("asked");', {
      expression: 'svcObject.getVoyageStatus().equals("FIN")',
    });
    expect(await tried(subscription)).toMatchObject({ reason: 'EXPRESSION_FALSE', log: [] });
  });

  test('on create there is no old object, on delete both', async () => {
    const body = 'console.log(oldSvcObject === null, svcObject !== null); return true;';
    const created = await unsaved(body, { eventType: 'Voyage.C' });
    expect((await tried(created)).log).toEqual(['true true']);
    const deleted = await unsaved(body, { eventType: 'Voyage.D' });
    expect((await tried(deleted)).log).toEqual(['false true']);
  });

  test('mistakes are reported with their path in the request', async () => {
    const subscription = { eventType: 'Voyage.U', url, dlpAlertScript: 'nothing', xsl: 'x' };
    const answer = await service.post('/ws/rest/WebhookSubscription/test', { subscription, objectKey: voyage.key });
    const { violations } = expectErrorBody(answer, 400);
    expect(violations!.map(({ path }) => path)).toEqual(expect.arrayContaining(['subscription.xsl']));
    const second = await service.post('/ws/rest/WebhookSubscription/test', {
      subscription: { ...subscription, xsl: null },
      objectKey: voyage.key,
    });
    expect(expectErrorBody(second, 400).violations!.map(({ path }) => path)).toEqual(['subscription.dlpAlertScript']);
  });

  test('a stylesheet requires the edition here, too', async () => {
    const { headers } = await createClient(service, ['write', 'webhook'], { edition: 'STANDARD' });
    const subscription = { eventType: 'Voyage.U', url, xsl: stylesheet('<xsl:template match="/"/>') };
    const body = { subscription, objectKey: voyage.key };
    expectErrorBody(await service.post('/ws/rest/WebhookSubscription/test', body, headers), 403);
  });
});

describe('of a saved subscription', () => {
  test('uses the current script, and another one can be tried', async () => {
    const script = await makeScript(service, 'console.log("first"); return true;');
    const { key } = await subscribeTo(service, {
      eventType: `Voyage.U.${voyage.key}`,
      url,
      dlpAlertScript: script.code,
    });
    expect(await tried(key)).toMatchObject({ isNotified: true, log: ['first'] });
    await put(service, 'AlertScript', script.key, {
      body: 'console.log(svcObject.portCalls[0].port.portName); return false;',
      fields: { portCalls: { port: { portName: '*' } } },
    });
    expect(await tried(key)).toMatchObject({ reason: 'SCRIPT_FALSE', log: ['Port of Loading'] });
    const other = await makeScript(service, 'message.subject = parameters.t;', {
      parameters: [{ name: 't', type: 'text', default: 'other' }],
    });
    expect(await tried({ key, dlpAlertScript: other.code, useMsg: true })).toMatchObject({
      isNotified: true,
      subject: 'other',
    });
    expect(await tried({ key, dlpAlertScript: null })).toMatchObject({ isNotified: true, log: null });
    expect(await tried(key)).toMatchObject({ reason: 'SCRIPT_FALSE' });
  });

  test('a real change is judged as it was', async () => {
    const { rows } = await service.database.pool.query('select max(id)::int as id from flaghoist_system.event');
    await put(service, 'Voyage', voyage.key, { comments: 'tried' });
    const subscription = await unsaved('console.log(oldSvcObject.comments, svcObject.comments); return true;');
    expect(await tried(subscription, { objectKey: undefined, event: rows[0].id + 1 })).toMatchObject({
      isNotified: true,
      log: ['null tried'],
    });
  });
});

test('nothing is stored, and nothing is sent', async () => {
  const hooks = await startHooks();
  const subscriptions = [
    await unsaved('message.body = "sent";', { useMsg: true, url: hooks.url }),
    await unsaved('throw 1;', { url: hooks.url }),
    await unsaved('return false;', { url: hooks.url }),
    { eventType: 'Voyage.U', url: hooks.url, xsl: stylesheet('<xsl:template match="/"><a/></xsl:template>') },
  ];
  const before = await traces();
  for (const subscription of subscriptions) await tried(subscription);
  expect(await traces()).toEqual(before);
  expect(hooks.received).toEqual([]);
});
