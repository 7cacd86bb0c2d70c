// Scripts and stylesheets that many subscriptions use are loaded and kept once.

import { expect, test } from 'vitest';
import type { Row, Statement } from '../../src/database/database.ts';
import { serverEpoch } from '../../src/database/server-epoch.ts';
import { ShapingPlanCache } from '../../src/shape/shaping-plan-cache.ts';
import { useTestService } from '../support/test-service.ts';
import { makeScript, put, stylesheet } from './shaped.ts';

const service = useTestService({ FLAGHOIST_ROLES: 'api' });
const url = 'http://127.0.0.1:9/';
const large = 200_000;

/** Runs the statements of a cache, and counts the characters that it gets. */
function counting() {
  const counted = { chars: 0 };
  const run = async (...statements: Statement[]): Promise<Row[][]> => {
    const answers: Row[][] = [];
    for (const { text, values } of statements) answers.push((await service.database.pool.query(text, values)).rows);
    for (const row of answers.flat())
      for (const value of Object.values(row)) counted.chars += typeof value === 'string' ? value.length : 0;
    return answers;
  };
  return { counted, run };
}

async function subscribeMany(count: number, wishes: object): Promise<number[]> {
  const body = Array.from({ length: count }, () => ({ eventType: 'Vessel.U', url, ...wishes }));
  const answer = await service.post('/ws/rest/WebhookSubscription', body);
  expect(answer.status, answer.text).toBe(201);
  return answer.body.map(({ key }: { key: number }) => key);
}

test('a script of many subscriptions is loaded once', async () => {
  const script = await makeScript(service, `return true; // ${'x'.repeat(large)}`);
  const keys = await subscribeMany(90, { dlpAlertScript: script.code });
  const cache = new ShapingPlanCache(new Map());
  const { counted, run } = counting();
  const plans = await cache.load(keys, run);
  expect(plans.size).toBe(90);
  for (const { script: part } of plans.values()) expect(part?.kind === 'script' && part.body.length > large).toBe(true);
  expect(counted.chars).toBeLessThan(2 * large);
  // For later subscriptions it is already cached.
  const more = await subscribeMany(10, { dlpAlertScript: script.code });
  expect((await cache.load(more, run)).size).toBe(10);
  expect(counted.chars).toBeLessThan(2 * large);
});

test('a script is loaded again from another server, even if its last change has the same transaction id', async () => {
  const script = await makeScript(service, 'return true;');
  const keys = await subscribeMany(1, { dlpAlertScript: script.code });
  const { run } = counting();
  const [plan] = (await new ShapingPlanCache(new Map()).load(keys, run)).values();
  const { rows } = await service.database.pool.query(`select ${serverEpoch} as epoch`);
  const part = plan!.script!;
  expect(plan!.version).toMatch(new RegExp(`^${rows[0].epoch}/`));
  expect(part.kind === 'script' && part.version).toMatch(new RegExp(`^${script.key} ${rows[0].epoch}/\\d+$`));
});

test('a stylesheet of many subscriptions is loaded once, and a changed script is loaded again', async () => {
  const script = await makeScript(service, 'return true;');
  const xsl = stylesheet(`<!--${'x'.repeat(large)}--><xsl:template match="/"><a/></xsl:template>`);
  const keys = await subscribeMany(3, { xsl, dlpAlertScript: script.code });
  const cache = new ShapingPlanCache(new Map());
  const { counted, run } = counting();
  await cache.load(keys, run);
  await put(service, 'AlertScript', script.key, { body: 'return false;' });
  const sheets = new Set<unknown>();
  for (const { script: part, stylesheet: sheet } of (await cache.load(keys, run)).values()) {
    expect(part).toMatchObject({ kind: 'script', body: 'return false;' });
    expect(sheet?.kind === 'stylesheet' && sheet.text.length > large).toBe(true);
    sheets.add(sheet);
  }
  expect(sheets.size).toBe(1);
  expect(counted.chars).toBeLessThan(2 * large);
});

test('each subscription has its own script, whether or not it was cached before', async () => {
  const cache = new ShapingPlanCache(new Map());
  const { run } = counting();
  const keys: number[] = [];
  for (let n = 0; n < 3; n += 1) {
    const script = await makeScript(service, `return ${n} < 9;`);
    keys.push(...(await subscribeMany(2, { dlpAlertScript: script.code })));
  }
  await cache.load(keys.slice(0, 2), run);
  const plans = await cache.load(keys, run);
  const bodies = keys.map((key) => plans.get(key)!.script).map((part) => part?.kind === 'script' && part.body);
  expect(bodies).toEqual([0, 0, 1, 1, 2, 2].map((n) => `return ${n} < 9;`));
});
