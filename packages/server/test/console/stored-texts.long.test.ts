// Texts that callers and receivers can store, on every page that shows them, in a real browser. The pages are opened
// without the Content-Security-Policy: that a text is shown as text must not depend on it.

import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { notificationsOf, settled, startHooks, subscribeTo } from '../deliver/hooks.ts';
import { makeScript } from '../shape/shaped.ts';
import { createClient, type TestClient } from '../support/access.ts';
import { bunkerOrderBody, cargoBody, create, createFleet, createVoyage, freshCode } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { becauseOfChromium, harmDone, hasChromium, useConsole } from './console-browser.ts';

/** On a busy machine a browser takes its time. */
const timeout = 120_000;

/** Short enough for most attributes. */
const image = '<img src onerror=hacked=true>';
const script = '"><script>hacked=true</script>';
const hostile = `${image}${script}`;

describe.skipIf(!hasChromium)(`stored texts in the console${becauseOfChromium}`, { timeout }, () => {
  const service = useTestService({ FLAGHOIST_DELIVERY_INTERVAL_SECONDS: '0.1', FLAGHOIST_DELIVERY_ATTEMPTS: '2' });
  const browser = useConsole(service);
  const open = (path: string, width = 320) => browser.open(path, { viewport: { width, height: 800 }, bypassCSP: true });
  const loaded = (page: Page) => expect.poll(() => page.locator('main [aria-busy="true"]').count()).toBe(0);

  /** Opens the page, where the text must be visible as it is and do nothing. */
  async function expectHarmless(page: Page, path: string, text = image): Promise<void> {
    await page.goto(`${service.url()}/console${path}`);
    await page.locator('#page h1').waitFor();
    await loaded(page);
    const values = '[...document.querySelectorAll("input, textarea, option")].map(({ value }) => value).join("\\n")';
    const shown = () => page.evaluate(`document.querySelector("#page").textContent + ${values}`);
    await expect.poll(shown, { message: path, timeout: 10_000 }).toContain(text);
    expect([path, await harmDone(page)]).toEqual([path, { hasRun: false, isTooWide: false }]);
  }

  /** One object of each type, with hostile texts in every attribute that takes any text. */
  const objects = new Map<string, number>();
  beforeAll(async () => {
    const fleet = await createFleet(service);
    const voyage = await createVoyage(service, fleet);
    await create(service, 'BunkerOrder', bunkerOrderBody(fleet, voyage.portCalls[0].key));
    await create(service, 'Cargo', cargoBody(fleet));
    const document = await create(service, 'Document', { company: fleet.partner.key, documentType: 'INI' });
    await create(service, 'DocumentLine', { document: document.key });
    const remarks = await create(service, 'Remarks', { source: voyage.key, remarkTitle: 'Note' });
    await create(service, 'Attachment', { remarks: remarks.key, fileName: 'a.txt', file: 'aGVsbG8=' });
    const { types } = (await service.get('/ws/rest/model')).body;
    for (const { name, attributes, isServiceOwn } of types) {
      const list = await service.get(`/ws/rest/${name}?limit=1&sort=key(DS)`);
      if (list.status !== 200 || list.body.length === 0 || isServiceOwn) continue;
      const [{ key }] = list.body;
      for (const { name: attribute, kind, maxLength = 1_000 } of attributes) {
        if (kind !== 'text' || maxLength < image.length) continue;
        const text = `${hostile}${'x'.repeat(200)}`.slice(0, Math.min(maxLength, 250));
        const { status } = await service.put(`/ws/rest/${name}/${key}`, { [attribute]: text });
        if (status === 200) objects.set(name, key);
      }
    }
  });

  test('of objects do nothing on the pages of their type, themselves, their edit form and their history', async () => {
    expect([...objects.keys()]).toEqual(
      expect.arrayContaining(['Voyage', 'Port', 'Vessel', 'DocumentLine', 'Attachment']),
    );
    const page = await open('/objects');
    for (const [type, key] of objects) {
      const one = `/objects/${type}/${key}`;
      for (const path of [one, `${one}?edit=yes`]) await expectHarmless(page, path);
    }
    await expectHarmless(page, '/objects/Port');
    await expectHarmless(page, `/objects/Voyage/${objects.get('Voyage')}?tab=history`);
    await expectHarmless(page, `/objects/Attachment?columns=fileName`);
    await expectHarmless(page, '/');
  });

  test('of subscriptions and receivers do nothing: header names, odd addresses, answers', async () => {
    const hooks = await startHooks((response) => {
      response.writeHead(500, hostile, { 'content-type': 'text/html', 'x-answer': hostile, 'x-long': 'y'.repeat(300) });
      response.end(`${hostile}${'z'.repeat(500)}`);
    });
    const oddUrl = `${hooks.url}/a'b"(c)/%3Cimg%20src%20onerror=hacked=true%3E?q=<script>&x=javascript:alert(1)`;
    const wishes = { eventType: 'Port.C', headers: { "X-O'dd!|~": image }, doNotUnsubscribe: true };
    const subscription = await subscribeTo(service, { ...wishes, name: hostile, url: oddUrl });
    const partner = await create(service, 'Port', { unLoCode: freshCode('ZZ', 5), portName: image });
    const [notification] = await settled(service, subscription, ['FAILED']);
    const page = await open('/subscriptions');
    const one = `/subscriptions/${subscription.key}`;
    await expectHarmless(page, `${one}?tab=settings`, "X-O'dd!|~");
    await expectHarmless(page, `${one}?tab=notifications`);
    await expectHarmless(page, `${one}/edit`);
    await expectHarmless(page, `/notifications/${notification.key}?tab=attempts`, script);
    await expectHarmless(page, `/notifications/${notification.key}?tab=attempts`, `/a'b"(c)/`);
    await expectHarmless(page, `/notifications?open=${notification.key}&tab=body`);
    await expectHarmless(page, `/why-not?type=Port&object=${partner.key}&subscription=${subscription.key}`);
    const resent = await service.post(`/ws/rest/WebhookSubscription/${subscription.key}/sendFailedNotifications`, {});
    expect(resent.status, resent.text).toBeLessThan(300);
    const [job] = (await service.get('/ws/rest/ResendJob?limit=1')).body;
    await expectHarmless(page, `/jobs/${job.key}`);
    await expectHarmless(page, '/');
  });

  test('of scripts do nothing: names, descriptions, logs, errors and messages', async () => {
    const failing = `if (parameters.fails) throw Error('${image}');`;
    const source = `console.log('${hostile}'); message.body = '${hostile}'; ${failing}`;
    const parameters = [{ name: 'fails', type: 'boolean' }];
    const made = await makeScript(service, `${source} return true;`, {
      name: hostile,
      description: hostile,
      parameters,
    });
    const hooks = await startHooks();
    const wishes = { eventType: 'Port.C', url: hooks.url, dlpAlertScript: made.code, useMsg: true, name: image };
    const fails = { ...wishes, scriptParameterValues: { fails: true } };
    const [good, bad] = [await subscribeTo(service, wishes), await subscribeTo(service, fails)];
    await create(service, 'Port', { unLoCode: freshCode('ZZ', 5), portName: image });
    const [delivered] = await settled(service, good, ['DELIVERED']);
    const page = await open('/scripts');
    await expectHarmless(page, '/scripts');
    await expectHarmless(page, `/scripts/${made.key}`);
    await expectHarmless(page, `/notifications/${delivered.key}?tab=body`);
    await expectHarmless(page, `/subscriptions/${good.key}/edit`);
    await page.getByRole('region', { name: 'Log of the script' }).getByText(image).first().waitFor();
    expect(await harmDone(page)).toEqual({ hasRun: false, isTooWide: false });
    await expect
      .poll(async () => (await service.get(`/ws/rest/WebhookSubscription/${bad.key}/decisions`)).text)
      .toContain('SCRIPT_ERROR');
    await expectHarmless(page, `/subscriptions/${bad.key}?tab=decisions`);
    expect(await notificationsOf(service, bad)).toEqual([]);
  });

  test('of users and of saved views do nothing, on wide screens and small ones', async () => {
    const user: TestClient = await createClient(service, ['read', 'webhook'], { name: hostile });
    for (const width of [320, 1440]) {
      const page = await open('/users', width);
      await expectHarmless(page, '/users');
      await expectHarmless(page, `/users/${user.userKey}`);
      await page.getByRole('button', { name: 'View as this user' }).click();
      await page.getByText(`You see what ${image}`).waitFor();
      expect(await harmDone(page)).toEqual({ hasRun: false, isTooWide: false });
      await page.goto(`${service.url()}/console/notifications?status=FAILED&status=RETRYING`);
      await page.getByRole('button', { name: 'Save as view' }).click();
      await page.getByLabel('Name of the view').fill(`${hostile}${'w'.repeat(100)}`);
      await page.keyboard.press('Enter');
      await page.getByRole('navigation', { name: 'Views' }).getByText(image).first().waitFor();
      await page.reload();
      await page.getByRole('navigation', { name: 'Views' }).getByText(image).first().waitFor();
      expect(await harmDone(page)).toEqual({ hasRun: false, isTooWide: false });
    }
  });
});
