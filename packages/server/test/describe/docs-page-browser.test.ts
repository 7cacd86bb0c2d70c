// The docs page in a real browser, if one is installed.

import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useTestService } from '../support/test-service.ts';
import { hostileModelFile } from './hostile-model-file.ts';

const chromiumFile = '/usr/bin/chromium';
const hasChromium = existsSync(chromiumFile);
const because = hasChromium ? '' : ` (skipped: there is no ${chromiumFile})`;

const folder = mkdtempSync(join(tmpdir(), 'flaghoist-model-'));
writeFileSync(join(folder, 'model.json'), hostileModelFile);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(!hasChromium)(`the docs page in chromium${because}`, () => {
  const service = useTestService({ FLAGHOIST_MODEL_FILE: join(folder, 'model.json') });
  let browser: Browser;

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: chromiumFile, args: quiet });
  });
  afterAll(() => browser?.close());

  async function open(options: BrowserContextOptions): Promise<{ page: Page; troubles: string[] }> {
    const page = await browser.newPage(options);
    const troubles: string[] = [];
    page.on('console', (message) => troubles.push(message.text()));
    page.on('pageerror', (error) => troubles.push(error.message));
    page.on('requestfailed', (request) => troubles.push(request.url()));
    page.on('request', (request) => {
      if (!request.url().startsWith(service.url())) troubles.push(request.url());
    });
    await page.goto(`${service.url()}/docs`);
    return { page, troubles };
  }

  test('loads only from the service, without errors, and never executes text of the model', async () => {
    const { page, troubles } = await open({ viewport: desk });
    expect(await page.title()).toBe('Flaghoist API');
    expect(await page.locator('section.type:not(.operation)').count()).toBe(25);
    expect(await page.locator('#type-Certificate .lead').textContent()).toContain('<script>window.hacked');
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(troubles).toEqual([]);
  });

  test('the search shows matching types, marks matching attributes, and can be cleared', async () => {
    const { page } = await open({ viewport: desk });
    await page.fill('#search', 'unLoCode');
    expect(await page.locator('section.type:visible h3').allTextContents()).toEqual(['Port']);
    expect(await page.locator('#type-list li:visible').allTextContents()).toEqual(['Port']);
    expect(await page.locator('tr.hit code').first().textContent()).toBe('unLoCode');
    await page.fill('#search', 'no such thing');
    expect(await page.locator('#found').textContent()).toContain('no such thing');
    await page.press('#search', 'Escape');
    expect(await page.locator('section.type:not(.operation):visible').count()).toBe(25);
    expect(await page.locator('#errors').isVisible()).toBe(true);
  });

  test('a search that matches only one group hides the other', async () => {
    const { page } = await open({ viewport: desk });
    await page.fill('#search', 'clientId');
    expect(await page.locator('section.type:visible h3').allTextContents()).toEqual(['ApiClient', 'AuditLog']);
    expect(await page.locator('section.types:visible > h2').allTextContents()).toEqual(['Administration']);
    expect(await page.locator('#type-list h2:visible').allTextContents()).toEqual(['Administration']);
  });

  test('another version can be chosen, and its page is shown', async () => {
    const { page, troubles } = await open({ viewport: desk });
    expect(await page.locator('.versions a[aria-current]').textContent()).toBe('6.44');
    await page.click('.versions a:text-is("3.16")');
    await page.waitForURL('**/docs?version=3.16');
    expect(await page.locator('.versions a[aria-current]').textContent()).toBe('3.16');
    expect(troubles).toEqual([]);
  });

  test('on a phone, the contents open, link to the type, and nothing is wider than the screen', async () => {
    const { page } = await open({ viewport: phone, hasTouch: true, isMobile: true });
    expect(await page.locator('#search').isVisible()).toBe(false);
    await page.tap('#menu');
    await page.tap('#type-list a[href="#type-BunkerOrder"]');
    expect(await page.locator('#search').isVisible()).toBe(false);
    const top = async () => (await page.locator('#type-BunkerOrder').boundingBox())?.y;
    await expect.poll(top, { timeout: 10_000 }).toBeLessThan(200);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(phone.width);
  });

  test('follows the color scheme of the reader', async () => {
    const background = async (colorScheme: 'light' | 'dark') => {
      const { page } = await open({ viewport: desk, colorScheme });
      return page.evaluate('getComputedStyle(document.body).backgroundColor');
    };
    expect(await background('light')).toBe('rgb(255, 255, 255)');
    expect(await background('dark')).toBe('rgb(15, 22, 35)');
  });

  test('is readable without scripts', async () => {
    const { page } = await open({ viewport: phone, javaScriptEnabled: false });
    expect(await page.locator('#contents').isVisible()).toBe(true);
    expect(await page.locator('#type-Voyage').isVisible()).toBe(true);
    expect(await page.locator('#menu').isVisible()).toBe(false);
  });
});

const desk = { width: 1360, height: 900 };
const phone = { width: 390, height: 844 };

/** No sandbox, because tests may run as root; and no traffic but the page's. */
const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];
