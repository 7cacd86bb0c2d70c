// The list of notifications in a real browser: its filters and views, the keyboard, and who sees what.

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { type Hooks, settled, startHooks, subscribeTo } from '../deliver/hooks.ts';
import { createClient } from '../support/access.ts';
import { createFleet, createVoyage, freshCode } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { axeViolations, becauseOfChromium, hasChromium, useConsole } from './console-browser.ts';

const settings = { FLAGHOIST_DELIVERY_INTERVAL_SECONDS: '0.2', FLAGHOIST_DELIVERY_ATTEMPTS: '2' };

describe.skipIf(!hasChromium)(`notifications in the console${becauseOfChromium}`, () => {
  const service = useTestService(settings);
  const browser = useConsole(service);

  /** A voyage with one delivered and one failed notification. */
  async function notifiedVoyage(hooks: Hooks, more: Record<string, unknown> = {}) {
    const name = freshCode('Sub', 9);
    const good = await subscribeTo(service, { url: `${hooks.url}/good`, name: `${name} good`, ...more });
    const bad = await subscribeTo(service, {
      url: `${hooks.url}/bad`,
      name: `${name} bad`,
      doNotUnsubscribe: true,
      ...more,
    });
    const voyage = await createVoyage(service, await createFleet(service));
    const [[delivered], [failed]] = await Promise.all([
      settled(service, good, ['DELIVERED']),
      settled(service, bad, ['FAILED']),
    ]);
    return { name, good, bad, voyage, delivered, failed };
  }

  const respond: Parameters<typeof startHooks>[0] = (response, { path }) => {
    response.statusCode = path === '/bad' ? 500 : 200;
    response.end(path === '/bad' ? 'the database is away' : 'thanks');
  };

  test('the list is filtered by chips that are in the address, and shows the same after a reload', async () => {
    const { name, good, bad } = await notifiedVoyage(await startHooks(respond));
    const page = await browser.open(`/notifications?subscription=${good.key}&subscription=${bad.key}`);
    await expectRows(page, [`${name} bad`, `${name} good`]);
    await addFilter(page, 'Status');
    await page.getByRole('checkbox', { name: 'Failed' }).check();
    await page.keyboard.press('Escape');
    await expectRows(page, [`${name} bad`]);
    expect(new URL(page.url()).searchParams.getAll('status')).toEqual(['FAILED']);
    await page.reload();
    await expectRows(page, [`${name} bad`]);
    await page.getByRole('button', { name: 'Remove the filter Status' }).click();
    await expectRows(page, [`${name} bad`, `${name} good`]);
    await page.goBack();
    await expectRows(page, [`${name} bad`]);
  });

  test('a voyage number, a text of the error, and a period find notifications', async () => {
    const { name, good, bad, voyage } = await notifiedVoyage(await startHooks(respond));
    await createVoyage(service, await createFleet(service));
    const page = await browser.open(`/notifications?subscription=${good.key}&subscription=${bad.key}`);
    await addFilter(page, 'Object');
    await page.getByLabel('Key, code, name or number').fill(String(voyage.referenceNo));
    await page.getByRole('button', { name: new RegExp(`^Voyage ${voyage.referenceNo} `) }).click();
    await expectRows(page, [`${name} bad`, `${name} good`]);
    await addFilter(page, 'Error');
    await page.getByLabel('Text in the error').fill('answered 500');
    await page.keyboard.press('Enter');
    await expectRows(page, [`${name} bad`]);
    await addFilter(page, 'Time');
    await page.getByRole('button', { name: 'Last hour' }).click();
    await expectRows(page, [`${name} bad`]);
    await page.goto(`${service.url()}/console/notifications?subscription=${bad.key}&to=2020-01-01T00:00:00Z`);
    await page.getByText('No notification matches these filters.').waitFor();
  });

  test('the history of an object leads to the notifications of one change', async () => {
    const { name, good, bad, voyage } = await notifiedVoyage(await startHooks(respond), {
      eventType: undefined,
      eventTypes: ['Voyage.C', 'Voyage.U'],
    });
    await service.put(`/ws/rest/Voyage/${voyage.key}`, { comments: 'Later' });
    await settled(service, good, ['DELIVERED', 'DELIVERED']);
    await settled(service, bad, ['FAILED', 'FAILED']);
    const page = await browser.open(`/objects/Voyage/${voyage.key}?tab=history`);
    // Those of other tests may be notified, too.
    await page
      .getByRole('link', { name: /^\d+ notified$/ })
      .last()
      .click();
    await page.getByRole('button', { name: /^Filter: Change: \d+$/ }).waitFor();
    for (const each of ['good', 'bad'])
      await page.getByRole('row', { name: new RegExp(`Voyage\\.C .*${name} ${each}`) }).waitFor();
    expect(await page.getByRole('row', { name: /Voyage\.U/ }).count()).toBe(0);
  });

  test('filters are saved as a view in this browser, and a view can be removed and restored', async () => {
    const { bad } = await notifiedVoyage(await startHooks(respond));
    const page = await browser.open(`/notifications?status=FAILED&subscription=${bad.key}`);
    await page.getByRole('button', { name: 'Save as view' }).click();
    await page.getByLabel('Name of the view').fill('My failures');
    await page.keyboard.press('Enter');
    const views = page.getByRole('navigation', { name: 'Views' });
    await views.getByRole('link', { name: 'All' }).click();
    await page.reload();
    await views.getByRole('link', { name: 'My failures' }).click();
    expect(new URL(page.url()).searchParams.get('subscription')).toBe(String(bad.key));
    await page.getByRole('button', { name: 'Remove view' }).click();
    await expect.poll(() => views.getByRole('link', { name: 'My failures' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await views.getByRole('link', { name: 'My failures' }).waitFor();
  });

  test('with the keyboard alone, rows are opened in a panel, walked through, and opened as a page', async () => {
    const { good, bad, delivered, failed } = await notifiedVoyage(await startHooks(respond));
    const [newest, oldest] = [delivered, failed].sort((a, b) => b.key - a.key);
    const page = await browser.open(`/notifications?subscription=${good.key}&subscription=${bad.key}`);
    await page
      .getByRole('row', { name: /Voyage\.C/ })
      .first()
      .waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('o');
    await page.getByRole('complementary', { name: `Notification ${newest.key}` }).waitFor();
    await page.keyboard.press('j');
    await page.getByRole('complementary', { name: `Notification ${oldest.key}` }).waitFor();
    expect(new URL(page.url()).searchParams.get('open')).toBe(String(oldest.key));
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('complementary').count()).toBe(0);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: `Notification ${oldest.key}` }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Notifications', exact: true }).waitFor();
  });

  test('an integrator sees and sends only its own; without the scope webhook there is no such page', async () => {
    const hooks = await startHooks(respond);
    const { name } = await notifiedVoyage(hooks);
    const integrator = await createClient(service, ['read', 'webhook']);
    const own = await subscribeTo(service, { url: `${hooks.url}/good`, name: 'Own' }, integrator);
    await createVoyage(service, await createFleet(service));
    await settled(service, own, ['DELIVERED']);
    const page = await browser.open('/notifications', { client: integrator });
    await expectRows(page, ['Own']);
    expect(await page.getByText(name).count()).toBe(0);
    await page.keyboard.press('j');
    await page.keyboard.press('r');
    await page.getByText('is sent again.').waitFor();

    const reader = await createClient(service, ['read']);
    const other = await browser.open('/notifications', { client: reader });
    await other.getByText('This page needs the scope “webhook”.').waitFor();
    expect(await other.getByRole('navigation', { name: 'Pages' }).getByText('Notifications').count()).toBe(0);
  });

  test('nothing stands in the way of a screen reader, in no tab and on no screen', async () => {
    const { good, delivered, failed } = await notifiedVoyage(await startHooks(respond));
    const page = await browser.open(`/notifications?subscription=${good.key}`);
    await page.getByRole('row', { name: /Voyage\.C/ }).waitFor();
    await addFilter(page, 'Time');
    expect(await axeViolations(page)).toEqual([]);
    for (const tab of ['timeline', 'changes', 'body', 'attempts', 'object']) {
      await page.goto(`${service.url()}/console/notifications?open=${failed.key}&tab=${tab}`);
      await page.getByRole('tabpanel').waitFor();
      expect(await axeViolations(page)).toEqual([]);
    }
    await page.setViewportSize({ width: 360, height: 740 });
    await page.emulateMedia({ colorScheme: 'dark' });
    for (const path of [`notifications/${delivered.key}`, 'notifications', 'jobs']) {
      await page.goto(`${service.url()}/console/${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await axeViolations(page)).toEqual([]);
    }
  }, 120_000);
});

async function addFilter(page: Page, kind: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a filter' }).click();
  await page
    .getByRole('dialog', { name: 'Add a filter' })
    .getByRole('button', { name: new RegExp(`^${kind}`) })
    .click();
}

/** The names of their subscriptions. */
async function expectRows(page: Page, names: readonly string[]): Promise<void> {
  const shown = page
    .getByRole('table', { name: 'Notifications' })
    .locator('[role="rowgroup"] [role="row"] a[href*="/subscriptions/"]');
  await expect.poll(async () => (await shown.allTextContents()).sort()).toEqual([...names].sort());
}
