// The docs page in a real browser, if one is installed: that it loads, and that it fits a phone. What one can do on it is
// in docs-page-browser.long.test.ts.

import { expect, test } from 'vitest';
import { describeInChromium, desk, phone } from './docs-page-browser.ts';

describeInChromium((open) => {
  test('loads only from the service, without errors, and never executes text of the model', async () => {
    const { page, troubles } = await open({ viewport: desk });
    expect(await page.title()).toBe('Flaghoist API');
    expect(await page.locator('section.type:not(.operation)').count()).toBe(25);
    expect(await page.locator('#type-Certificate .lead').textContent()).toContain('<script>window.hacked');
    expect(await page.evaluate('window.hacked')).toBeUndefined();
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
});
