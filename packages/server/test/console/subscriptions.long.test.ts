// The list of subscriptions in a real browser: health, filters, who sees what, and what its pages look like.

import { describe, expect, test } from 'vitest';
import { createVoyage, settled, startHooks, subscribeTo } from '../deliver/hooks.ts';
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
import { choose, deactivated, loaded, settings, timeout } from './subscription-page.ts';

describe.skipIf(!hasChromium)(`subscriptions in the console${becauseOfChromium}`, { timeout }, () => {
  const service = useTestService(settings);
  const browser = useConsole(service);

  const integrator = () => createClient(service, ['read', 'webhook']);

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
    const { subscription } = await deactivated(service);
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
    const { subscription } = await deactivated(service, { expression: 'freight = null' });
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
