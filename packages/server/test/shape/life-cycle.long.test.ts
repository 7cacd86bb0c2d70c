// What happens if a subscription or its script changes while matches wait to be shaped, and what is judged before the
// script.

import { describe, expect, test } from 'vitest';
import { startBeside } from '../auth/service-beside.ts';
import { notificationsOf, readSubscription, settled, startHooks, subscribeTo } from '../deliver/hooks.ts';
import { deactivate } from '../subscriptions/subscribe.ts';
import { createClient } from '../support/access.ts';
import { expectErrorBody } from '../support/error-body.ts';
import { create, type Shown } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { countUnprepared, decisionsOf, makeScript, prepared, put, scripts, stylesheet } from './shaped.ts';

const service = useTestService({ FLAGHOIST_BASE_URL: 'http://flaghoist.test' });
const timeout = 60_000;
const pathOf = ({ key }: { key: number }) => `/ws/rest/WebhookSubscription/${key}`;

/** A match that waits to be shaped: its script or stylesheet had a timeout and is paused. */
async function waiting(wishes: object = {}, script: { key: number; code: string } | null | undefined = undefined) {
  const hooks = await startHooks();
  const vessel = await create(service, 'Vessel', { vesselName: 'Waits' });
  const used = script === undefined ? await makeScript(service, dawdling('return true;')) : script;
  const made = await subscribeTo(service, {
    eventType: `Vessel.U.${vessel.key}`,
    url: hooks.url,
    ...(used ? { dlpAlertScript: used.code } : {}),
    ...wishes,
  });
  await put(service, 'Vessel', vessel.key, { flag: 'SLOW' });
  await prepared(service);
  await put(service, 'Vessel', vessel.key, { flag: 'LATER' });
  await expect.poll(() => countUnprepared(service, `subscription_key = ${made.key}`), { timeout: 5_000 }).toBe(1);
  return { hooks, vessel, made, script: used! };
}

const dawdling = (body: string) => `while (svcObject.flag === 'SLOW'); ${body}`;

const slowStylesheet = stylesheet(
  `<xsl:template match="/"><xsl:if test="Vessel/flag = 'SLOW'"><xsl:call-template name="t"><xsl:with-param name="n"
  select="1"/></xsl:call-template></xsl:if><f><xsl:value-of select="Vessel/flag"/></f></xsl:template>
   <xsl:template name="t"><xsl:param name="n"/><xsl:if test="$n &lt; 40"><xsl:call-template
     name="t"><xsl:with-param name="n"
     select="$n + 1"/></xsl:call-template><xsl:call-template name="t"><xsl:with-param name="n"
     select="$n + 1"/></xsl:call-template></xsl:if></xsl:template>`,
);

describe('while a match waits to be shaped', () => {
  test('the decision says so', { timeout }, async () => {
    const { made } = await waiting();
    const { body } = await service.get(`${pathOf(made)}/decisions?limit=1`);
    expect(body).toMatchObject([{ reason: 'SHAPING', isNotified: false, notification: null }]);
    await prepared(service);
    expect(await decisionsOf(service, made)).toMatchObject([{ reason: 'NOTIFIED' }]);
  });

  test('an unsubscribed subscription sends nothing: the notification fails', { timeout }, async () => {
    const { made, hooks } = await waiting();
    expect((await service.put(pathOf(made), { unsubscribed: true })).status).toBe(200);
    expectErrorBody(await service.delete(pathOf(made)), 409);
    await prepared(service);
    const [notification] = await settled(service, made, ['FAILED']);
    expect(notification).toMatchObject({ errorMessage: 'Unsubscribed.', attempts: 0 });
    expect(hooks.received).toEqual([]);
    expectErrorBody(await service.delete(pathOf(made)), 409);
  });

  test('an unsubscribed subscription whose script returns false can be deleted afterwards', { timeout }, async () => {
    const { made } = await waiting({}, await makeScript(service, dawdling('return false;')));
    expect((await service.put(pathOf(made), { unsubscribed: true })).status).toBe(200);
    expectErrorBody(await service.delete(pathOf(made)), 409);
    await prepared(service);
    expect(await notificationsOf(service, made)).toEqual([]);
    expect((await service.delete(pathOf(made))).status).toBe(204);
  });

  test('a deactivated subscription sends nothing: the notification fails, and can be resent', { timeout }, async () => {
    const { made, hooks } = await waiting();
    await deactivate(service, made);
    await prepared(service);
    const [notification] = await settled(service, made, ['FAILED']);
    expect(notification).toMatchObject({ errorMessage: 'The subscription is deactivated.', attempts: 0 });
    expect(hooks.received).toEqual([]);
    const resent = await service.post(`${pathOf(made)}/sendFailedNotifications`, {});
    expect(resent.status, resent.text).toBe(202);
    await settled(service, made, ['DELIVERED']);
    expect(JSON.parse(hooks.received[0]!.body).resource.flag).toBe('LATER');
  });

  test('a changed script decides in its new version', { timeout }, async () => {
    const { made, script, hooks } = await waiting({ useMsg: true });
    await put(service, 'AlertScript', script.key, { body: 'message.body = "changed";' });
    await prepared(service);
    await settled(service, made, ['DELIVERED']);
    expect(hooks.received.map(({ body }) => body)).toEqual(['changed']);
  });

  test('a removed script does not decide', { timeout }, async () => {
    const { made, hooks } = await waiting({}, await makeScript(service, dawdling('return false;')));
    expect((await service.put(pathOf(made), { dlpAlertScript: null })).status).toBe(200);
    await prepared(service);
    await settled(service, made, ['DELIVERED']);
    expect(JSON.parse(hooks.received[0]!.body)).toMatchObject({ resource: { flag: 'LATER' } });
  });

  test('a replacing script decides, with the objects stored for the first', { timeout }, async () => {
    const { made, hooks } = await waiting({ useMsg: true });
    const other = await makeScript(service, 'message.body = oldSvcObject.flag + " " + svcObject.flag;');
    expect((await service.put(pathOf(made), { dlpAlertScript: other.code })).status).toBe(200);
    await prepared(service);
    await settled(service, made, ['DELIVERED']);
    expect(hooks.received.map(({ body }) => body)).toEqual(['SLOW LATER']);
  });

  test('a script added after the change does not decide about it', { timeout }, async () => {
    const { made, hooks } = await waiting({ xsl: slowStylesheet }, null);
    const late = await makeScript(service, 'return false;');
    expect((await service.put(pathOf(made), { dlpAlertScript: late.code })).status).toBe(200);
    await prepared(service);
    await settled(service, made, ['FAILED', 'DELIVERED']);
    expect(hooks.received[0]!.body).toContain('<f>LATER</f>');
  });

  test('a script deleted after the unsubscribe is recorded as missing', { timeout }, async () => {
    const { made, script } = await waiting();
    expect((await service.put(pathOf(made), { unsubscribed: true })).status).toBe(200);
    expect((await service.delete(`${scripts}/${script.key}`)).status).toBe(204);
    await prepared(service);
    expect(await decisionsOf(service, made)).toMatchObject([
      { reason: 'SCRIPT_ERROR', message: expect.stringContaining('no longer exists') },
    ]);
  });
});

test('while a subscription is deactivated, its notifications are stored as failed', { timeout }, async () => {
  const hooks = await startHooks();
  const vessel = await create(service, 'Vessel', { vesselName: 'Collects' });
  const { code } = await makeScript(service, 'message.body = svcObject.flag; return svcObject.flag !== "NO";');
  const wishes = { eventType: `Vessel.U.${vessel.key}`, url: hooks.url, dlpAlertScript: code, useMsg: true };
  const made = await subscribeTo(service, wishes);
  await deactivate(service, made);
  for (const flag of ['A', 'NO', 'B']) await put(service, 'Vessel', vessel.key, { flag });
  await prepared(service);
  const kept = await settled(service, made, ['FAILED', 'FAILED']);
  expect(kept.map(({ body, attempts }) => [body, attempts]).sort()).toEqual([
    ['A', 0],
    ['B', 0],
  ]);
  const next = await subscribeTo(service, { ...wishes, replaces: made.key });
  await settled(service, next, ['DELIVERED', 'DELIVERED']);
  expect(hooks.received.map(({ body }) => body).sort()).toEqual(['A', 'B']);
  expect(await readSubscription(service, made)).toMatchObject({ state: 'UNSUBSCRIBED' });
});

test('a waiting match goes to the subscription that replaces its own', { timeout }, async () => {
  const { made, hooks, vessel, script } = await waiting();
  await deactivate(service, made);
  const wishes = { eventType: `Vessel.U.${vessel.key}`, url: hooks.url, dlpAlertScript: script.code };
  const next = await subscribeTo(service, { ...wishes, replaces: made.key });
  await prepared(service, 40_000);
  const [carried] = await settled(service, next, ['DELIVERED']);
  expect(JSON.parse(carried!.body).resource.flag).toBe('LATER');
});

test('changed fields of a script are used within a second, also in another process', { timeout }, async () => {
  const vessel = await create(service, 'Vessel', { vesselName: 'Wide' });
  const voyage = await create(service, 'Voyage', { vessel: vessel.key, voyageStatus: 'EST' });
  const script = await makeScript(service, 'console.log(svcObject.vessel.flag); return true;');
  const made = await subscribeTo(service, {
    eventType: `Voyage.U.${voyage.key}`,
    url: 'http://127.0.0.1:9/',
    dlpAlertScript: script.code,
  });
  const beside = await startBeside(service.database, { FLAGHOIST_BASE_URL: 'http://flaghoist.test' });
  await put(service, 'Vessel', vessel.key, { flag: 'SEEN' });
  await put(service, 'Voyage', voyage.key, { comments: 'before' });
  expect(await decisionsOf(service, made)).toMatchObject([{ log: ['undefined'] }]);
  const changed = await fetch(`${beside.localUrl}${scripts}/${script.key}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${service.token()}`, 'content-type': 'application/json' },
    body: JSON.stringify({ fields: { vessel: { flag: '*' } } }),
  });
  expect(changed.status).toBe(200);
  await put(service, 'Voyage', voyage.key, { comments: 'after' });
  expect(await decisionsOf(service, made)).toMatchObject([{ log: ['SEEN'] }]);
});

describe('before the script', () => {
  const throwing = 'console.log("asked"); throw new Error("asked");';

  async function decided(wishes: object, by?: Record<string, string>): Promise<Shown> {
    const vessel = await create(service, 'Vessel', { vesselName: 'First' });
    const { code } = await makeScript(service, throwing);
    const answer = await service.post(
      '/ws/rest/WebhookSubscription',
      { eventType: `Vessel.U.${vessel.key}`, url: 'http://127.0.0.1:9/', dlpAlertScript: code, ...wishes },
      by,
    );
    expect(answer.status, answer.text).toBe(201);
    const changed = await service.put(`/ws/rest/Vessel/${vessel.key}`, { flag: 'X' }, by);
    expect(changed.status, changed.text).toBe(200);
    const [decision] = await decisionsOf(service, answer.body);
    expect(await readSubscription(service, answer.body)).toMatchObject({ shapingFailures: decision.log.length });
    return decision;
  }

  test('the expression is judged', async () => {
    const no = { expression: 'svcObject.getFlag().equals("Y")' };
    expect(await decided(no)).toMatchObject({ reason: 'EXPRESSION_FALSE', log: [] });
    const yes = { expression: 'svcObject.getFlag().equals("X")' };
    expect(await decided(yes)).toMatchObject({ reason: 'SCRIPT_ERROR', log: ['asked'] });
  });

  test('own changes are skipped', async () => {
    const { headers } = await createClient(service, ['write', 'webhook']);
    expect(await decided({ notSendMyChanges: true }, headers)).toMatchObject({ reason: 'OWN_CHANGE', log: [] });
  });
});
