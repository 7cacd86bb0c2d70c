// Gaps of the live feed in a real browser: what a page shows is read again after the feed has left something out.

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { createVoyage, notificationsOf, settled, startHooks, subscribeTo } from '../deliver/hooks.ts';
import { freshCode } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { becauseOfChromium, hasChromium, useConsole } from './console-browser.ts';
import { scriptFeed } from './scripted-feed.ts';

const settings = { FLAGHOIST_DELIVERY_INTERVAL_SECONDS: '0.1', FLAGHOIST_DELIVERY_ATTEMPTS: '2' };
const left = { rows: [], skipped: 3 };

describe.skipIf(!hasChromium)(`gaps of the live feed${becauseOfChromium}`, { timeout: 120_000 }, () => {
  const service = useTestService(settings);
  const browser = useConsole(service);

  async function openScripted(path: string) {
    const page = await browser.open('/system');
    const feed = await scriptFeed(page);
    await page.goto(`${service.url()}/console${path}`);
    await page.locator('.live-mark.live').waitFor();
    await page.waitForLoadState('networkidle');
    return { page, feed };
  }

  /** Each way in which the page learns that it may have missed something. */
  const gaps = [
    ['rows were left out', ({ send }: Awaited<ReturnType<typeof scriptFeed>>) => send('notifications', left)],
    ['the connection was lost', ({ lose }: Awaited<ReturnType<typeof scriptFeed>>) => lose()],
  ] as const;

  async function makeNotification() {
    const hooks = await startHooks();
    const subscription = await subscribeTo(service, { url: hooks.url });
    await createVoyage(service);
    await settled(service, subscription, ['DELIVERED']);
    const [{ key }] = await notificationsOf(service, subscription);
    return { key, path: `/notifications/${key}` };
  }

  const fail = (key: number) =>
    service.database.pool.query(
      `update flaghoist_service.webhook_notification set status = 'FAILED' where "key" = $1`,
      [key],
    );

  test.each(gaps)('an open notification is read again after %s', async (_, makeGap) => {
    const { key, path } = await makeNotification();
    const { page, feed } = await openScripted(path);
    await page.locator('.notification-head').getByText('Delivered').waitFor();
    await fail(key);
    await makeGap(feed);
    await page.locator('.notification-head').getByText('Failed').waitFor();
  });

  test.each(gaps)('the overview counts and lists subscriptions again after %s', async (_, makeGap) => {
    const { page, feed } = await openScripted('/');
    const counted = page.getByRole('link', { name: /^\d+ deactivated$/ });
    const before = Number.parseInt(await counted.innerText(), 10);
    const { key, name } = await subscribeTo(service, { url: 'https://agent.example/', name: freshCode('Sub', 9) });
    await service.database.pool.query(
      `update flaghoist_service.webhook_subscription set state = 'DEACTIVATED' where "key" = $1`,
      [key],
    );
    await makeGap(feed);
    await page.getByRole('link', { name: `${before + 1} deactivated` }).waitFor({ timeout: 10_000 });
    await page.getByRole('listitem').filter({ hasText: name }).waitFor({ timeout: 10_000 });
  });

  test('under load, nothing is read again more than once a second, and the last gap counts', async () => {
    const { key, path } = await makeNotification();
    const { page, feed } = await openScripted(path);
    const reads = countReads(page, `/WebhookNotification/${key}`);
    const startedAt = performance.now();
    while (performance.now() - startedAt < 3_000) await feed.send('notifications', left);
    await fail(key);
    await feed.send('notifications', left);
    await page.locator('.notification-head').getByText('Failed').waitFor();
    expect(reads.count()).toBeLessThanOrEqual(Math.ceil((performance.now() - startedAt) / 1_000) + 1);
  });
});

function countReads(page: Page, path: string) {
  let count = 0;
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === `/ws/rest${path}`) count += 1;
  });
  return { count: () => count };
}
