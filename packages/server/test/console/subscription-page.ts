// What tests of subscriptions in the console share: a deactivated one, and what they do on its page.

import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { createVoyage, settled, startHooks, subscribeTo } from '../deliver/hooks.ts';
import { freshCode } from '../support/fleet.ts';
import type { TestService } from '../support/test-service.ts';

/** On a busy machine a browser takes its time. */
export const timeout = 120_000;

/** Of a service whose notifications soon fail. */
export const settings = { FLAGHOIST_DELIVERY_INTERVAL_SECONDS: '0.1', FLAGHOIST_DELIVERY_ATTEMPTS: '2' };

/** A subscription that was deactivated by a receiver that answers 500, with two failed notifications. */
export async function deactivated(service: TestService, more: Record<string, unknown> = {}) {
  const answers = { status: 500 };
  const hooks = await startHooks((response) => {
    response.statusCode = answers.status;
    response.end('out of order');
  });
  const subscription = await subscribeTo(service, { url: `${hooks.url}/hook`, name: freshCode('Sub', 9), ...more });
  await createVoyage(service);
  await createVoyage(service);
  await settled(service, subscription, ['FAILED', 'FAILED']);
  return { subscription, hooks, answers };
}

export const choose = async (page: Page, action: string) => {
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('dialog', { name: 'More actions' }).getByText(action, { exact: true }).click();
};
export const loaded = (page: Page) => expect.poll(() => page.locator('main [aria-busy="true"]').count()).toBe(0);
export const dialog = (page: Page) => page.getByRole('dialog').last();
