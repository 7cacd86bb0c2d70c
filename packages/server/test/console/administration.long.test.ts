// The pages of administrators in a real browser: users and clients, the audit log, the view of another user, scripts,
// and why a subscription was not notified.

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { settled, startHooks, subscribeTo } from '../deliver/hooks.ts';
import { prepared } from '../shape/shaped.ts';
import { createClient, fetchToken } from '../support/access.ts';
import { create, createFleet, createVoyage, freshCode } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { becauseOfChromium, hasChromium, useConsole } from './console-browser.ts';
import { codeField, typeCode } from './editor-page.ts';

/** On a busy machine a browser takes its time. */
const timeout = 120_000;

describe.skipIf(!hasChromium)(`administration in the console${becauseOfChromium}`, { timeout }, () => {
  const service = useTestService({ FLAGHOIST_DELIVERY_INTERVAL_SECONDS: '0.1' });
  const browser = useConsole(service);
  const dialog = (page: Page) => page.getByRole('dialog').last();

  /** The secret that is shown, and then never again. */
  async function keepSecret(page: Page): Promise<{ clientId: string; clientSecret: string }> {
    await dialog(page).getByRole('heading', { name: 'Keep this secret' }).waitFor();
    const value = (name: string) =>
      dialog(page).locator('.facts > div').filter({ hasText: name }).getByRole('button').innerText();
    const [clientId, clientSecret] = [await value('Client id'), await value('Secret')];
    service.secrets.plant(`the secret of ${clientId}`, clientSecret);
    await dialog(page).getByRole('button', { name: 'I have kept it' }).click();
    expect(await page.content()).not.toContain(clientSecret);
    await page.reload();
    await page.getByRole('region', { name: 'Clients' }).getByText(clientId, { exact: true }).waitFor();
    expect(await page.content()).not.toContain(clientSecret);
    return { clientId, clientSecret };
  }

  test('a user gets a client whose secret is shown once and works; rotated, the new one works', async () => {
    const userCode = freshCode('agent-', 12).toLowerCase();
    const page = await browser.open('/users');
    await page.getByRole('button', { name: 'Add a user' }).click();
    browser.expectTrouble(/^400 POST .*ApiUser/);
    await dialog(page).getByRole('button', { name: 'Add' }).click();
    await expect.poll(() => dialog(page).getByLabel('Code').getAttribute('aria-invalid')).toBe('true');
    await dialog(page).getByLabel('Code').fill(userCode);
    await dialog(page).getByLabel('Name').fill('Agent in Rotterdam');
    await dialog(page).getByRole('button', { name: 'Add' }).click();
    await page.getByRole('heading', { level: 1, name: userCode }).waitFor();
    await page.getByRole('button', { name: 'Add a client' }).click();
    await dialog(page).getByLabel('webhook').uncheck();
    await dialog(page).getByRole('button', { name: 'Add' }).click();
    const first = await keepSecret(page);
    const token = await fetchToken(service.url(), first);
    const headers = { authorization: `Bearer ${token}` };
    expect((await service.get('/ws/rest/Port', headers)).status).toBe(200);
    expect((await service.get('/ws/rest/WebhookSubscription', headers)).status).toBe(403);
    await page.getByRole('button', { name: 'Rotate the secret' }).click();
    await dialog(page).getByText('another 24 hours').waitFor();
    await dialog(page).getByRole('button', { name: 'Rotate the secret' }).click();
    const second = await keepSecret(page);
    expect(second.clientSecret).not.toBe(first.clientSecret);
    for (const secret of [first, second]) await fetchToken(service.url(), secret);
    await page.goto(`${service.url()}/console/users`);
    await page.getByRole('row', { name: new RegExp(`${userCode}.*Agent in Rotterdam.*Active`) }).waitFor();
  });

  test('a client and a user that are switched off get in no more, until that is undone', async () => {
    const client = await createClient(service, ['read']);
    const status = async () => (await service.get('/ws/rest/Port', client.headers)).status;
    const page = await browser.open(`/users/${client.userKey}`);
    await page.getByLabel(`${client.clientId} is active`).click();
    await page.getByText(`${client.clientId} is disabled.`).waitFor();
    await expect.poll(status).toBe(401);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(status).toBe(200);
    await page.getByLabel('Active', { exact: true }).click();
    await page.getByLabel('Inactive: nothing is sent to its subscriptions').waitFor();
    await expect.poll(status).toBe(401);
    const { clientId, clientSecret } = client;
    const signedIn = await fetch(`${service.url()}/console/session`, {
      method: 'POST',
      headers: { 'flaghoist-console': '1', 'content-type': 'application/json' },
      body: JSON.stringify({ clientId, clientSecret }),
    });
    expect(signedIn.status).toBe(401);
  });

  test('the audit log says who changed what, finds it, and shows the value before and after', async () => {
    const client = await createClient(service, ['read', 'webhook'], { name: 'Auditee' });
    const { userCode } = (await service.get(`/ws/rest/ApiUser/${client.userKey}`)).body;
    const subscription = await subscribeTo(service, { url: 'https://agent.example/' }, client);
    const path = `/ws/rest/WebhookSubscription/${subscription.key}`;
    await service.put(path, { ratePerSecond: 7 }, client.headers);
    await service.put(`/ws/rest/ApiUser/${client.userKey}`, { name: 'Renamed' });
    const page = await browser.open('/audit');
    await page.getByLabel('Search by user, client or object').fill(userCode);
    const rows = page.getByRole('table', { name: 'Audit log' }).getByRole('row');
    const changed = rows.filter({ hasText: new RegExp(`changed.*WebhookSubscription ${subscription.key}`) });
    await changed.waitFor();
    expect(await changed.innerText()).toContain(userCode);
    expect(new URL(page.url()).searchParams.get('search')).toBe(userCode);
    await changed.getByText('changed').click();
    await dialog(page)
      .getByRole('row', { name: /ratePerSecond – 7/ })
      .waitFor();
    await dialog(page).getByText(`${userCode} with ${client.clientId}`).waitFor();
    await dialog(page).getByRole('button', { name: 'Close' }).click();
    await rows
      .filter({ hasText: /admin.*changed.*ApiUser/ })
      .getByText('changed')
      .click();
    await dialog(page)
      .getByRole('row', { name: /name Auditee Renamed/ })
      .waitFor();
    await page.keyboard.press('Escape');
    await page.getByLabel('Search by user, client or object').fill('nobody at all');
    await page.getByText('No entry matches the search.').waitFor();
  });

  test('the view of another user shows what that user sees, changes nothing, and can be left', async () => {
    const client = await createClient(service, ['read', 'webhook'], { name: 'Viewed agent' });
    const mine = await subscribeTo(service, { name: freshCode('Own', 9), url: 'https://agent.example/' });
    const theirs = await subscribeTo(service, { name: freshCode('Agents', 9), url: 'https://a.example/' }, client);
    const voyage = await createVoyage(service, await createFleet(service));
    const page = await browser.open(`/users/${client.userKey}`);
    await page.getByRole('button', { name: 'View as this user' }).click();
    const banner = page.getByText('You see what Viewed agent sees. Nothing can be changed.');
    await banner.waitFor();
    const rail = page.getByRole('navigation', { name: 'Pages' });
    for (const name of ['Users', 'Audit', 'System'])
      expect(await rail.getByRole('link', { name, exact: true }).count(), name).toBe(0);
    await page.getByRole('link', { name: 'Subscriptions', exact: true }).click();
    await page.getByRole('link', { name: theirs.name }).waitFor();
    expect(await page.getByText(mine.name).count()).toBe(0);
    await page.getByRole('link', { name: 'Objects', exact: true }).click();
    await page.getByRole('link', { name: 'Voyage', exact: true }).click();
    await page.getByRole('link', { name: String(voyage.key), exact: true }).click();
    await page.getByRole('heading', { name: 'Attributes' }).waitFor();
    for (const name of ['Edit', 'Delete', 'Add', /^Remove/])
      expect(await page.getByRole('button', { name, exact: true }).count(), String(name)).toBe(0);
    await page.getByRole('link', { name: 'Scripts', exact: true }).click();
    expect(await page.getByRole('link', { name: 'New script' }).count()).toBe(0);
    const direct = await service.put(
      `/ws/rest/WebhookSubscription/${theirs.key}`,
      { ratePerSecond: 1 },
      { 'flaghoist-view-as': String(client.userKey) },
    );
    expect([direct.status, direct.headers.get('flaghoist-error')]).toEqual([403, 'viewOnly']);
    await page.getByRole('button', { name: 'Back to my own view' }).click();
    await banner.waitFor({ state: 'detached' });
    await rail.getByRole('link', { name: 'Users', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Subscriptions', exact: true }).click();
    await page.getByRole('link', { name: mine.name }).waitFor();
  });

  test('a script is written with its parameters, tried with an object, and says who uses it', async () => {
    const voyage = await createVoyage(service, await createFleet(service), { freight: 12 });
    const code = freshCode('judge-', 10).toLowerCase();
    const page = await browser.open('/scripts');
    await page.getByRole('link', { name: 'New script' }).first().click();
    await page.getByLabel('Code').fill(code);
    await page.getByLabel('Name', { exact: true }).fill('Judges freight');
    browser.expectTrouble(/^400 POST .*AlertScript/);
    await typeCode(page, 'JavaScript', 'return svcObject.freight >');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => codeField(page, 'JavaScript').getAttribute('aria-invalid')).toBe('true');
    const source = "console.log('freight', svcObject.freight);\nmessage.body = 'F' + svcObject.freight;\n";
    await typeCode(page, 'JavaScript', `${source}return svcObject.freight > parameters.limit;`);
    await page.getByRole('button', { name: 'Add a parameter' }).click();
    const parameter = page.getByRole('group', { name: 'Parameter' });
    await parameter.getByLabel('Name').fill('limit');
    await parameter.getByLabel('Type').selectOption('number');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(`Script ${code} is saved.`).waitFor();
    await page.getByText('No subscription of yours uses this script.').waitFor();
    await page.getByLabel('Type', { exact: true }).last().selectOption('Voyage');
    await page.getByLabel('Object').fill(String(voyage.key));
    for (const [limit, answer] of [
      [5, 'It notifies.'],
      [50, 'It does not notify'],
    ] as const) {
      await page.getByLabel('Parameter values').fill(JSON.stringify({ limit }));
      await page.getByRole('button', { name: 'Run the saved script' }).click();
      await page.getByText(answer).waitFor();
      await page.getByRole('region', { name: 'Log' }).getByText('freight 12').waitFor();
    }
    await typeCode(page, 'JavaScript', "console.log('typed'); return true;");
    await page.getByRole('button', { name: 'Run unsaved script' }).click();
    await page.getByText('It notifies.').waitFor();
    await page.getByRole('region', { name: 'Log' }).getByText('typed').waitFor();
    const name = freshCode('Judged', 12);
    await subscribeTo(service, {
      name,
      url: 'https://a.example/',
      dlpAlertScript: code,
      scriptParameterValues: { limit: 1 },
    });
    await page.reload();
    await page.getByRole('link', { name }).waitFor();
    browser.expectTrouble(/^409 DELETE/);
    await page.getByRole('button', { name: 'Delete' }).click();
    await dialog(page).getByRole('button', { name: 'Delete' }).click();
    await page.getByText(/cannot be deleted: WebhookSubscription \d+ uses it/).waitFor();
    const reader = await browser.open('/scripts', { client: await createClient(service, ['read']) });
    await reader.getByRole('link', { name: code }).click();
    await reader.getByRole('heading', { level: 1, name: 'Judges freight' }).waitFor();
    for (const button of ['Save', 'Delete', 'Add a parameter', 'Run the saved script'])
      expect(await reader.getByRole('button', { name: button }).count(), button).toBe(0);
  });

  test('“Why not?” says in one sentence what decided, and shows what was sent when it matched', async () => {
    const hooks = await startHooks();
    const name = freshCode('Asked', 9);
    const subscription = await subscribeTo(service, {
      name,
      url: hooks.url,
      eventType: 'Port.U',
      expression: 'portName = Oslo && old.portName != Oslo',
    });
    const port = await create(service, 'Port', { unLoCode: freshCode('ZZ', 5), portName: 'Bergen' });
    await service.put(`/ws/rest/Port/${port.key}`, { portName: 'Narvik' });
    await service.put(`/ws/rest/Port/${port.key}`, { portName: 'Oslo' });
    await settled(service, subscription, ['DELIVERED']);
    await prepared(service);
    const page = await browser.open('/why-not');
    await page.getByLabel('Type').selectOption('Port');
    await page.getByLabel('Object').fill(String(port.key));
    const asked = page.getByLabel('Subscription');
    await asked.pressSequentially(name.slice(0, -1));
    const found = `${name} (${subscription.key})`;
    await page.locator(`option[value="${found}"]`).waitFor({ state: 'attached' });
    await asked.fill(found);
    await expect.poll(() => new URL(page.url()).searchParams.get('subscription')).toBe(String(subscription.key));
    const answers = page.locator('.answers > li');
    const no = answers.filter({ hasText: 'was not notified of the change' });
    await no.getByText(/portName = Oslo with portName = .?Narvik/).waitFor();
    expect(await no.getByRole('link', { name: 'Edit this expression' }).getAttribute('href')).toBe(
      `/console/subscriptions/${subscription.key}/edit`,
    );
    const yes = answers.filter({ hasText: 'was notified of the change' });
    const address = page.url();
    await yes.getByRole('link', { name: 'Open the notification' }).click();
    await page.getByRole('heading', { level: 1, name: /^Notification / }).waitFor();
    await page.goto(address);
    await no.waitFor();
    await answers.filter({ hasText: 'creation' }).getByText('for another operation').waitFor();
    expect(await answers.count()).toBe(3);
    await no.getByRole('list', { name: 'Values of the parts' }).getByText('portName = Oslo').first().waitFor();
    const changes = page.getByLabel('Change');
    const second = (await changes.locator('option').allInnerTexts())[2]!;
    expect(second).toMatch(/Port\.U by \w+: portName = Narvik$/);
    await changes.selectOption(second);
    await expect.poll(() => answers.count()).toBe(1);
    await no.waitFor();
  });
});
