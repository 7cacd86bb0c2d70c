// One notification in a real browser, its signature, and sending again.

import { describe, expect, test } from 'vitest';
import { answering, notificationsOf, settled, startHooks, subscribeTo } from '../deliver/hooks.ts';
import { storeNotifications } from '../deliver/stored-notifications.ts';
import { create, createFleet, createVoyage, freshCode } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { becauseOfChromium, harmDone, hasChromium, hostileTexts, useConsole } from './console-browser.ts';

const settings = { FLAGHOIST_DELIVERY_INTERVAL_SECONDS: '0.2', FLAGHOIST_DELIVERY_ATTEMPTS: '2' };

describe.skipIf(!hasChromium)(`a notification in the console${becauseOfChromium}`, () => {
  const service = useTestService(settings);
  const browser = useConsole(service);

  test('one notification shows its time line, changes, body, attempts and neighbours', async () => {
    const hooks = await startHooks(answering(503, 200));
    const subscription = await subscribeTo(service, {
      url: hooks.url,
      eventType: undefined,
      eventTypes: ['Voyage.*'],
      name: 'Told twice',
      expression: 'svcObject.getVoyageStatus().equals("NOM")',
    });
    const voyage = await createVoyage(service, await createFleet(service));
    await service.put(`/ws/rest/Voyage/${voyage.key}`, { comments: 'Delayed by fog' });
    const statuses = async () =>
      new Set((await notificationsOf(service, subscription)).map(({ status, eventType }) => `${eventType} ${status}`));
    await expect.poll(statuses).toEqual(new Set(['C DELIVERED', 'U DELIVERED']));
    const all = await notificationsOf(service, subscription);
    const changed = all.find(({ eventType }) => eventType === 'U');
    const first = all.find(({ attempts }) => attempts === 2);

    const page = await browser.open(`/notifications/${first.key}`);
    await page.getByText('svcObject.getVoyageStatus().equals("NOM")').waitFor();
    expect(await page.locator('.timeline li').allInnerTexts()).toEqual([
      expect.stringContaining('by admin'),
      expect.stringContaining('Matched'),
      expect.stringMatching(/Attempt 1[\s\S]*after the change[\s\S]*answered 503/),
      expect.stringMatching(/Attempt 2[\s\S]*later[\s\S]*answered 200/),
      expect.stringContaining('Delivered'),
    ]);
    await page.getByRole('tab', { name: 'Attempts' }).click();
    await page.getByLabel('Attempt', { exact: true }).selectOption('1');
    await page.getByText('answer 1', { exact: true }).waitFor();
    await page.getByRole('tab', { name: 'Body' }).click();
    await page.getByText(first.id, { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Raw' }).click();
    expect(await page.getByRole('region', { name: 'Body' }).textContent()).toBe(first.body);
    await page.getByRole('tab', { name: 'Same object' }).click();
    await page.locator('tr.this').waitFor();
    expect(await page.locator('tbody tr').count()).toBe(Math.min(all.length, 10));

    await page.goto(`${service.url()}/console/notifications/${changed.key}?tab=changes`);
    await page.getByRole('row', { name: /comments – Delayed by fog/ }).waitFor();
  });

  test('the signature checker knows the signature that was sent, and tells a re-written body from another secret', async () => {
    const hooks = await startHooks();
    const subscription = await subscribeTo(service, { url: hooks.url, name: 'Signed' });
    await createVoyage(service, await createFleet(service));
    const [notification] = await settled(service, subscription, ['DELIVERED']);
    const [received] = hooks.received;
    const page = await browser.open(`/notifications/${notification.key}?tab=body`);
    await page.getByText('Check a signature').click();
    const check = async (secret: string, signature: string) => {
      await page.getByLabel('Signing secret').fill(secret);
      await page.getByLabel('webhook-timestamp').fill(String(received!.headers['webhook-timestamp']));
      await page.getByLabel('webhook-signature').fill(signature);
      await page.getByRole('button', { name: 'Check', exact: true }).click();
    };
    await check(subscription.signingSecret, String(received!.headers['webhook-signature']));
    await page.getByText('The signature is valid').waitFor();
    await check(`whsec_${Buffer.alloc(32).toString('base64')}`, String(received!.headers['webhook-signature']));
    await page.getByText('The signature does not match.').waitFor();
    await check(subscription.signingSecret, '');
    await page.getByText(String(received!.headers['webhook-signature'])).waitFor();
    await check('not a secret', '');
    await page.getByText('A signing secret begins with whsec_.').waitFor();
  });

  test('a notification is sent again with r, and the same bytes arrive a second time', async () => {
    const hooks = await startHooks();
    const subscription = await subscribeTo(service, { url: hooks.url, name: 'Again' });
    await createVoyage(service, await createFleet(service));
    await settled(service, subscription, ['DELIVERED']);
    const page = await browser.open(`/notifications?subscription=${subscription.key}`);
    await page.getByRole('row', { name: /Voyage\.C/ }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('r');
    await page.getByText('is sent again.').waitFor();
    await expect.poll(() => hooks.received.length).toBe(2);
    expect(hooks.received[1]!.body).toBe(hooks.received[0]!.body);
    expect(hooks.received[1]!.headers['flaghoist-replay']).toBeDefined();
  });

  test('everything that matches is counted, sent again after a question, and followed to its end', async () => {
    const hooks = await startHooks();
    const { key } = await subscribeTo(service, { url: hooks.url, eventType: 'Voyage.D', name: 'Many' });
    const like = {
      status: 'FAILED',
      sequence: 7,
      eventTime: '2026-11-01T00:00:00',
      objectKey: 1,
      subscribedObjectKey: 1,
    } as const;
    await storeNotifications(service, key, 30, like);
    const page = await browser.open(`/notifications?status=FAILED&subscription=${key}`);
    await page.getByRole('button', { name: 'Send all that match again' }).click();
    const dialog = page.getByRole('dialog', { name: 'Send again what matches the filters' });
    await dialog.getByText('30 notifications are sent again').waitFor();
    expect(hooks.received).toHaveLength(0);
    await dialog.getByRole('button', { name: 'Send 30 again' }).click();
    await page.getByRole('heading', { name: /^Job/ }).waitFor();
    await page.getByText('Done', { exact: false }).first().waitFor();
    await expect.poll(() => page.locator('.figures').innerText()).toMatch(/Delivered\s+30/);
    expect(hooks.received).toHaveLength(30);
    await page.getByRole('link', { name: 'Jobs' }).click();
    await page
      .getByRole('row', { name: /status\(EQ\)FAILED/ })
      .first()
      .waitFor();
  });

  test('a running job is cancelled, and what was not sent stays failed', async () => {
    const { key } = await subscribeTo(service, {
      url: 'http://127.0.0.1:9/nobody',
      eventType: 'Voyage.D',
      name: 'Slow',
      ratePerSecond: 0.01,
      doNotUnsubscribe: true,
    });
    const like = {
      status: 'FAILED',
      sequence: 7,
      eventTime: '2026-11-01T00:00:00',
      objectKey: 1,
      subscribedObjectKey: 1,
    } as const;
    await storeNotifications(service, key, 20, like);
    const page = await browser.open(`/notifications?subscription=${key}`);
    await page.getByRole('button', { name: 'Send all that match again' }).click();
    await page.getByRole('button', { name: 'Send 20 again' }).click();
    await page.getByRole('button', { name: 'Cancel the job' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the job' }).click();
    await page.getByText('Cancelled').waitFor();
    const failed = await service.get(
      `/ws/rest/WebhookNotification?filter=subscription(EQ)${key}&filter=status(EQ)FAILED`,
    );
    expect(failed.body.length).toBeGreaterThanOrEqual(19);
  });

  test('hostile texts are shown as they are, and nothing runs', async () => {
    const { script, image, rightToLeft, long } = hostileTexts;
    const hooks = await startHooks((response) => {
      response.statusCode = 500;
      response.setHeader('x-answer', 'plain');
      response.end(`${script}${image}${rightToLeft}`);
    });
    const subscription = await subscribeTo(service, {
      url: `${hooks.url}/${encodeURIComponent(script)}`,
      eventType: 'BusinessPartner.C',
      name: `${script}${image}`.slice(0, 120),
      headers: { 'X-Note': script },
      doNotUnsubscribe: true,
    });
    await create(service, 'BusinessPartner', {
      businessPartnerCode: freshCode('H', 6),
      businessPartnerName: `${image} ${rightToLeft}`,
      comments: long,
    }).catch(() =>
      create(service, 'BusinessPartner', { businessPartnerCode: freshCode('H', 6), businessPartnerName: image }),
    );
    const [notification] = await settled(service, subscription, ['FAILED']);
    for (const size of [
      { width: 1440, height: 900 },
      { width: 320, height: 640 },
    ]) {
      const page = await browser.open(`/notifications?subscription=${subscription.key}&open=${notification.key}`, {
        viewport: size,
      });
      await page.getByRole('heading', { name: /BusinessPartner\.C/ }).waitFor();
      for (const tab of ['Timeline', 'Changes', 'Body', 'Attempts', 'Same object']) {
        await page.getByRole('tab', { name: tab }).click();
        await page.getByRole('tabpanel', { name: tab }).waitFor();
        expect(await harmDone(page)).toEqual({ hasRun: false, isTooWide: false });
      }
      await page.getByRole('tab', { name: 'Attempts' }).click();
      await page.getByText(script, { exact: false }).first().waitFor();
    }
  });
});
