// Opens the docs page of a service whose model has hostile texts in chromium, and notes what goes wrong in it.

import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe } from 'vitest';
import { useTestService } from '../support/test-service.ts';
import { hostileModelFile } from './hostile-model-file.ts';

export const desk = { width: 1360, height: 900 };
export const phone = { width: 390, height: 844 };

interface OpenPage {
  page: Page;
  /** Messages, errors, and requests to others than the service. */
  troubles: string[];
}

/** Skipped where there is no chromium. */
export function describeInChromium(tests: (open: (options: BrowserContextOptions) => Promise<OpenPage>) => void): void {
  const hasChromium = existsSync(chromiumFile);
  const because = hasChromium ? '' : ` (skipped: there is no ${chromiumFile})`;
  describe.skipIf(!hasChromium)(`the docs page in chromium${because}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'flaghoist-model-'));
    writeFileSync(join(folder, 'model.json'), hostileModelFile);
    const service = useTestService({ FLAGHOIST_MODEL_FILE: join(folder, 'model.json') });
    let browser: Browser;
    beforeAll(async () => {
      browser = await chromium.launch({ executablePath: chromiumFile, args: quiet });
    });
    afterAll(async () => {
      await browser?.close();
      rmSync(folder, { recursive: true, force: true });
    });
    tests((options) => openDocs(browser, service.url(), options));
  });
}

async function openDocs(browser: Browser, url: string, options: BrowserContextOptions): Promise<OpenPage> {
  const page = await browser.newPage(options);
  const troubles: string[] = [];
  page.on('console', (message) => troubles.push(message.text()));
  page.on('pageerror', (error) => troubles.push(error.message));
  page.on('requestfailed', (request) => troubles.push(request.url()));
  page.on('request', (request) => {
    if (!request.url().startsWith(url)) troubles.push(request.url());
  });
  await page.goto(`${url}/docs`);
  return { page, troubles };
}

const chromiumFile = '/usr/bin/chromium';

/** No sandbox, because tests may run as root; and no traffic but the page's. */
const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];
