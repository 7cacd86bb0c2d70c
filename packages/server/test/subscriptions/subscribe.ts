// Subscriptions over REST, for tests.

import { expect } from 'vitest';
import { expectErrorBody } from '../support/error-body.ts';
import type { Shown } from '../support/fleet.ts';
import type { Answer, TestService } from '../support/test-service.ts';

export const subscriptions = '/ws/rest/WebhookSubscription';

export const receiver = 'https://receiver.example/hooks';

/** The least that a subscription needs. */
export const least = { eventType: 'BunkerOrder.U', url: receiver };

export const identityStylesheet = `<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
<xsl:template match="/"><xsl:copy-of select="."/></xsl:template></xsl:stylesheet>`;

export function post(service: TestService, body: unknown, headers?: Record<string, string>): Promise<Answer> {
  return service.post(subscriptions, body, headers);
}

/** Expects it to be taken; `signingSecret` is planted, since no other answer may show it. */
export async function subscribe(
  service: TestService,
  more: object = {},
  headers?: Record<string, string>,
): Promise<Shown> {
  const answer = await post(service, { ...least, ...more }, headers);
  expect(answer.status, answer.text).toBe(201);
  const { signingSecret, ...shown } = answer.body;
  service.secrets.plant('a signing secret', signingSecret);
  return shown;
}

export function pathOf({ key }: Shown): string {
  return `${subscriptions}/${key}`;
}

/** As a failed delivery would. */
export async function deactivate(service: TestService, { key }: Shown): Promise<void> {
  await service.database.pool.query(
    `update flaghoist_service.webhook_subscription set state = 'DEACTIVATED', state_reason = 'Failed.' where key = $1`,
    [key],
  );
}

export async function unsubscribe(service: TestService, shown: Shown): Promise<void> {
  const answer = await service.put(pathOf(shown), { unsubscribed: true });
  expect(answer.status, answer.text).toBe(200);
}

/** Its mistakes, as `path: message`. */
export function mistakesOf(answer: Answer): string[] {
  expect(answer.status, answer.text).toBe(400);
  return answer.body.violations.map(({ path, message }: Shown) => `${path}: ${message}`);
}

/** Expects it to be refused. */
export async function mistakesIn(service: TestService, body: object): Promise<string[]> {
  const answer = await post(service, body);
  expectErrorBody(answer, 400);
  return mistakesOf(answer);
}

export function inBase64(text: string | Buffer): string {
  return Buffer.from(text as string).toString('base64');
}
