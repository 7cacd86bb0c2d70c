// What the editor of a subscription saves, and what it keeps, in a real browser: mistakes at their fields, drafts
// without secrets, and changes to a subscription that somebody else may change, too.

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { createVoyage, readSubscription, settled, startHooks, subscribeTo } from '../deliver/hooks.ts';
import { createClient } from '../support/access.ts';
import { freshCode } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { becauseOfChromium, hasChromium, signIn, useConsole } from './console-browser.ts';
import { codeField, typeCode } from './editor-page.ts';

/** On a busy machine a browser takes its time. */
const timeout = 120_000;

describe.skipIf(!hasChromium)(`saving in the editor of a subscription${becauseOfChromium}`, { timeout }, () => {
  const service = useTestService({ FLAGHOIST_DELIVERY_INTERVAL_SECONDS: '0.1' });
  const browser = useConsole(service);

  const create = (page: Page) => page.getByRole('button', { name: 'Create', exact: true }).click();
  /** Of the form, with the message that stands below it. */
  const field = (page: Page, label: string) => page.locator('.field').filter({ has: page.getByLabel(label) });

  test('what is missing is said at its field, and the focus goes to the first', async () => {
    const page = await browser.open('/subscriptions/new');
    await create(page);
    await page.getByRole('alert').getByText('2 mistakes, marked above.').waitFor();
    await page.getByText('Choose a type of objects.', { exact: true }).waitFor();
    await expect
      .poll(() => page.locator(':focus').getAttribute('id'))
      .toBe(await page.getByLabel('Type of objects').getAttribute('id'));
    await page.getByLabel('Type of objects').selectOption('Voyage');
    await field(page, 'URL').getByText('Required: where notifications are sent.').waitFor();
    await page.getByLabel('URL').fill('https://agent.example/hook');
    await page.getByRole('alert').waitFor({ state: 'detached' });
  });

  test('what the service rejects is said at its field until it is changed; the first has the focus', async () => {
    browser.expectTrouble(/^400 POST/);
    const page = await browser.open('/subscriptions/new');
    await page.getByLabel('Type of objects').selectOption('Voyage');
    await typeCode(page, 'Expression', 'nothing > 1');
    await page.getByLabel('URL').fill('ftp://agent.example/hook');
    await page.getByRole('button', { name: '+ Header' }).click();
    await page.getByLabel('Header', { exact: true }).fill('Content-Length');
    await page.getByLabel('Value of Content-Length').fill('5');
    await page.getByLabel('At most per second').fill('5000');
    await page.getByRole('radio', { name: 'My own schedule' }).check();
    await page.getByRole('spinbutton', { name: 'Attempts' }).fill('1000');
    await create(page);
    await page.getByRole('alert').getByText('5 mistakes, marked above.').waitFor();
    for (const label of ['URL', 'At most per second', 'Attempts']) {
      const control = page.getByRole('textbox', { name: label }).or(page.getByRole('spinbutton', { name: label }));
      expect([label, await control.getAttribute('aria-invalid')]).toEqual([label, 'true']);
      const described = (await control.getAttribute('aria-describedby'))!.split(' ').at(-1)!;
      expect(await page.locator(`[id="${described}"]`).innerText()).toMatch(/^[A-Z].{10}/);
    }
    await page.getByRole('group', { name: 'Headers' }).locator('.field-error').waitFor();
    await expect.poll(() => page.locator('[contenteditable]:focus').getAttribute('aria-label')).toBe('Expression');
    expect(await codeField(page, 'Expression').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('At most per second').fill('50');
    await page.getByRole('alert').getByText('4 mistakes, marked above.').waitFor();
    expect(await page.getByLabel('At most per second').getAttribute('aria-invalid')).toBeNull();
  });

  test('a new stream is received in the page, with a click, and verified with the secret that was shown', async () => {
    const page = await browser.open('/subscriptions/new');
    await page.getByLabel('Type of objects').selectOption('Voyage');
    await typeCode(page, 'Expression', 'voyageStatus = OPR && old.voyageStatus != OPR');
    await page.getByLabel('Stream').check();
    await create(page);
    const dialog = page.getByRole('dialog', { name: 'The subscription is active' });
    service.secrets.plant('a signing secret', await dialog.getByText(/^whsec_/).innerText());
    await dialog.getByRole('button', { name: 'Receive here' }).click();
    await page.getByText('Connected. The next notification appears here.').waitFor();
    const voyage = await createVoyage(service, { voyageStatus: 'EST' });
    await service.put(`/ws/rest/Voyage/${voyage}`, { voyageStatus: 'OPR' });
    await page.getByRole('button', { name: `Voyage.U.${voyage}` }).click();
    await page.getByText('✓ authentic').waitFor();
    await page.getByText('✓ acknowledged').waitFor();
  });

  test('a draft survives a reload without its secrets, which no storage has, until it is discarded', async () => {
    const secrets = {
      header: 'draft-header-9d1',
      password: 'draft-password-2c7',
      signing: `whsec_${Buffer.from('draft-signing-secret-of-24-bytes').toString('base64')}`,
    };
    const page = await browser.open('/subscriptions/new');
    const questions: string[] = [];
    page.on('dialog', (dialog) => {
      questions.push(dialog.type());
      return dialog.accept();
    });
    await page.getByLabel('Type of objects').selectOption('Voyage');
    await typeCode(page, 'Expression', 'freight > 7');
    await page.getByLabel('URL').fill('https://agent.example/draft');
    await page.getByRole('radio', { name: 'User and password' }).check();
    await page.getByLabel('User', { exact: true }).last().fill('agent');
    await page.getByLabel('Password', { exact: true }).fill(secrets.password);
    await page.getByRole('button', { name: '+ Header' }).click();
    await page.getByLabel('Header', { exact: true }).fill('X-Api-Key');
    await page.getByLabel('Value of X-Api-Key').fill(secrets.header);
    await page.getByLabel('Signing secret').fill(secrets.signing);
    const stored = () => page.evaluate('JSON.stringify([{ ...sessionStorage }, { ...localStorage }])');
    await expect.poll(stored).toContain('https://agent.example/draft');
    for (const secret of Object.values(secrets)) expect(await stored()).not.toContain(secret);

    await page.reload();
    await page.getByText('Your draft is back, without its secrets.').waitFor();
    expect(questions).toEqual(['beforeunload']);
    expect(await page.getByLabel('URL').inputValue()).toBe('https://agent.example/draft');
    await expect.poll(() => codeField(page, 'Expression').innerText()).toBe('freight > 7');
    expect(await page.getByLabel('User', { exact: true }).last().inputValue()).toBe('agent');
    for (const label of ['Password', 'Value of X-Api-Key', 'Signing secret'])
      expect([label, await page.getByLabel(label, { exact: true }).inputValue()]).toEqual([label, '']);
    await page.getByRole('button', { name: 'Discard it' }).click();
    expect(await page.getByLabel('URL').inputValue()).toBe('');
    await expect.poll(stored).not.toContain('agent.example');
  });

  test('leaving asks, staying keeps what was typed, and the next user of the tab does not see the draft', async () => {
    const page = await browser.open('/subscriptions/new');
    await page.getByLabel('URL').fill('https://agent.example/mine');
    await page.getByRole('link', { name: 'Objects' }).click();
    const question = page.getByRole('dialog', { name: 'Leave without saving' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    expect(await page.getByLabel('URL').inputValue()).toBe('https://agent.example/mine');
    const other = await createClient(service, ['read', 'webhook']);
    await page.context().clearCookies();
    await page.reload();
    await signIn(page, other);
    await page.getByLabel('URL').waitFor();
    expect(await page.getByLabel('URL').inputValue()).toBe('');
    expect(await page.getByText('Your draft is back').count()).toBe(0);
  });

  test('an edit sends what was changed alone, and keeps the secrets that it cannot show', async () => {
    const hooks = await startHooks();
    const subscription = await subscribeTo(service, {
      name: freshCode('Edited', 12),
      url: `${hooks.url}/before`,
      headers: { 'X-Api-Key': 'key-that-stays', 'X-Other': 'other' },
      webhookUsername: 'agent',
      webhookPassword: 'password-that-stays',
      expression: 'freight = null',
    });
    const page = await browser.open(`/subscriptions/${subscription.key}/edit`);
    await page.getByText('Voyage.C', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    expect(await page.getByRole('radio', { name: 'The object alone' }).isDisabled()).toBe(true);
    expect(await page.getByRole('radio', { name: 'In order' }).isDisabled()).toBe(true);
    await page.getByLabel('URL').fill(`${hooks.url}/after`);
    await typeCode(page, 'Expression', 'freight > 5');
    await page.getByLabel('At most per second').fill('20');
    const sent = page.waitForRequest((request) => request.method() === 'PUT');
    await page.getByRole('button', { name: 'Save' }).click();
    expect((await sent).postDataJSON()).toEqual({
      expression: 'freight > 5',
      channelInfo: expect.objectContaining({ URL: `${hooks.url}/after` }),
      ratePerSecond: 20,
    });
    await page.getByText('Saved. It holds for changes from now on.').waitFor();
    await page.getByRole('heading', { level: 1, name: subscription.name }).waitFor();
    await createVoyage(service, { freight: 6 });
    await settled(service, subscription, ['DELIVERED']);
    const [received] = hooks.at('/after');
    expect(received!.headers).toMatchObject({
      'x-api-key': 'key-that-stays',
      'x-other': 'other',
      authorization: `Basic ${Buffer.from('agent:password-that-stays').toString('base64')}`,
    });
  });

  test('an edit on top of another one is not saved and not lost', async () => {
    const subscription = await subscribeTo(service, { url: 'https://agent.example/', ratePerSecond: 1 });
    const page = await browser.open(`/subscriptions/${subscription.key}/edit`);
    await page.getByLabel('At most per second').fill('3');
    await service.put(`/ws/rest/WebhookSubscription/${subscription.key}`, { ratePerSecond: 2 });
    browser.expectTrouble(/^412 PUT/);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Somebody has changed this subscription meanwhile.').waitFor();
    expect((await readSubscription(service, subscription)).ratePerSecond).toBe(2);
    expect(await page.getByLabel('At most per second').inputValue()).toBe('3');
  });
});
