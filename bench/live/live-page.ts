// The live list of notifications in a real browser: how long each of its frames takes.

import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { clientCredentials } from '../harness/service-client.ts';

const chromiumFile = '/usr/bin/chromium';

/** A frame that takes longer is seen as a jerk. */
export const longFrameMs = 50;

export interface Frames {
  count: number;
  long: number;
  longestMs: number;
}

export class LivePage {
  readonly #browser: Browser;
  readonly #page: Page;

  /** Signed in, with the list at its top. */
  static async open(origin: string): Promise<LivePage> {
    if (!existsSync(chromiumFile)) throw new Error(`There is no ${chromiumFile}: install Debian's package chromium.`);
    const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking'];
    const browser = await chromium.launch({ executablePath: chromiumFile, args });
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(`${origin}/console/notifications`);
    await page.getByLabel('Client id').fill(clientCredentials.client_id);
    await page.getByLabel('Secret').fill(clientCredentials.client_secret);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.locator('.live-mark.live').waitFor();
    // Rows do not move under the pointer.
    await page.mouse.move(0, 0);
    return new LivePage(browser, page);
  }

  private constructor(browser: Browser, page: Page) {
    this.#browser = browser;
    this.#page = page;
  }

  /** The frames of this time, from its first to its last. */
  watchFrames(durationMs: number): Promise<Frames> {
    return this.#page.evaluate(`(${watchFrames})(${durationMs}, ${longFrameMs})`);
  }

  /** Waits until the list shows the notification. */
  async shows(key: number): Promise<boolean> {
    const link = this.#page.locator(`a[href$="/notifications/${key}"]`).first();
    return link.waitFor({ timeout: 10_000 }).then(
      () => true,
      () => false,
    );
  }

  async close(): Promise<void> {
    await this.#browser.close();
  }
}

/** Runs in the page. */
const watchFrames = `(durationMs, limitMs) => new Promise((resolve) => {
  const frames = { count: 0, long: 0, longestMs: 0 };
  let first, last;
  const onFrame = (at) => {
    if (last !== undefined) {
      frames.count += 1;
      if (at - last > limitMs) frames.long += 1;
      frames.longestMs = Math.max(frames.longestMs, at - last);
    }
    first ??= at;
    last = at;
    if (at - first >= durationMs) resolve(frames);
    else requestAnimationFrame(onFrame);
  };
  requestAnimationFrame(onFrame);
})`;
