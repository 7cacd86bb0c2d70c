// Every page of the console in a real browser, with data: readable by a screen reader and with weak eyes,
// nothing is wider than the screen, and no page needs a mouse.

import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { notificationsOf, settled, startHooks, subscribeTo } from '../deliver/hooks.ts';
import { makeScript } from '../shape/shaped.ts';
import { administrator, createClient, type TestClient } from '../support/access.ts';
import { create, createFleet, createVoyage, freshCode } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { axeViolations, becauseOfChromium, harmDone, hasChromium, useConsole } from './console-browser.ts';

/** On a busy machine a browser takes its time. */
const timeout = 240_000;

describe.skipIf(!hasChromium)(`every page of the console${becauseOfChromium}`, { timeout }, () => {
  const service = useTestService({ FLAGHOIST_DELIVERY_INTERVAL_SECONDS: '0.1', FLAGHOIST_DELIVERY_ATTEMPTS: '2' });
  const browser = useConsole(service);
  const paths = ['/', '/streams', '/jobs', '/why-not', '/scripts', '/scripts/new', '/users', '/audit', '/system'];
  const loaded = (page: Page) => expect.poll(() => page.locator('main [aria-busy="true"]').count()).toBe(0);

  const goTo = async (page: Page, path: string) => {
    await page.goto(`${service.url()}/console${path === '/' ? '' : path}`);
    await page.locator('#page h1').waitFor();
    await loaded(page);
  };
  const everybodys = ['/', '/objects', '/objects/Voyage', '/scripts'];

  /** Of a user who may have subscriptions: with one of each kind. */
  async function pathsFor(client: TestClient, scopes: string[]): Promise<string[]> {
    if (!scopes.includes('webhook')) return everybodys;
    const hooks = await startHooks((response) => {
      response.statusCode = 500;
      response.end();
    });
    const { key } = await subscribeTo(service, { url: hooks.url, name: 'Own' }, client);
    const stream = { eventType: 'Voyage.C', channelInfo: { channelType: 'STREAM' }, name: 'Own stream' };
    const { key: streamKey } = await subscribeTo(service, stream, client);
    const { key: voyage } = await createVoyage(service, await createFleet(service));
    const [{ key: notification }] = await settled(service, { key }, ['FAILED']);
    const resend = `/ws/rest/WebhookSubscription/${key}/sendFailedNotifications`;
    expect((await service.post(resend, {}, client.headers)).status).toBeLessThan(300);
    const [job] = (await service.get('/ws/rest/ResendJob?limit=1&sort=key(DS)')).body;
    return [
      ...everybodys,
      '/notifications',
      `/notifications/${notification}`,
      '/subscriptions',
      '/subscriptions/new',
      `/subscriptions/${key}`,
      `/subscriptions/${key}/edit`,
      '/streams',
      `/streams/${streamKey}`,
      '/jobs',
      `/jobs/${job.key}`,
      '/why-not',
      `/why-not?type=Voyage&object=${voyage}`,
    ];
  }

  beforeAll(async () => {
    const script = await makeScript(service, 'return true;', { name: 'A script with a name of some length' });
    const subscription = await subscribeTo(service, { url: 'http://127.0.0.1:9/nobody', name: 'Agent in Rotterdam' });
    const stream = { eventType: 'Voyage.C', channelInfo: { channelType: 'STREAM' }, name: 'Stream of the agent' };
    const { key } = await subscribeTo(service, { ...stream, dlpAlertScript: script.code });
    const client = await createClient(service, ['read', 'webhook'], { name: 'Agent', email: 'a@agent.example' });
    const voyage = await createVoyage(service, await createFleet(service));
    await service.put(`/ws/rest/Voyage/${voyage.key}`, { comments: 'Delayed', freight: 5, voyageStatus: 'EST' });
    await vi.waitFor(
      async () => expect((await notificationsOf(service, subscription))[0]?.status).toBe('FAILED'),
      20_000,
    );
    const resent = await service.post(`/ws/rest/WebhookSubscription/${subscription.key}/sendFailedNotifications`, {});
    expect(resent.status, resent.text).toBeLessThan(300);
    const [job] = (await service.get('/ws/rest/ResendJob?limit=1')).body;
    paths.push(`/streams/${key}`, `/jobs/${job.key}`, `/scripts/${script.key}`, `/users/${client.userKey}`);
    paths.push(`/why-not?type=Voyage&object=${voyage.key}`);
    everybodys.push(`/objects/Voyage/${voyage.key}`, `/scripts/${script.key}`);
    everybodys.push(`/objects/Voyage/${voyage.key}?tab=history`);
  });

  test.each([
    [320, 'light'],
    [320, 'dark'],
    [768, 'light'],
    [1440, 'dark'],
    [1440, 'light'],
  ] as const)('is read by a screen reader and fits the screen (%i, %s)', async (width, colorScheme) => {
    const page = await browser.open('/', { viewport: { width, height: 800 }, colorScheme, bypassCSP: true });
    const found: [string, unknown][] = [];
    for (const path of paths) {
      await page.goto(`${service.url()}/console${path === '/' ? '' : path}`);
      await page.locator('#page h1').waitFor();
      await loaded(page);
      const violations = await axeViolations(page);
      if (violations.length > 0) found.push([path, violations]);
      const harm = await harmDone(page);
      if (harm.isTooWide || harm.hasRun) found.push([path, harm]);
    }
    expect(found).toEqual([]);
  });

  test.each([
    ['an integrator', ['read', 'webhook']],
    ['who may only read', ['read']],
  ])('%s reads every page with a screen reader, and sees no link or control that is refused', async (_, scopes) => {
    // Clicked at random, much is refused: forms that are empty, for example. But nothing with 403.
    browser.expectTrouble(/^(?!403 )/);
    const client = await createClient(service, scopes);
    const own = await pathsFor(client, scopes);
    expect(patternsFor(scopes).filter((pattern) => !own.some((path) => pattern.test(path)))).toEqual([]);
    const page = await browser.open('/', { client, bypassCSP: true });
    const found: [string, unknown][] = [];
    let used = '';
    page.on('response', (response) => {
      if (response.status() === 403) found.push([used, response.url()]);
    });
    const links = new Map<string, string>();
    const collectLinks = async () => {
      for (const path of await linksOf(page)) links.set(kindOf(path), path);
    };
    for (const path of own) {
      used = path;
      await goTo(page, path);
      const violations = await axeViolations(page);
      if (violations.length > 0) found.push([path, violations]);
      await collectLinks();
      await clickEverything(page, async (name) => {
        used = `“${name}” at ${path}`;
        await collectLinks();
      });
    }
    for (const path of own) links.delete(kindOf(path));
    for (const path of links.values()) {
      used = path;
      await goTo(page, path);
      if ((await page.getByRole('heading', { name: 'Not allowed' }).count()) > 0) found.push([path, 'not allowed']);
    }
    expect(found).toEqual([]);
  });

  test('a user with the scope `read` alone sees no stream, notification or user, and why', async () => {
    const client = await createClient(service, ['read']);
    const page = await browser.open('/streams', { client });
    await page.getByText('This page needs the scope “webhook”.').waitFor();
    const names = await page.getByRole('navigation', { name: 'Pages' }).getByRole('listitem').allInnerTexts();
    expect(names.map((name) => name.trim())).toEqual(['Overview', 'Objects', 'Scripts']);
    await page.keyboard.press('g');
    await page.keyboard.press('u');
    await page.keyboard.press('g');
    await page.keyboard.press('o');
    await page.getByRole('heading', { level: 1, name: 'Objects' }).waitFor();
    const viewer = await createClient(service, ['read', 'webhook']);
    const stream = { eventType: 'Voyage.C', channelInfo: { channelType: 'STREAM' }, name: freshCode('Viewed', 9) };
    await subscribeTo(service, stream, viewer);
    const admin = await browser.open(`/users/${viewer.userKey}`);
    await admin.getByRole('button', { name: 'View as this user' }).click();
    await admin.getByRole('link', { name: 'Streams', exact: true }).click();
    await admin.getByRole('link', { name: stream.name }).click();
    await admin.getByRole('heading', { level: 1, name: stream.name }).waitFor();
    for (const name of ['Receive here', 'Watch changes here', 'Acknowledge'])
      expect(await admin.getByRole('button', { name }).count(), name).toBe(0);
  });

  test('with the keyboard alone: sign in, go to pages, list the keys, walk through a list and back', async () => {
    const ports = [];
    for (const portName of ['First', 'Second', 'Third'])
      ports.unshift(await create(service, 'Port', { unLoCode: freshCode('ZZ', 5), portName }));
    const page = await browser.open('/');
    await page.context().clearCookies();
    await page.reload();
    await page.getByLabel('Client id').waitFor();
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    /** By the tabulator, until the element has the focus. */
    const reach = async (name: string) => {
      for (let steps = 0; steps < 60; steps += 1) {
        const focused = await page.evaluate(`(() => {
          const { ariaLabel, labels, textContent, tagName } = document.activeElement;
          return tagName === 'BODY' ? '' : (ariaLabel ?? labels?.[0]?.textContent ?? textContent).trim();
        })()`);
        if (focused === name) return;
        await press('Tab');
      }
      throw new Error(`${name} is not reached by the tabulator.`);
    };
    await reach('Client id');
    await page.keyboard.type(administrator.clientId);
    await reach('Secret');
    await page.keyboard.type(administrator.clientSecret);
    await press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    for (const [key, title] of [
      ['n', 'Notifications'],
      ['s', 'Subscriptions'],
      ['w', 'Why not?'],
      ['c', 'Scripts'],
      ['t', 'Streams'],
      ['u', 'Users'],
      ['a', 'Audit'],
      ['y', 'System'],
      ['h', 'Overview'],
      ['o', 'Objects'],
    ] as const) {
      await press('g', key);
      await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
    }
    await press('?');
    const keys = page.getByRole('dialog', { name: 'Keys' });
    await keys.getByText('Go to Notifications').waitFor();
    await press('Escape');
    await keys.waitFor({ state: 'detached' });
    await reach('Port');
    await press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Port', exact: true }).waitFor();
    await page.getByRole('row', { name: /Third/ }).waitFor();
    await press('j', 'j', 'k', 'Enter');
    await page.getByRole('heading', { level: 1, name: /^Port .*(First|Third)/ }).waitFor();
    await page.goBack();
    await page.getByRole('row', { name: /Third/ }).waitFor();
    await press('g', 'o');
    await page.getByRole('heading', { level: 1, name: 'Objects' }).waitFor();
    await press('/');
    await page.keyboard.type('Second');
    await page.getByRole('link', { name: /Second/ }).waitFor();
  });
});

/** The addresses of the pages that somebody with these scopes may see, as the console lists them. */
function patternsFor(scopes: readonly string[]): RegExp[] {
  const table = readFileSync(new URL('../../../console/src/frame/page-table.ts', import.meta.url), 'utf8');
  const entries = [...table.matchAll(/pattern: '([^']+)',\s+scope: '(\w+)'/g)];
  expect(entries.length).toBeGreaterThan(20);
  return entries
    .filter(([, , scope]) => scopes.includes(scope!))
    .map(([, pattern]) => new RegExp(`^${pattern!.replaceAll(/:\w+/g, '[^/]+')}(\\?|$)`));
}

async function linksOf(page: Page): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll('#app a[href^="/console"]')]
    .map((link) => link.getAttribute('href').slice('/console'.length) || '/')`);
}

/** Many links differ only in a key, a type or the query. */
function kindOf(path: string): string {
  return path
    .replace(/\?.*/, '')
    .replaceAll(/\d+/g, '1')
    .replace(/^\/objects\/\w+/, '/objects/Type');
}

/** Each control of the page, tabs included, but nothing in the dialogs that open: they are closed again. */
async function clickEverything(page: Page, onClicked: (name: string) => Promise<void>): Promise<void> {
  const controls = page.locator('main').locator('button:visible:enabled, input[type=checkbox]:visible:enabled');
  const { pathname } = new URL(page.url());
  for (let at = 0; at < (await controls.count()); at += 1) {
    const url = page.url();
    const name = (await controls.nth(at).innerText()).trim();
    await controls.nth(at).click();
    await rendered(page);
    await onClicked(name);
    while ((await page.locator('dialog[open]').count()) > 0) {
      await page.keyboard.press('Escape');
      await rendered(page);
    }
    if (new URL(page.url()).pathname === pathname) continue;
    await page.goto(url);
    await page.locator('#page h1').waitFor();
  }
}

/** What a click changes at once is shown. */
async function rendered(page: Page): Promise<void> {
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
}
