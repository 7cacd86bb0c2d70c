// Everything that can be done with a subscription on its page, in a real browser.

import { describe, expect, test } from 'vitest';
import { createVoyage, notificationsOf, readSubscription, settled, startHooks, subscribeTo } from '../deliver/hooks.ts';
import { freshCode } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { becauseOfChromium, harmDone, hasChromium, hostileTexts, useConsole } from './console-browser.ts';
import { choose, deactivated, dialog, settings, timeout } from './subscription-page.ts';

describe.skipIf(!hasChromium)(`actions on a subscription in the console${becauseOfChromium}`, { timeout }, () => {
  const service = useTestService(settings);
  const browser = useConsole(service);

  test('a deactivated one is replaced by one click, with all its settings, and what has failed is sent', async () => {
    const shaping = {
      expression: 'freight = null',
      json: { voyageStatus: '*', vessel: { vesselName: '*' } },
      includeChanges: true,
      ordering: 'OBJECT',
      retryPolicy: { attempts: 2, intervalSeconds: 1, backoff: 'FIXED' },
      ratePerSecond: 50,
    };
    const { subscription, hooks, answers } = await deactivated(service, shaping);
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
    const { subscription, hooks, answers } = await deactivated(service, {
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
    const { subscription, answers } = await deactivated(service);
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
});
