// Parts of the editor of a subscription, as tests use them.

import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { TestService } from '../support/test-service.ts';

/** Once the editor for code has taken the place of the plain field. */
export function codeField(page: Page, label: string): Locator {
  return page.locator(`.code-host [contenteditable][aria-label="${label}"]`);
}

/** Replaces the text. Brackets are not closed by the editor. */
export async function typeCode(page: Page, label: string, text: string): Promise<void> {
  await codeField(page, label).click();
  await page.keyboard.press('Control+A');
  await page.keyboard.press('Delete');
  if (text !== '') await page.keyboard.insertText(text);
}

export function resultOf(page: Page): Locator {
  return page.getByRole('region', { name: 'Result' });
}

/** Creates the subscription, and answers its key. */
export async function save(page: Page, service: TestService): Promise<{ key: number }> {
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'The subscription is active' });
  await dialog.waitFor();
  const secret = dialog.getByText(/^whsec_/);
  if ((await secret.count()) > 0) service.secrets.plant('a signing secret', await secret.innerText());
  await dialog.getByRole('button', { name: 'Open the subscription' }).click();
  await expect.poll(() => new URL(page.url()).pathname).toMatch(/\/subscriptions\/\d+$/);
  return { key: Number(new URL(page.url()).pathname.split('/').at(-1)) };
}
