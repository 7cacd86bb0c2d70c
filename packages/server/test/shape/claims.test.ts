// The cost of a claim of unshaped matches depends on what it claims, not on how many wait. And how long a claim lasts.

import { describe, expect, onTestFinished, test } from 'vitest';
import type { Statement } from '../../src/database/database.ts';
import {
  claimUnshaped,
  releaseUnshaped,
  selectUnshapedLanes,
  takeOutUnshaped,
} from '../../src/shape/unshaped-table.ts';
import { modelDigest } from '../support/model-digest.ts';
import { useTestService } from '../support/test-service.ts';

const service = useTestService({ FLAGHOIST_ROLES: 'api' });

/** Twenty lanes with five thousand unshaped matches each, deleted after the test. */
async function withUnshaped() {
  const client = await service.database.pool.connect();
  onTestFinished(async () => {
    await client.query('rollback');
    client.release();
  });
  await client.query(`begin; set local plan_cache_mode = force_generic_plan; set local enable_seqscan = off;
    set local enable_sort = off; set local enable_bitmapscan = off; set local enable_material = off;
    set local enable_hashjoin = off; set local enable_mergejoin = off`);
  const columns =
    'notification_key, lane, event_id, subscription_key, user_key, object_type, object_key, event_type, ' +
    'subscribed_object_key, occurred_at, bytes';
  await client.query(`insert into flaghoist_system.unshaped_match (${columns})
    select n, 1 + n % 20, n, 1 + n % 20, 100 + n % 20, 'Vessel', 1, 'U', 1, '2026-11-15T00:00:00.000000Z', 1
      from generate_series(1, 100000) n`);
  await client.query('analyze flaghoist_system.unshaped_match');
  const run = async ({ text, values }: Statement) => (await client.query(text, values as unknown[])).rows;
  const blocksOf = async ({ text, values }: Statement): Promise<number> => {
    const explained = await run({ text: `explain (analyze, buffers, format json) ${text}`, values: values! });
    const { Plan: plan } = explained[0]['QUERY PLAN'][0];
    return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
  };
  return { run, blocksOf };
}

test('lanes are found in order, with their users, from any lane on', async () => {
  const { run, blocksOf } = await withUnshaped();
  const lanesAfter = async (lane: number, lanesMax: number) =>
    (await run(selectUnshapedLanes(lane, lanesMax))).map((row) => [Number(row.lane), Number(row.user_key)]);
  expect(await lanesAfter(0, 3)).toEqual([1, 2, 3].map((lane) => [lane, 99 + lane]));
  expect(await lanesAfter(18, 3)).toEqual([19, 20].map((lane) => [lane, 99 + lane]));
  expect(await lanesAfter(20, 3)).toEqual([]);
  expect(await blocksOf(selectUnshapedLanes(0, 20))).toBeLessThan(300);
});

test('a claim takes as many of each lane as its capacity allows, the oldest first, and none twice', async () => {
  const { run, blocksOf } = await withUnshaped();
  const capacities = new Map([[3, 2]]).set(7, 1);
  const claim = claimUnshaped({ capacities, rowsMax: 40, leaseMs: 60_000, modelDigest });
  const keysOf = async () => (await run(claim)).map(({ key }) => Number(key)).sort((one, other) => one - other);
  expect(await keysOf()).toEqual([2, 6, 22]);
  expect(await keysOf()).toEqual([26, 42, 62]);
  expect(await blocksOf(claim)).toBeLessThan(300);
});

describe('an expired claim', () => {
  const capacities = new Map([[3, 2]]);

  test.each([
    ['releases', releaseUnshaped],
    ['takes out', takeOutUnshaped],
  ])('%s nothing that was claimed again', async (_, end) => {
    const { run } = await withUnshaped();
    const claim = async (keys: readonly number[]) => {
      const rows = await run(claimUnshaped({ capacities, rowsMax: 40, leaseMs: 60_000, modelDigest }));
      expect(rows.map(({ key }) => Number(key)).sort()).toEqual(keys);
      return Number(rows[0].claim);
    };
    const stateOf = (keys: readonly number[]) =>
      run({
        text: 'select claim, claimed_until from flaghoist_system.unshaped_match where notification_key = any($1)',
        values: [keys],
      });
    const keys = [2, 22];
    const present = await claim(keys);
    const over = present - 1;
    const before = await stateOf(keys);
    await run(end(keys, over));
    expect(await stateOf(keys)).toEqual(before);
    await run(end(keys, present));
    expect(await stateOf(keys)).not.toEqual(before);
  });

  test('expires by the clock of the database, and its matches are claimed again', async () => {
    const { run } = await withUnshaped();
    const claim = async (leaseMs: number) =>
      (await run(claimUnshaped({ capacities, rowsMax: 40, leaseMs, modelDigest })))
        .map(({ key }) => Number(key))
        .sort();
    expect(await claim(-1)).toEqual([2, 22]);
    expect(await claim(60_000)).toEqual([2, 22]);
    expect(await claim(60_000)).toEqual([42, 62]);
  });
});
