// What a reader can do on the docs page, in a real browser, if one is installed.

import { expect, test } from 'vitest';
import { describeInChromium, desk, phone } from './docs-page-browser.ts';

describeInChromium((open) => {
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
