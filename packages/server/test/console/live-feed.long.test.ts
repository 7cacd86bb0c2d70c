// The live feed of the console in a real browser: a renewed token takes over without a gap, and the page reports a gap.

import type { Page, Request } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { useTestService } from '../support/test-service.ts';
import { becauseOfChromium, hasChromium, useConsole } from './console-browser.ts';

/** The console renews it after nine seconds. A feed ends at the first beat after twelve. */
const settings = { FLAGHOIST_TOKEN_LIFETIME_SECONDS: '12' };

function watchRequests(page: Page, path: string) {
  const open = new Set<Request>();
  let count = 0;
  page.on('request', (request) => {
    if (new URL(request.url()).pathname !== `/ws/rest${path}`) return;
    count += 1;
    open.add(request);
  });
  for (const name of ['requestfinished', 'requestfailed'] as const)
    page.on(name as 'requestfailed', (request) => void open.delete(request));
  return { count: () => count, open: () => open.size };
}

/** Counts the notices, which disappear by themselves. */
async function watchNotices(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(`window.noticed = 0;
    new MutationObserver((records) => {
      for (const { addedNodes } of records)
        for (const node of addedNodes) if (node.textContent.includes('Connected again.')) window.noticed += 1;
    }).observe(document.body, { childList: true, subtree: true })`);
  return () => page.evaluate('window.noticed');
}

describe.skipIf(!hasChromium)(`the live feed of the console${becauseOfChromium}`, { timeout: 180_000 }, () => {
  const service = useTestService(settings);
  const browser = useConsole(service);
  let made = 0;

  /** By SQL: the token of the test expires, too. */
  async function createVessel(vesselName: string): Promise<void> {
    await service.database.pool.query('insert into flaghoist.vessel (vessel_name) values ($1)', [vesselName]);
  }

  async function seeChange(page: Page): Promise<void> {
    made += 1;
    const vesselName = `Seen ${made}.`;
    await createVessel(vesselName);
    await page.getByRole('listitem').filter({ hasText: vesselName }).waitFor();
  }

  test('a renewed token takes over: no notice, no list is loaded anew, and every change arrives', async () => {
    const page = await browser.open('/');
    const feeds = watchRequests(page, '/live');
    const lists = watchRequests(page, '/changes');
    await page.getByRole('heading', { name: 'Latest changes' }).waitFor();
    await page.locator('.live-mark.live').waitFor();
    await seeChange(page);
    const notices = await watchNotices(page);
    const loaded = lists.count();
    const endsAt = performance.now() + 36_000;
    while (performance.now() < endsAt) await seeChange(page);
    expect(await notices()).toBe(0);
    expect(lists.count()).toBe(loaded);
    expect(feeds.count()).toBeGreaterThanOrEqual(2);
    await expect.poll(feeds.open).toBeLessThanOrEqual(1);
  });

  test('after a connection was lost with its token, the page says that it is back, and lists load anew', async () => {
    browser.expectTrouble(/^401 .*\/ws\/rest\//);
    const page = await browser.open('/');
    await page.locator('.live-mark.live').waitFor();
    await seeChange(page);
    const notices = await watchNotices(page);
    await page.route('**/console/session/renewal', (route) => route.abort());
    await page.locator('.live-mark.live').waitFor({ state: 'detached', timeout: 60_000 });
    await createVessel('Meanwhile');
    await page.unroute('**/console/session/renewal');
    await page.getByRole('listitem').filter({ hasText: 'Meanwhile' }).waitFor({ timeout: 60_000 });
    await expect.poll(notices).toBe(1);
  });
});
