// The console in a real browser: pages that are signed in, and what they must never do. Each test fails on an error in
// the console of the browser, a request that failed or went elsewhere, and a violation of the Content-Security-Policy.

import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { administrator, type Credentials } from '../support/access.ts';
import type { TestService } from '../support/test-service.ts';

const chromiumFile = '/usr/bin/chromium';

export const hasChromium = existsSync(chromiumFile);

/** For the names of tests that are skipped. */
export const becauseOfChromium = hasChromium ? '' : ` (skipped: there is no ${chromiumFile})`;

export interface OpenOptions extends BrowserContextOptions {
  client?: Credentials;
}

export interface ConsoleBrowser {
  /** A page in a browser of its own, signed in and at `path`, which is below `/console`. */
  open(path: string, options?: OpenOptions): Promise<Page>;
  /** What a test expects to go wrong, such as the answer 409. */
  expectTrouble(pattern: RegExp): void;
}

/** To be called in a `describe`, after `useTestService`. */
export function useConsole(service: TestService): ConsoleBrowser {
  let browser: Browser;
  const troubles: string[] = [];
  const expected: RegExp[] = [];
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: chromiumFile, args: ['--no-sandbox', '--disable-gpu'] });
  });
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
    const unexpected = troubles.splice(0).filter((trouble) => !expected.some((pattern) => pattern.test(trouble)));
    expected.length = 0;
    expect(unexpected).toEqual([]);
  });
  afterAll(() => browser?.close());
  return {
    open: async (path, { client = administrator, ...options } = {}) => {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
      const page = await context.newPage();
      // Sooner than the test as a whole, so that its failure says what was not there.
      page.setDefaultTimeout(20_000);
      watch(page, service.url(), troubles);
      await page.goto(`${service.url()}/console${path === '/' ? '' : path}`);
      await signIn(page, client);
      return page;
    },
    expectTrouble: (pattern) => {
      expected.push(pattern);
    },
  };
}

export async function signIn(page: Page, { clientId, clientSecret }: Credentials): Promise<void> {
  await page.getByLabel('Client id').fill(clientId);
  await page.getByLabel('Secret').fill(clientSecret);
  await page.getByRole('button', { name: 'Sign in' }).click();
  // The page before the sign-in has a main part, too.
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
}

function watch(page: Page, url: string, troubles: string[]): void {
  page.on('console', (message) => {
    // Answers with an error are noted below.
    const isAnswer = message.text().startsWith('Failed to load resource');
    if (['error', 'warning'].includes(message.type()) && !isAnswer) troubles.push(message.text());
  });
  page.on('pageerror', (error) => troubles.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith('data:')) troubles.push(`to ${request.url()}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400)
      troubles.push(`${response.status()} ${response.request().method()} ${response.url()}`);
  });
}

const axeSource = createRequire(import.meta.url)('axe-core').source as string;

/** What a person with a screen reader, or who sees little, would stumble over. */
export async function axeViolations(page: Page): Promise<string[]> {
  await page.evaluate(axeSource);
  return page.evaluate(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ' ' + html.slice(0, 200))))`);
}

/** Texts that would show or do harm if a page trusted them. */
export const hostileTexts = {
  script: '<script>window.hacked = true</script>',
  image: '<img src=x onerror="window.hacked = true">',
  rightToLeft: '\u202Egnirts desrever \u05E9\u05DC\u05D5\u05DD',
  long: 'x'.repeat(300),
};

/** Whether a hostile text has run, and whether the page is wider than the screen. */
export async function harmDone(page: Page): Promise<{ hasRun: boolean; isTooWide: boolean }> {
  return {
    hasRun: await page.evaluate('window.hacked === true'),
    isTooWide: await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth'),
  };
}
