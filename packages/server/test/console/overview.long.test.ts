// The overview and the streams in a real browser: figures, what needs attention, the way in, and the test receiver.

import type { Locator } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { createVoyage as createPlainVoyage, settled, startHooks, subscribeTo } from '../deliver/hooks.ts';
import { createClient } from '../support/access.ts';
import { create, freshCode } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import {
  axeViolations,
  becauseOfChromium,
  harmDone,
  hasChromium,
  hostileTexts,
  useConsole,
} from './console-browser.ts';

const settings = {
  FLAGHOIST_REFERENCE_DATA: 'load',
  FLAGHOIST_DELIVERY_INTERVAL_SECONDS: '0.2',
  FLAGHOIST_DELIVERY_ATTEMPTS: '2',
};

describe.skipIf(!hasChromium)(`the overview of the console${becauseOfChromium}`, () => {
  const service = useTestService(settings);
  const browser = useConsole(service);

  test('an administrator starts the demo fleet with one click, sees changes come, and stops it on the page System', async () => {
    const page = await browser.open('/');
    await page.getByRole('button', { name: 'Start the demo fleet' }).click();
    await page.getByText('✓ The demo fleet sails.').waitFor();
    await page
      .getByRole('listitem')
      .filter({ hasText: /\.[CU].*demo/ })
      .first()
      .waitFor();
    await page.getByRole('link', { name: 'System' }).click();
    await page.getByText('✓ It sails').waitFor();
    await page.getByRole('button', { name: 'Stop the demo fleet' }).click();
    await page.getByRole('button', { name: 'Start the demo fleet' }).waitFor();
    expect((await service.get('/ws/rest/installation')).body.demo.state).toBe('STOPPED');
  });

  test('why the demo fleet has failed is said on the overview and the page System, until it is started again', async () => {
    const place = '/ws/rest/installation';
    const setActive = async (active: boolean) => {
      const [client] = (await service.get('/ws/rest/ApiClient?filter=clientId(EQ)demo-fleet')).body;
      await service.put(`/ws/rest/ApiClient/${client.key}`, { active });
    };
    await service.post(`${place}/demo`, { action: 'START' });
    await setActive(false);
    await expect.poll(async () => (await service.get(place)).body.demo.state, { timeout: 20_000 }).toBe('STOPPED');
    const page = await browser.open('/');
    const failure = page.getByText('The demo fleet has stopped: its client “demo-fleet” could not get a token.');
    await failure.waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('link', { name: 'System' }).click();
    await failure.waitFor();
    await setActive(true);
    await page.getByRole('button', { name: 'Start the demo fleet' }).click();
    await page.getByText('✓ It sails').waitFor();
    expect(await failure.count()).toBe(0);
    await service.post(`${place}/demo`, { action: 'STOP' });
  });

  test('a newcomer sees a real notification without any other program, verified and acknowledged', async () => {
    const newcomer = await createClient(service, ['read', 'write', 'webhook']);
    const page = await browser.open('/', { client: newcomer });
    await page.getByRole('button', { name: 'Watch changes here' }).click();
    await page.getByText('Connected. The next notification appears here.').waitFor();
    const port = await create(service, 'Port', { unLoCode: freshCode('ZZ', 5), portName: 'Port of Call' });
    const received = page.getByRole('listitem').filter({ hasText: `Port.C.${port.key}` });
    await received.getByRole('button', { name: `Port.C.${port.key}` }).click();
    await received.getByText('✓ authentic').waitFor();
    await received.getByText('✓ acknowledged').waitFor();
    await received.getByText('Port of Call').first().waitFor();
    expect(await received.getByRole('region', { name: 'Headers' }).textContent()).toContain('webhook-signature: v1,');
    await page.getByRole('link', { name: 'Open the notification' }).click();
    await page.getByText('acknowledged by a consumer of the stream').waitFor();
  });

  test('the page System shows queues, workers and settings, finds a setting, and shows no secret', async () => {
    const page = await browser.open('/system');
    await page
      .getByRole('table', { name: 'What waits' })
      .getByRole('row', { name: /Ready, or being sent 0/ })
      .waitFor();
    await page.getByRole('table', { name: 'Processes that deliver' }).getByText('✓ Alive').waitFor();
    await page.getByLabel('Find a setting').fill('flaghoist_encryption_key');
    const setting = page.locator('.system-settings > div');
    await expect.poll(() => setting.allInnerTexts()).toHaveLength(1);
    expect(await setting.innerText()).toContain('••••••');
    expect(await axeViolations(page)).toEqual([]);
    expect(await harmDone(page)).toEqual({ hasRun: false, isTooWide: false });
    const reader = await browser.open('/system', { client: await createClient(service, ['read', 'write', 'webhook']) });
    await reader.getByRole('heading', { name: 'Not allowed' }).waitFor();
  });

  test('by hand, only what a person acknowledges is delivered; a wrong secret is told and not acknowledged', async () => {
    const subscription = await subscribeTo(service, {
      eventType: 'Port.C',
      channelInfo: { channelType: 'STREAM' },
      name: 'By hand',
    });
    const page = await browser.open(`/streams/${subscription.key}`);
    await page.getByText('Verify signatures').click();
    await page.getByLabel('Signing secret').fill(`whsec_${Buffer.alloc(32).toString('base64')}`);
    await page.getByRole('button', { name: 'Receive here' }).click();
    await page.getByText('Connected. The next notification appears here.').waitFor();
    const port = await create(service, 'Port', { unLoCode: freshCode('ZZ', 5), portName: 'Hand' });
    await page.getByText('✕ wrong signature').waitFor();
    await settled(service, subscription, ['PENDING']);
    await page
      .getByRole('listitem')
      .filter({ hasText: `Port.C.${port.key}` })
      .getByRole('button', { name: 'Acknowledge' })
      .click();
    await settled(service, subscription, ['DELIVERED']);
    await page.getByText('✓ acknowledged').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('not connected').waitFor();
  });

  test('the list of streams says how many notifications wait', async () => {
    const subscription = await subscribeTo(service, {
      eventType: 'Currency.C',
      channelInfo: { channelType: 'STREAM' },
      name: 'Waiting stream',
    });
    await create(service, 'Currency', { currencyCode: freshCode('0', 3), currencyName: 'Crown' });
    await settled(service, subscription, ['PENDING']);
    const page = await browser.open('/streams');
    await page
      .getByRole('row')
      .filter({ hasText: /Waiting stream\s*Currency\.C\s*✓ Active\s*1/ })
      .waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('link', { name: 'Waiting stream' }).click();
    await page.getByRole('heading', { name: 'Waiting stream' }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
  });

  test('a deactivated subscription needs attention, one click from its replacement', async () => {
    const hooks = await startHooks((response) => {
      response.statusCode = 500;
      response.end();
    });
    const { key } = await subscribeTo(service, { url: hooks.url, name: hostileTexts.script });
    await createPlainVoyage(service);
    await expect
      .poll(async () => (await service.get(`/ws/rest/WebhookSubscription/${key}`)).body.state)
      .toBe('DEACTIVATED');
    const page = await browser.open('/');
    const item = page.getByRole('listitem').filter({ hasText: 'Deactivated' });
    await item.getByRole('link', { name: hostileTexts.script }).waitFor();
    expect(await item.getByRole('link', { name: 'Replace it' }).getAttribute('href')).toBe(
      `/console/subscriptions/${key}`,
    );
    expect(await harmDone(page)).toEqual({ hasRun: false, isTooWide: false });
  });

  test('changes, notifications, deliveries and failures: per second, and how many in the last hour and day', async () => {
    const refused = await subscribeTo(service, {
      url: 'http://127.0.0.1:9/hook',
      eventType: 'Commodity.C',
      name: 'Refused',
    });
    await create(service, 'Commodity', { commodityCode: freshCode('C-', 8), commodityName: 'Coal' });
    await settled(service, refused, ['FAILED']);
    const totals = async () => (await service.get('/ws/rest/WebhookNotification/statistics?range=DAY')).body.totals;
    await expect.poll(async () => (await totals()).failed, { timeout: 20_000 }).toBeGreaterThan(0);
    const page = await browser.open('/');
    const figures = page.locator('dl[aria-label="Now"]');
    await figures
      .getByText(/Hour \d+ · Day \d+/)
      .first()
      .waitFor();
    const counts = { Changes: 'changes', Notifications: 'created', Delivered: 'delivered', Failed: 'failed' };
    // The page reads them now and then.
    for (const [name, count] of Object.entries(counts))
      await expect
        .poll(async () => [await textOf(figures, name), (await totals())[count]], { timeout: 40_000, interval: 500 })
        .toSatisfy(([text, total]: [string, number]) =>
          new RegExp(`^${name} per s [\\d.,]+ Hour ${total} · Day ${total}$`).test(text),
        );
    const { failed } = await totals();
    await figures.getByRole('link', { name: `Hour ${failed}` }).click();
    await page
      .getByRole('row', { name: /Commodity\.C/ })
      .first()
      .waitFor();
    expect(new URL(page.url()).search).toBe('?status=FAILED&last=1h');
  });

  test('a period that is dragged in the chart opens its notifications; the table says the same', async () => {
    const hooks = await startHooks();
    const subscription = await subscribeTo(service, { url: hooks.url, eventType: 'Commodity.C', name: 'Charted' });
    await create(service, 'Commodity', { commodityCode: freshCode('C-', 8), commodityName: 'Ore' });
    await settled(service, subscription, ['DELIVERED']);
    const counted = async () => (await service.get('/ws/rest/WebhookNotification/statistics')).body.totals.delivered;
    await expect.poll(counted, { timeout: 20_000 }).toBeGreaterThan(0);
    const page = await browser.open('/');
    await page.getByText('As a table').click();
    await page.getByRole('table').getByRole('link').first().waitFor();
    const chart = (await page.locator('.u-over').boundingBox())!;
    await page.mouse.move(chart.x + chart.width / 2, chart.y + 20);
    await page.mouse.down();
    await page.mouse.move(chart.x + chart.width, chart.y + 40, { steps: 4 });
    await page.mouse.up();
    await page.getByRole('heading', { name: 'Notifications', exact: true }).waitFor();
    const { searchParams } = new URL(page.url());
    const minutes = (Date.parse(searchParams.get('to')!) - Date.parse(searchParams.get('from')!)) / 60_000;
    expect(Math.round(minutes)).toBeGreaterThan(25);
    expect(Math.round(minutes)).toBeLessThan(35);
    await page
      .getByRole('row', { name: /Commodity\.C/ })
      .first()
      .waitFor();
  });

  test.each([
    ['read', ['read']],
    ['read and webhook', ['read', 'webhook']],
  ])('with the scope %s, the overview shows what it may and asks for nothing else', async (_, scopes) => {
    const client = await createClient(service, scopes);
    const page = await browser.open('/', { client });
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByRole('heading', { name: 'Latest changes' }).waitFor();
    expect(await page.getByRole('heading', { name: 'Needs attention' }).count()).toBe(
      scopes.includes('webhook') ? 1 : 0,
    );
    await page.waitForLoadState('networkidle').catch(() => undefined);
    expect(await axeViolations(page)).toEqual([]);
  });

  test.each([
    [1440, 'dark'],
    [320, 'light'],
  ] as const)('nothing stands in the way of a screen reader, or is cut off (%i, %s)', async (width, colorScheme) => {
    const page = await browser.open('/', { viewport: { width, height: 800 }, colorScheme });
    await page.getByRole('heading', { name: 'Latest changes' }).waitFor();
    await page.locator('.u-over').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    expect(await harmDone(page)).toEqual({ hasRun: false, isTooWide: false });
  });
});

/** Of one figure, as one line. */
async function textOf(figures: Locator, name: string): Promise<string> {
  const text = await figures.locator('.overview-figure').filter({ hasText: name }).innerText();
  return text.replace(/\s+/g, ' ');
}
