// What the console does when the service refuses or does not respond, in a real browser: it says so, and shows what is.

import { describe, expect, test } from 'vitest';
import { useLinks } from '../auth/console-links.ts';
import { administrator, createClient } from '../support/access.ts';
import { useTestService } from '../support/test-service.ts';
import { becauseOfChromium, hasChromium, useConsole } from './console-browser.ts';

/** On a busy machine a browser takes its time. */
const timeout = 120_000;

describe.skipIf(!hasChromium)(`a console that is refused something${becauseOfChromium}`, { timeout }, () => {
  const service = useTestService();
  const browser = useConsole(service);
  const makeCode = useLinks(service);

  test('a check box whose change is refused is as it was, and the page says why', async () => {
    const client = await createClient(service, ['read']);
    const page = await browser.open(`/users/${client.userKey}`);
    browser.expectTrouble(/^503 PUT/);
    await page.route(/\/ApiClient\/\d+$/, (route) =>
      route.request().method() === 'PUT'
        ? route.fulfill({ status: 503, json: { message: 'The database does not respond.' } })
        : route.continue(),
    );
    const box = page.getByLabel(`${client.clientId} is active`);
    await box.click();
    await page.getByText('The database does not respond.').waitFor();
    expect(await box.isChecked()).toBe(true);
  });

  test('a sign-out that fails says that the user is still signed in; then it works', async () => {
    const page = await browser.open('/');
    browser.expectTrouble(/^503 DELETE/);
    await page.route(/\/console\/session$/, (route) =>
      route.request().method() === 'DELETE' ? route.fulfill({ status: 503, body: '' }) : route.continue(),
    );
    await page.getByText('test', { exact: true }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('you are still signed in').waitFor();
    await page.unroute(/\/console\/session$/);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are signed out.').waitFor();
    expect(await page.context().cookies()).toEqual([]);
  });

  test('what the issuer refuses is said, and does not stay in the address', async () => {
    const page = await browser.open('/');
    await page.context().clearCookies();
    const refusal = 'error=access_denied&error_description=Call%20me&state=abc';
    await page.goto(`${service.url()}/console?${refusal}`);
    await page.getByText('The issuer refused the sign-in: access_denied. Try again.').waitFor();
    expect(await page.getByText('Call me').count()).toBe(0);
    expect(new URL(page.url()).search).toBe('');
  });

  test('the path is kept while the issuer is asked, also when it or the service refuses the sign-in', async () => {
    browser.expectTrouble(/^403 POST/);
    const page = await browser.open('/');
    await page.context().clearCookies();
    const path = '/console/audit?user=7';
    const answers = ['error=access_denied&state=abc', 'code=stranger&state=abc', 'code=known&state=abc'];
    await page.route(/\/console\/session$/, (route) => {
      const request = route.request();
      if (request.method() === 'GET')
        return route.fulfill({ json: { methods: ['ISSUER'], environment: 'TEST', version: '1', hasSession: false } });
      if (request.postData()?.includes('stranger'))
        return route.fulfill({ status: 403, json: { message: 'You have no access here.' } });
      const { clientId, clientSecret } = administrator;
      return route.continue({ postData: { clientId, clientSecret } });
    });
    await page.route('**/console/session/authorization', (route) =>
      route.fulfill({ json: { url: `${service.url()}/console?${answers.shift()}` } }),
    );
    const isThere = () => expect.poll(() => page.url()).toBe(service.url() + path);
    const signIn = () => page.getByRole('button', { name: 'Sign in' }).click();
    await page.goto(service.url() + path);
    await signIn();
    await page.getByText('The issuer refused the sign-in: access_denied. Try again.').waitFor();
    await isThere();
    await signIn();
    await page.getByText('You have no access here.').waitFor();
    await isThere();
    await signIn();
    await page.getByRole('heading', { level: 1, name: 'Audit' }).waitFor();
    await isThere();
  });

  test('a one-time link signs in that is pasted into the page that asks to sign in', async () => {
    const page = await browser.open('/');
    await page.context().clearCookies();
    await page.reload();
    await page.getByLabel('Client id').waitFor();
    const { userKey } = await createClient(service, ['read']);
    await page.goto(`${service.url()}/console#code=${await makeCode(userKey)}`);
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    expect(new URL(page.url()).hash).toBe('');
  });

  test('a one-time link that is opened while the service is away works when it is back', async () => {
    const page = await browser.open('/');
    await page.context().clearCookies();
    const { userKey } = await createClient(service, ['read']);
    const link = `${service.url()}/console#code=${await makeCode(userKey)}`;
    await page.route(/\/console\/session/, (route) => route.abort());
    await page.goto('about:blank');
    await page.goto(link);
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    await page.unroute(/\/console\/session/);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  });
});
