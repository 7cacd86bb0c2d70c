// What other sites, and scripts that were smuggled in, can do to the console in a real browser: nothing.

import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { useLinks } from '../auth/console-links.ts';
import { startHooks } from '../deliver/hooks.ts';
import { administrator, createClient } from '../support/access.ts';
import { useTestService } from '../support/test-service.ts';
import { becauseOfChromium, hasChromium, useConsole } from './console-browser.ts';

/** On a busy machine a browser takes its time. */
const timeout = 120_000;

describe.skipIf(!hasChromium)(`the console and other sites${becauseOfChromium}`, { timeout }, () => {
  const service = useTestService();
  const browser = useConsole(service);
  const makeCode = useLinks(service);

  /** Addresses of a foreign page: another site, and another origin of the same site, which gets cookies. */
  async function foreignSites(html: string): Promise<string[]> {
    const { url } = await startHooks((response) => {
      response.setHeader('content-type', 'text/html');
      response.end(html);
    });
    return [url.replace('127.0.0.1', 'localhost'), url];
  }

  async function cookieOf(context: BrowserContext) {
    const cookies = await context.cookies(`${service.url()}/console/session`);
    expect(cookies.map(({ name }) => name)).toEqual(['flaghoist-console']);
    const [cookie] = cookies;
    service.secrets.plant('a cookie of the console', cookie!.value.split('.').at(-1)!);
    return cookie!;
  }

  test('a page of another origin that frames the console shows nothing of it', async () => {
    const html = `<h1>A game</h1><iframe width="900" height="600" src="${service.url()}/console"></iframe>`;
    const page = await browser.open('/');
    for (const site of await foreignSites(html)) {
      const foreign = await page.context().newPage();
      await foreign.goto(site, { waitUntil: 'load' });
      const [, frame] = foreign.frames();
      await expect.poll(() => frame!.url()).toMatch(/^chrome-error:/);
      expect(await frame!.content()).not.toContain('Flaghoist');
    }
  });

  test('a page of another site can neither use nor end a session, nor begin one as somebody else', async () => {
    const page = await browser.open('/');
    const context = page.context();
    const { value } = await cookieOf(context);
    const { clientId, clientSecret } = await createClient(service, ['read']);
    const credentials = JSON.stringify({ clientId, clientSecret });
    for (const site of await foreignSites('<h1>A game</h1>')) {
      const foreign = await context.newPage();
      await foreign.goto(site);
      for (const [method, path, body] of [
        ['POST', '', credentials],
        ['POST', '/renewal', undefined],
        ['POST', '/authorization', undefined],
        ['GET', '', undefined],
        ['DELETE', '', undefined],
      ] as const) {
        const url = `${service.url()}/console/session${path}`;
        const send = (more: object) => {
          const options = JSON.stringify({ method, credentials: 'include', ...(body ? { body } : {}), ...more });
          return foreign.evaluate(
            `fetch('${url}', ${options}).then(({ type, status }) => type + ' ' + status, String)`,
          );
        };
        // With a header of the page, the browser asks for permission first, and gets none.
        const refused = 'TypeError: Failed to fetch';
        expect(await send({ headers: { 'flaghoist-console': '1' } }), `${method} ${path}`).toBe(refused);
        expect(await send({}), `${method} ${path}`).toBe(refused);
        // Sent without asking, but the answer cannot be read.
        if (method !== 'DELETE') expect(await send({ mode: 'no-cors' })).toBe('opaque 0');
      }
      for (const path of ['', '/renewal']) {
        const answered = foreign.waitForResponse((response) => response.request().method() === 'POST');
        await foreign.evaluate(`{
          const form = document.body.appendChild(document.createElement('form'));
          const action = '${service.url()}/console/session${path}';
          Object.assign(form, { action, method: 'post', enctype: 'text/plain' }).submit();
        }`);
        expect((await answered).status()).toBe(403);
        await foreign.waitForURL(`${service.url()}/console/session${path}`);
        await foreign.goto(site);
      }
      expect((await cookieOf(context)).value).toBe(value);
    }
    await page.reload();
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    expect((await cookieOf(context)).value).not.toBe(value);
  });

  test('the cookie is for the session alone, and no script and no other site gets it', async () => {
    const page = await browser.open('/');
    const cookie = await cookieOf(page.context());
    expect(cookie).toMatchObject({ path: '/console/session', httpOnly: true, sameSite: 'Strict' });
    expect(await page.evaluate('document.cookie')).toBe('');
    const headers = page.waitForRequest(/\/ws\/rest\//).then((request) => request.allHeaders());
    await page.getByRole('link', { name: 'Objects' }).click();
    expect((await headers).cookie).toBeUndefined();
  });

  /** What a script in the page, or a person at the machine, could find. */
  const findable = (page: Page): Promise<string> =>
    page.evaluate(`(async () => {
      const fields = [...document.querySelectorAll('input, textarea')].map(({ value }) => value);
      const databases = (await indexedDB.databases()).map(({ name }) => name);
      const kept = { session: { ...sessionStorage }, local: { ...localStorage }, databases };
      const places = [location.href, document.title, document.cookie, history.state, window.name];
      const cached = await caches.keys();
      return JSON.stringify([document.documentElement.outerHTML, fields, kept, places, cached]);
    })()`);

  test('the token is in no address, no storage, and not in the document', async () => {
    const page = await browser.open('/');
    const tokens: string[] = [];
    const addresses: string[] = [];
    page.on('request', async (request) => {
      addresses.push(request.url(), request.headers().referer ?? '');
      const { authorization } = await request.allHeaders();
      if (authorization) tokens.push(authorization.replace('Bearer ', ''));
    });
    for (const path of ['notifications', 'subscriptions/new', 'objects/Voyage', 'users', 'audit', 'system', '']) {
      await page.goto(`${service.url()}/console/${path}`);
      await page.locator('#page h1').waitFor();
      await expect.poll(() => page.locator('main [aria-busy="true"]').count()).toBe(0);
      const found = await findable(page);
      expect(tokens.length).toBeGreaterThan(0);
      for (const token of new Set(tokens)) expect(found.includes(token.split('.')[2]!), path).toBe(false);
      expect(found).not.toContain(administrator.clientSecret);
    }
    for (const token of new Set(tokens)) {
      service.secrets.plantToken('a token of the console', token);
      expect(addresses.filter((address) => address.includes(token.split('.')[2]!))).toEqual([]);
    }
    expect(addresses.filter((address) => address.includes(administrator.clientSecret))).toEqual([]);
  });

  test('after the sign-out the cookie is dead, and Back shows nothing', async () => {
    const page = await browser.open('/users');
    const context = page.context();
    await page.getByRole('table', { name: 'Users' }).waitFor();
    const before = await cookieOf(context);
    await page.getByText('test', { exact: true }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are signed out.').waitFor();
    expect(await context.cookies()).toEqual([]);
    const later: string[] = [];
    page.on('request', (request) => later.push(request.url()));
    await page.goBack().catch(() => undefined);
    await page.goto(`${service.url()}/console/users`);
    await page.getByLabel('Client id').waitFor();
    expect(await page.getByText('test-administrator').count()).toBe(0);
    expect(later.filter((url) => url.includes('/ws/rest/'))).toEqual([]);
    // As a thief of the cookie would.
    await context.addCookies([before]);
    browser.expectTrouble(/^401 POST .*renewal/);
    const renewal = page.waitForResponse(/\/console\/session\/renewal/);
    await page.reload();
    expect((await renewal).status()).toBe(401);
    await page.getByLabel('Client id').waitFor();
  });

  test('a token that is copied from the page lives for ten minutes at most', async () => {
    const page = await browser.open('/');
    const sent = page.waitForRequest(/\/ws\/rest\//);
    await page.getByRole('link', { name: 'Objects' }).click();
    const { authorization } = await (await sent).allHeaders();
    const { iat, exp } = JSON.parse(Buffer.from(authorization!.split('.')[1]!, 'base64url').toString());
    // Both are whole seconds.
    expect(exp - iat).toBeLessThanOrEqual(601);
  });

  test('an inline script, a script from elsewhere, and eval do not run', async () => {
    browser.expectTrouble(
      /Content Security Policy|Content-Security-Policy|TrustedScript|TrustedHTML|^404 GET .*\/x$|evil\.js/,
    );
    const [elsewhere] = await foreignSites('window.hacked = true');
    const page = await browser.open('/');
    const policy = (await page.reload())!.headers()['content-security-policy']!;
    expect(policy).not.toContain('unsafe-');
    await page.route(/\/console$/, async (route) => {
      const response = await route.fetch();
      const injected =
        `<script>window.hacked = true</script><script src="${elsewhere}/evil.js"></script>` +
        '<img src="x" onerror="window.hacked = true">';
      await route.fulfill({ response, body: (await response.text()).replace('</body>', `${injected}</body>`) });
    });
    await page.reload();
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    expect(await page.locator('img[onerror]').count()).toBe(1);
    // Later, because the policy does not bind the evaluation itself.
    const tried: string[] = await page.evaluate(`new Promise((done) => setTimeout(() => {
      const attempts = [
        () => eval('window.hacked = true'),
        () => new Function('window.hacked = true')(),
        () => setTimeout('window.hacked = true'),
        () => document.body.insertAdjacentHTML('beforeend', '<img src=x onerror="window.hacked = true">'),
        () => document.body.append(Object.assign(document.createElement('script'), { text: 'window.hacked = true' })),
        () => document.body.setAttribute('onclick', 'window.hacked = true'),
      ];
      done(attempts.map((attempt) => {
        try {
          attempt();
          return 'ran';
        } catch (error) {
          return error.name;
        }
      }));
    }))`);
    expect(tried).toHaveLength(6);
    expect(tried).not.toContain('ran');
    await page.locator('body').click({ position: { x: 2, y: 2 } });
    expect(await page.evaluate('window.hacked')).toBeUndefined();
  });

  test('a link signs in once, and its code stays neither in the address nor in the history', async () => {
    const { userKey } = await createClient(service, ['read']);
    const link = `${service.url()}/console/objects#code=${await makeCode(userKey)}`;
    const page = await browser.open('/');
    await page.context().clearCookies();
    await page.goto('about:blank');
    await page.goto(link);
    await page.getByRole('heading', { level: 1, name: 'Objects' }).waitFor();
    expect(new URL(page.url()).hash).toBe('');
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.goBack();
    expect(page.url()).toBe(`${service.url()}/console/objects`);
    await page.context().clearCookies();
    await page.goto('about:blank');
    browser.expectTrouble(/^401 POST/);
    await page.goto(link);
    await page.getByLabel('Client id').waitFor();
    expect(new URL(page.url()).hash).toBe('');
  });
});
