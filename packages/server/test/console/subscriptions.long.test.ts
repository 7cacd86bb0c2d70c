// The list of subscriptions and the page of one in a real browser: health, filters, and everything that can be done with
// a subscription.

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { createVoyage, notificationsOf, readSubscription, settled, startHooks, subscribeTo } from '../deliver/hooks.ts';
import { createClient } from '../support/access.ts';
import { freshCode } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import {
  axeViolations,
  becauseOfChromium,
  harmDone,
  hasChromium,
  hostileTexts,
  useConsole,
} from './console-browser.ts';

/** On a busy machine a browser takes its time. */
const timeout = 120_000;

const settings = { FLAGHOIST_DELIVERY_INTERVAL_SECONDS: '0.1', FLAGHOIST_DELIVERY_ATTEMPTS: '2' };

describe.skipIf(!hasChromium)(`subscriptions in the console${becauseOfChromium}`, { timeout }, () => {
  const service = useTestService(settings);
  const browser = useConsole(service);

  const integrator = () => createClient(service, ['read', 'webhook']);

  /** A subscription that was deactivated by a receiver that answers 500, with two failed notifications. */
  async function deactivated(more: Record<string, unknown> = {}) {
    const answers = { status: 500 };
    const hooks = await startHooks((response) => {
      response.statusCode = answers.status;
      response.end('out of order');
    });
    const subscription = await subscribeTo(service, { url: `${hooks.url}/hook`, name: freshCode('Sub', 9), ...more });
    await createVoyage(service);
    await createVoyage(service);
    await settled(service, subscription, ['FAILED', 'FAILED']);
    return { subscription, hooks, answers };
  }

  const choose = async (page: Page, action: string) => {
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('dialog', { name: 'More actions' }).getByText(action, { exact: true }).click();
  };
  const loaded = (page: Page) => expect.poll(() => page.locator('main [aria-busy="true"]').count()).toBe(0);
  const dialog = (page: Page) => page.getByRole('dialog').last();

  test('the first subscription is three clicks away, and its first notification appears', async () => {
    const page = await browser.open('/subscriptions', { client: await integrator() });
    await page.getByRole('link', { name: 'Create the first subscription' }).click();
    await page.getByRole('button', { name: 'Every change of a voyage' }).click();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText('whsec_').waitFor();
    await page.getByRole('button', { name: 'Open the subscription' }).click();
    await page.getByRole('heading', { level: 1, name: 'Every change of a voyage' }).waitFor();
    const voyage = await createVoyage(service);
    await page.getByRole('tab', { name: 'Notifications' }).click();
    await page.getByRole('row', { name: new RegExp(`Voyage\\.C ${voyage}`) }).waitFor();
  });

  test('filters and the search are in the address, and show the same after a reload', async () => {
    const name = freshCode('Filtered', 14);
    const url = 'https://agent.example/hook';
    await subscribeTo(service, { name: `${name} mail`, channelInfo: { channelType: 'EMAIL', URL: 'a@agent.example' } });
    await subscribeTo(service, {
      name: `${name} calls`,
      eventType: undefined,
      eventTypes: ['PortCall.U', 'Voyage.D'],
      url,
    });
    await subscribeTo(service, { name: `${name} 100%`, eventType: 'Vessel.U', url });
    const page = await browser.open('/subscriptions');
    const names = () => page.getByRole('link', { name: new RegExp(name) }).allInnerTexts();
    await page.getByRole('searchbox').fill(name.toLowerCase());
    await expect.poll(names).toEqual([`${name} 100%`, `${name} calls`, `${name} mail`]);
    await page.getByLabel('Channel').selectOption('EMAIL');
    await expect.poll(names).toEqual([`${name} mail`]);
    await page.getByLabel('Channel').selectOption('');
    await page.getByLabel('Type').selectOption('PortCall');
    await expect.poll(names).toEqual([`${name} calls`]);
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      search: name.toLowerCase(),
      type: 'PortCall',
    });
    await page.reload();
    await expect.poll(names).toEqual([`${name} calls`]);
    await page.goto(`${service.url()}/console/subscriptions?search=${encodeURIComponent('100%')}`);
    await expect.poll(names).toEqual([`${name} 100%`]);
  });

  test('the list shows the state, what has failed lately and the last error', async () => {
    const { subscription } = await deactivated();
    // Counts are some seconds late.
    const health = `/ws/rest/WebhookSubscription/health?subscriptions=${subscription.key}`;
    const failed = async () => (await service.get(health)).body.subscriptions[0].failedLastHour;
    await expect.poll(failed, { timeout: 30_000 }).toBe(2);
    const page = await browser.open(`/subscriptions?search=${subscription.name}&state=DEACTIVATED`);
    const row = page.getByRole('row', { name: new RegExp(subscription.name) });
    await row.getByText('Deactivated').waitFor();
    await row.getByText(/answered 500/).waitFor();
    await row.getByRole('img', { name: 'Last 24 hours: 0 delivered, 2 failed' }).waitFor();
  });

  test('a new subscription appears at the top of a long list, which keeps its pages and stays scrolled', async () => {
    const client = await integrator();
    const prefix = freshCode('Long', 9);
    const add = (name: string) =>
      // Of what no other test changes: none of them is notified.
      subscribeTo(service, { name, eventType: 'Currency.D', url: 'https://agent.example/' }, client);
    for (let count = 0; count < 230; count += 1) await add(`${prefix} ${count}`);
    const page = await browser.open(`/subscriptions?search=${prefix}`, { client });
    const table = page.getByRole('table', { name: 'Subscriptions' });
    const rowCount = async () => Number(await table.getAttribute('aria-rowcount')) - 1;
    const scrollTo = (top: number) => page.evaluate(`document.querySelector('.table-body').scrollTo(0, ${top})`);
    const at = (name: string) => table.getByRole('link', { name, exact: true }).boundingBox();
    await page.getByText('230 subscriptions').waitFor();
    await expect.poll(rowCount).toBe(100);
    await scrollTo(1e6);
    await expect.poll(rowCount).toBe(200);
    const shown = `${prefix} 130`;
    const before = (await at(shown))!.y;
    await add(`${prefix} new`);
    await add('Does not match');
    await page.getByText('231 subscriptions').waitFor();
    expect(await rowCount()).toBe(201);
    expect((await at(shown))!.y).toBe(before);
    await scrollTo(0);
    await table.getByRole('row').nth(1).getByText(`${prefix} new`).waitFor();
    await add(`${prefix} newer`);
    await table.getByRole('row').nth(1).getByText(`${prefix} newer`).waitFor();
    await page.getByText('232 subscriptions').waitFor();
    await scrollTo(1e6);
    await expect.poll(rowCount).toBe(232);
  });

  test('everybody sees the own subscriptions, an administrator all, and who may only read none', async () => {
    const [one, other] = [await integrator(), await integrator()];
    const mine = await subscribeTo(service, { name: freshCode('Mine', 9), url: 'https://agent.example/' }, one);
    const theirs = await subscribeTo(service, { name: freshCode('Theirs', 9), url: 'https://agent.example/' }, other);
    const own = await browser.open('/subscriptions', { client: one });
    await own.getByRole('link', { name: mine.name }).waitFor();
    expect(await own.getByText(theirs.name).count()).toBe(0);
    const all = await browser.open(`/subscriptions?user=${other.userKey}`);
    await all.getByRole('link', { name: theirs.name }).waitFor();
    expect(await all.getByText(mine.name).count()).toBe(0);
    const reader = await browser.open('/subscriptions', { client: await createClient(service, ['read']) });
    await reader.getByRole('heading', { name: 'Not allowed' }).waitFor();
    expect(await reader.getByRole('link', { name: 'Subscriptions' }).count()).toBe(0);
  });

  test('a deactivated one is replaced by one click, with all its settings, and what has failed is sent', async () => {
    const shaping = {
      expression: 'freight = null',
      json: { voyageStatus: '*', vessel: { vesselName: '*' } },
      includeChanges: true,
      ordering: 'OBJECT',
      retryPolicy: { attempts: 2, intervalSeconds: 1, backoff: 'FIXED' },
      ratePerSecond: 50,
    };
    const { subscription, hooks, answers } = await deactivated(shaping);
    answers.status = 200;
    const page = await browser.open(`/subscriptions/${subscription.key}`);
    await page.getByRole('button', { name: 'Replace it' }).click();
    await page.getByText('Replaced. What had failed is sent again.').waitFor();
    const key = Number(new URL(page.url()).pathname.split('/').at(-1));
    expect(key).not.toBe(subscription.key);
    const [old, replacement] = await Promise.all([
      readSubscription(service, subscription),
      readSubscription(service, { key }),
    ]);
    expect(old.state).toBe('UNSUBSCRIBED');
    const asItWas = ['name', 'url', 'eventTypes', 'user', ...Object.keys(shaping)];
    for (const name of asItWas) expect([name, replacement[name]]).toEqual([name, old[name]]);
    await settled(service, { key }, ['DELIVERED', 'DELIVERED']);
    expect(hooks.received.length).toBeGreaterThanOrEqual(4);
  });

  test('one with secrets asks for them before it is replaced', async () => {
    const { subscription, hooks, answers } = await deactivated({
      webhookUsername: 'agent',
      webhookPassword: 'sesame-old',
      headers: { 'X-Api-Key': 'key-old' },
    });
    answers.status = 200;
    const page = await browser.open(`/subscriptions/${subscription.key}`);
    await page.getByText('You will be asked for the password, the header X-Api-Key.').waitFor();
    await page.getByRole('link', { name: 'Replace it' }).click();
    await page.getByRole('button', { name: 'Replace', exact: true }).click();
    await page.getByText('Enter the value.').waitFor();
    await page.getByLabel('Value of X-Api-Key').fill('key-new');
    await page.getByLabel('Password', { exact: true }).fill('sesame-new');
    await page.getByRole('button', { name: 'Replace', exact: true }).click();
    await page.getByText('It signs with the secret of the subscription that it replaces.').waitFor();
    await expect.poll(() => hooks.received.at(-1)?.headers['x-api-key']).toBe('key-new');
    const basic = Buffer.from('agent:sesame-new').toString('base64');
    expect(hooks.received.at(-1)?.headers.authorization).toBe(`Basic ${basic}`);
    expect((await readSubscription(service, subscription)).state).toBe('UNSUBSCRIBED');
  });

  test('a test message is answered at once, whatever the receiver says', async () => {
    const hooks = await startHooks((response, { path }) => {
      response.statusCode = path === '/bad' ? 418 : 200;
      response.end(hostileTexts.image);
    });
    const good = await subscribeTo(service, { url: `${hooks.url}/good` });
    const bad = await subscribeTo(service, { url: `${hooks.url}/bad` });
    const page = await browser.open(`/subscriptions/${good.key}`);
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText(/✓ Delivered to .*answered 200/).waitFor();
    await page.getByText(hostileTexts.image).waitFor();
    await page.goto(`${service.url()}/console/subscriptions/${bad.key}`);
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText(/✕ Not delivered to .*answered 418/).waitFor();
    expect(await harmDone(page)).toEqual({ hasRun: false, isTooWide: false });
  });

  test('a rotated secret is shown once', async () => {
    const subscription = await subscribeTo(service, { url: 'https://agent.example/' });
    const page = await browser.open(`/subscriptions/${subscription.key}`);
    await choose(page, 'Rotate the signing secret');
    await dialog(page).getByRole('button', { name: 'Rotate the secret' }).click();
    const secret = await dialog(page)
      .getByText(/^whsec_/)
      .innerText();
    service.secrets.plant('a rotated secret', secret);
    await dialog(page).getByRole('button', { name: 'I have kept it' }).click();
    expect(await page.getByText(secret).count()).toBe(0);
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByText('"signingSecret"').waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(secret);
  });

  test('it is slowed down, and that can be undone', async () => {
    const subscription = await subscribeTo(service, { url: 'https://agent.example/', ratePerSecond: 7.5 });
    const rate = async () => (await readSubscription(service, subscription)).ratePerSecond;
    const page = await browser.open(`/subscriptions/${subscription.key}`);
    await choose(page, 'Slow down or pause');
    browser.expectTrouble(/^400 PUT/);
    await page.getByLabel('At most per second').fill('2000');
    await dialog(page).getByRole('button', { name: 'Save' }).click();
    await page.getByText(/1000/).first().waitFor();
    await page.getByRole('button', { name: /^Almost pause/ }).click();
    await dialog(page).getByRole('button', { name: 'Save' }).click();
    await expect.poll(rate).toBe(0.01);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(rate).toBe(7.5);
  });

  test('unsubscribing says how much will fail, and that it cannot be undone', async () => {
    const hooks = await startHooks(() => undefined);
    const subscription = await subscribeTo(service, { name: freshCode('Sub', 9), url: hooks.url, ratePerSecond: 0.01 });
    for (const _ of 'abc') await createVoyage(service);
    await settled(service, subscription, ['PENDING', 'PENDING', 'PENDING']);
    const page = await browser.open(`/subscriptions/${subscription.key}`);
    await choose(page, 'Unsubscribe');
    await page.getByText('3 pending notifications will fail. This cannot be undone.').waitFor();
    await dialog(page).getByRole('button', { name: 'Cancel' }).click();
    expect((await readSubscription(service, subscription)).state).toBe('ACTIVE');
    await choose(page, 'Unsubscribe');
    await dialog(page).getByRole('button', { name: 'Unsubscribe' }).click();
    await page.getByText('Unsubscribed', { exact: true }).first().waitFor();
    expect(await page.getByRole('button', { name: 'Send a test' }).count()).toBe(0);
    // It has had notifications, so it stays: the service says why.
    browser.expectTrouble(/^409 DELETE/);
    await choose(page, 'Delete');
    await dialog(page).getByRole('button', { name: 'Delete' }).click();
    await page.getByText(/has had notifications and cannot be deleted/).waitFor();
  });

  test('one that never had a notification can be deleted when it is unsubscribed', async () => {
    const subscription = await subscribeTo(service, { eventType: 'Vessel.D', url: 'https://agent.example/' });
    await service.put(`/ws/rest/WebhookSubscription/${subscription.key}`, { unsubscribed: true });
    const page = await browser.open(`/subscriptions/${subscription.key}`);
    await choose(page, 'Delete');
    await dialog(page).getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { level: 1, name: 'Subscriptions' }).waitFor();
    expect((await service.get(`/ws/rest/WebhookSubscription/${subscription.key}`)).status).toBe(404);
  });

  test('what has failed, and a period, is sent again after its count was shown', async () => {
    const { subscription, answers } = await deactivated();
    answers.status = 200;
    const page = await browser.open(`/subscriptions/${subscription.key}`);
    await choose(page, 'Send failed ones again');
    await page.getByText('2 failed notifications get a new set of attempts').waitFor();
    await dialog(page).getByRole('button', { name: 'Send 2 again' }).click();
    await page.getByRole('heading', { level: 1, name: /^Job / }).waitFor();
    await settled(service, subscription, ['DELIVERED', 'DELIVERED']);
    const [first] = await notificationsOf(service, subscription);
    await page.goto(`${service.url()}/console/subscriptions/${subscription.key}`);
    await choose(page, 'Replay a period');
    await page.getByText('2 notifications.').waitFor();
    await page.getByLabel('Key of an object').fill(String(first.objectKey));
    await page.getByText('One notification.').waitFor();
    await dialog(page).getByRole('button', { name: 'Replay 1' }).click();
    await page.getByRole('heading', { level: 1, name: /^Job / }).waitFor();
  });

  test('decisions say why and why not, with the value of each part of the expression', async () => {
    const subscription = await subscribeTo(service, {
      url: 'https://agent.example/',
      expression: 'freight > 100 && voyageStatus = EST',
      doNotUnsubscribe: true,
    });
    await createVoyage(service, { freight: 7, voyageStatus: 'EST' });
    const page = await browser.open(`/subscriptions/${subscription.key}?tab=decisions`);
    const decision = page.getByRole('listitem').filter({ hasText: 'freight > 100' });
    await expect
      .poll(async () => {
        await page.getByRole('button', { name: 'Refresh' }).click();
        return decision.count();
      })
      .toBe(1);
    await decision.getByRole('button', { name: 'Values' }).click();
    const tree = decision.getByRole('list', { name: 'Values of the parts' });
    await tree.getByText('freight > 100', { exact: true }).waitFor();
    await tree.getByText('decided').first().waitFor();
    await tree.getByText('not evaluated').waitFor();
    await page.getByLabel('Which decisions').selectOption('notified');
    await page.getByText('There is none.').waitFor();
  });

  test('who looks as another user changes nothing', async () => {
    const client = await integrator();
    const subscription = await subscribeTo(
      service,
      { name: freshCode('Sub', 9), url: 'https://agent.example/' },
      client,
    );
    const page = await browser.open(`/users/${client.userKey}`);
    await page.getByRole('button', { name: 'View as this user' }).click();
    await page.getByRole('link', { name: 'Subscriptions' }).click();
    expect(await page.getByRole('link', { name: 'New subscription' }).count()).toBe(0);
    await page.getByRole('link', { name: subscription.name }).click();
    await page.getByRole('heading', { level: 1, name: subscription.name }).waitFor();
    for (const name of ['Send a test', 'More actions'])
      expect(await page.getByRole('button', { name }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Edit' }).count()).toBe(0);
  });

  test('hostile texts are shown as they are, and nothing is wider than a small screen', async () => {
    const hooks = await startHooks((response) => {
      response.statusCode = 500;
      response.end(hostileTexts.script + hostileTexts.image);
    });
    const name = `${hostileTexts.script}${hostileTexts.image}${hostileTexts.rightToLeft}`.slice(0, 120);
    const subscription = await subscribeTo(service, {
      name,
      url: `${hooks.url}/${hostileTexts.long}`,
      expression: `comments = null || comments != "${hostileTexts.image.replaceAll('"', "'")}"`,
      headers: { 'X-Long': hostileTexts.long },
    });
    await createVoyage(service);
    await settled(service, subscription, ['FAILED']);
    const page = await browser.open('/subscriptions', { viewport: { width: 320, height: 800 } });
    for (const path of ['', `/${subscription.key}`, `/${subscription.key}/edit`, `/new?copy=${subscription.key}`]) {
      await page.goto(`${service.url()}/console/subscriptions${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await loaded(page);
      expect([path, await harmDone(page)]).toEqual([path, { hasRun: false, isTooWide: false }]);
    }
    for (const tab of ['notifications', 'decisions', 'settings']) {
      await page.goto(`${service.url()}/console/subscriptions/${subscription.key}?tab=${tab}`);
      await page.getByRole('heading', { level: 1, name: /script/ }).waitFor();
      await loaded(page);
      expect([tab, await harmDone(page)]).toEqual([tab, { hasRun: false, isTooWide: false }]);
    }
  });

  test.each(['light', 'dark'] as const)('axe finds nothing (%s)', async (colorScheme) => {
    const { subscription } = await deactivated({ expression: 'freight = null' });
    const page = await browser.open('/subscriptions', { colorScheme, bypassCSP: true });
    await page.getByRole('link', { name: subscription.name }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    for (const tab of ['overview', 'notifications', 'decisions', 'settings']) {
      await page.goto(`${service.url()}/console/subscriptions/${subscription.key}?tab=${tab}`);
      await page.getByRole('tab', { selected: true }).waitFor();
      await loaded(page);
      expect([tab, await axeViolations(page)]).toEqual([tab, []]);
    }
    for (const action of ['Slow down or pause', 'Rotate the signing secret', 'Replay a period']) {
      await choose(page, action);
      expect([action, await axeViolations(page)]).toEqual([action, []]);
      await page.keyboard.press('Escape');
    }
  });
});
