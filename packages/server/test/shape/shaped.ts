// Scripts and stylesheets for tests, the changes that they run for, and the results.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type ReadMail, readMail } from '../channels/read-mail.ts';
import { matched } from '../match/heard.ts';
import type { Shown } from '../support/fleet.ts';
import type { TestService } from '../support/test-service.ts';

export const scripts = '/ws/rest/AlertScript';

let scriptCount = 0;

/** Expects success. */
export async function makeScript(
  service: TestService,
  body: string,
  more: object = {},
): Promise<{ key: number; code: string }> {
  scriptCount += 1;
  const answer = await service.post(scripts, { code: `script-${scriptCount}`, name: 'A script', body, ...more });
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}

/** In Base64: a stylesheet with these children. */
export function stylesheet(content: string): string {
  return Buffer.from(
    `<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">${content}</xsl:stylesheet>`,
  ).toString('base64');
}

export async function put(service: TestService, resource: string, key: number, body: object): Promise<Shown> {
  const answer = await service.put(`/ws/rest/${resource}/${key}`, body);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

/** Waits until every change is matched, and every due script and stylesheet has run. */
export async function prepared(service: Pick<TestService, 'database'>, timeout = 20_000): Promise<void> {
  await matched(service, timeout);
  await expect.poll(() => countUnprepared(service), { timeout, interval: 20 }).toBe(0);
}

export async function countUnprepared({ database }: Pick<TestService, 'database'>, where = 'true'): Promise<number> {
  const { rows } = await database.pool.query(
    `select count(*)::int from flaghoist_system.unshaped_match where ${where}`,
  );
  return rows[0].count;
}

/** Newest first. */
export async function decisionsOf(service: TestService, { key }: { key: number }, limit = 1): Promise<Shown[]> {
  await prepared(service);
  const answer = await service.get(`/ws/rest/WebhookSubscription/${key}/decisions?limit=${limit}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

/** The mails sent to this address. */
export function mailsTo({ dataDir }: TestService, address: string): ReadMail[] {
  const folder = join(dataDir, 'mail');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.eml'))
    .map((name) => readMail(readFileSync(join(folder, name))))
    .filter(({ headers }) => headers.some(([name, value]) => name === 'to' && value.includes(address)));
}
