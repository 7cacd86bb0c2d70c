// Scripts and stylesheets that never end harm their own subscriptions, and delay others only for a moment.

import { expect, test } from 'vitest';
import { startHooks, subscribeTo } from '../deliver/hooks.ts';
import { createClient } from '../support/access.ts';
import { create } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { countUnprepared, makeScript, put, stylesheet } from './shaped.ts';

const service = useTestService();
const timeout = 180_000;

const identity = stylesheet(
  '<xsl:template match="@*|node()"><xsl:copy><xsl:apply-templates select="@*|node()"/></xsl:copy></xsl:template>',
);
/** 2^40 templates. */
const endless = stylesheet(
  `<xsl:template match="/"><xsl:call-template name="t"><xsl:with-param name="n"
  select="1"/></xsl:call-template></xsl:template>
   <xsl:template name="t"><xsl:param name="n"/><xsl:if test="$n &lt; 40"><xsl:call-template
     name="t"><xsl:with-param name="n"
     select="$n + 1"/></xsl:call-template><xsl:call-template name="t"><xsl:with-param name="n"
     select="$n + 1"/></xsl:call-template></xsl:if></xsl:template>`,
);

test('notifications of well-behaved scripts for the same changes all arrive', { timeout }, async () => {
  const hooks = await startHooks();
  const vessel = await create(service, 'Vessel', { vesselName: 'Shared' });
  const shared = await makeScript(service, 'return true;');
  const subscribe = (path: string, wishes: object) =>
    subscribeTo(service, { eventType: `Vessel.U.${vessel.key}`, url: `${hooks.url}${path}`, ...wishes });
  await subscribe('/bad', { dlpAlertScript: (await makeScript(service, 'while (1) {}')).code });
  await subscribe('/bad', { xsl: endless });
  await subscribe('/bad', { xsl: endless, dlpAlertScript: shared.code });
  const memory = 'const a = []; while (1) a.push(new Array(1e5).fill(1));';
  await subscribe('/bad', { dlpAlertScript: (await makeScript(service, memory)).code });
  await subscribe('/plain', {});
  await subscribe('/script', { dlpAlertScript: shared.code });
  await subscribe('/xsl', { xsl: identity });
  const changes = 60;
  for (let n = 0; n < changes; n += 1) await put(service, 'Vessel', vessel.key, { flag: `F${n}` });
  for (const path of ['/plain', '/script', '/xsl'])
    await expect.poll(() => hooks.at(path).length, { timeout: 30_000 }).toBe(changes);
  expect(hooks.at('/bad')).toEqual([]);
  expect(new Set(hooks.received.map(({ headers }) => headers['webhook-id'])).size).toBe(3 * changes);
});

test('a new script waits for a few of them at most', { timeout }, async () => {
  const hooks = await startHooks();
  const vessel = await create(service, 'Vessel', { vesselName: 'New' });
  const wishes = { eventType: `Vessel.U.${vessel.key}`, url: `${hooks.url}/bad` };
  for (let n = 0; n < 12; n += 1)
    await subscribeTo(service, {
      ...wishes,
      xsl: stylesheet(
        `<!--${n}-->${Buffer.from(endless, 'base64')
          .toString()
          .replace(/<\/?xsl:stylesheet.*?>/g, '')}`,
      ),
    });
  for (let n = 0; n < 3; n += 1) await put(service, 'Vessel', vessel.key, { flag: `B${n}` });
  const other = await create(service, 'Vessel', { vesselName: 'Other' });
  const { code } = await makeScript(service, 'return true;');
  await subscribeTo(service, { eventType: `Vessel.U.${other.key}`, url: `${hooks.url}/new`, dlpAlertScript: code });
  await put(service, 'Vessel', other.key, { flag: 'A' });
  await expect.poll(() => hooks.at('/new').length, { timeout: 60_000 }).toBe(1);
  const expected = 5;
  for (let n = 1; n < expected; n += 1) await put(service, 'Vessel', other.key, { flag: `A${n}` });
  await expect.poll(() => hooks.at('/new').length, { timeout: 60_000 }).toBe(expected);
  expect(hooks.at('/bad')).toEqual([]);
});

test('a new script waits for a few of them at most, however many another user has', { timeout }, async () => {
  const hooks = await startHooks();
  const hostile = await createClient(service, ['write', 'webhook']);
  const vessel = await create(service, 'Vessel', { vesselName: 'Many' });
  const lanes = 60;
  const bad = Array.from({ length: lanes }, (_, n) => ({
    eventType: `Vessel.U.${vessel.key}`,
    url: `${hooks.url}/bad`,
    user: hostile.userKey,
    xsl: stylesheet(
      `<!--many ${n}-->${Buffer.from(endless, 'base64')
        .toString()
        .replace(/<\/?xsl:stylesheet.*?>/g, '')}`,
    ),
  }));
  const made = await service.post('/ws/rest/WebhookSubscription', bad);
  expect(made.status, made.text).toBe(201);
  const other = await create(service, 'Vessel', { vesselName: 'Honest' });
  const { code } = await makeScript(service, 'return true;');
  const { userKey: user } = await createClient(service, ['read']);
  const wishes = { eventType: `Vessel.U.${other.key}`, url: `${hooks.url}/new`, dlpAlertScript: code };
  await subscribeTo(service, { ...wishes, user });
  await put(service, 'Vessel', vessel.key, { flag: 'A' });
  const left = () => countUnprepared(service, `user_key = ${hostile.userKey}`);
  await expect.poll(left, { timeout: 10_000 }).toBeGreaterThan(lanes - 2);
  await put(service, 'Vessel', other.key, { flag: 'A' });
  await expect.poll(() => hooks.at('/new').length, { timeout: 60_000, interval: 20 }).toBe(1);
  expect(await left()).toBeGreaterThan(lanes - 10);
  for (const { key } of made.body) await service.put(`/ws/rest/WebhookSubscription/${key}`, { unsubscribed: true });
});

test('parameter values with which a script does not end harm only their own subscription', { timeout }, async () => {
  const hooks = await startHooks();
  const vessel = await create(service, 'Vessel', { vesselName: 'One script' });
  const body = 'let sum = 0; for (let i = 0; i < parameters.n; i++) sum += i; return sum >= 0;';
  const { code } = await makeScript(service, body, { parameters: [{ name: 'n', type: 'number', default: 10 }] });
  const wishes = { eventType: `Vessel.U.${vessel.key}`, dlpAlertScript: code };
  for (let n = 0; n < 3; n += 1) {
    await subscribeTo(service, { ...wishes, url: `${hooks.url}/bad`, scriptParameterValues: { n: 1e15 } });
    await subscribeTo(service, { ...wishes, url: `${hooks.url}/good` });
  }
  const changes = 30;
  for (let n = 0; n < changes; n += 1) await put(service, 'Vessel', vessel.key, { flag: `F${n}` });
  await expect.poll(() => hooks.at('/good').length, { timeout: 60_000 }).toBe(3 * changes);
  expect(hooks.at('/bad')).toEqual([]);
});

test('a script that worked before and no longer ends harms only its own subscription', { timeout }, async () => {
  const hooks = await startHooks();
  const vessel = await create(service, 'Vessel', { vesselName: 'Turned' });
  const [turning, good] = [await makeScript(service, 'return true;'), await makeScript(service, 'return true;')];
  const wishes = { eventType: `Vessel.U.${vessel.key}` };
  await subscribeTo(service, { ...wishes, url: `${hooks.url}/turning`, dlpAlertScript: turning.code });
  await subscribeTo(service, { ...wishes, url: `${hooks.url}/good`, dlpAlertScript: good.code });
  const change = async (count: number) => {
    for (let n = 0; n < count; n += 1) await put(service, 'Vessel', vessel.key, { flag: `${count} ${n}` });
  };
  await change(10);
  await expect.poll(() => hooks.received.length, { timeout: 60_000 }).toBe(20);
  await put(service, 'AlertScript', turning.key, { body: 'for (;;);' });
  await change(50);
  await expect.poll(() => hooks.at('/good').length, { timeout: 30_000 }).toBe(60);
  await put(service, 'AlertScript', turning.key, { body: 'return true;' });
  expect(hooks.at('/turning')).toHaveLength(10);
});
