// A smoke run of the matching benchmark: everything runs, but nothing is measured.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tenthsOf } from '../../bench/matching/backlog.ts';
import { hasWildcard, planGrowth, planMemory } from '../../bench/matching/planned-subscriptions.ts';
import { rateOf } from '../../bench/matching/worker.ts';
import { runCompiled } from '../../packages/server/test/support/run-compiled.ts';

test('the matching benchmark writes a report whose ledger balances', { timeout: 360_000 }, async () => {
  const results = await mkdtemp(join(tmpdir(), 'flaghoist-bench-results-'));
  try {
    const { code, stdout, stderr } = await runCompiled('bench/main.js', ['matching', '--quick', '--results', results]);
    expect(code, stderr).toBe(0);
    const report = await readFile(join(results, 'matching-quick.md'), 'utf8');
    expect(stdout).toContain(report);
    for (const heading of [
      'Verdicts',
      'Events matched',
      'A typical expression',
      'Subscriptions in memory',
      'Snapshots where nothing has changed since',
      'A backlog',
    ])
      expect(report).toContain(`## ${heading}`);
    // Two rounds and one to warm up, of 100 events with ten notifications each.
    expect(report).toMatch(/1000 subscriptions: events; notifications +\| 300; 3000 +\| 300; 3000 +\| balances/);
    // Two of each.
    for (const worker of ['with snapshots', 'without snapshots'])
      expect(report).toMatch(new RegExp(`${worker}: events; notifications +\\| 300; 600 +\\| 300; 600 +\\| balances`));
    expect(report).toMatch(/the backlog: events; notifications +\| 2000; 2000 +\| 2000; 2000 +\| balances/);
    expect(report).not.toContain('DOES NOT BALANCE');
  } finally {
    await rm(results, { recursive: true, force: true });
  }
});

const orders = { changed: [1, 2, 3], others: [4, 5, 6, 7] };

test.each([20, 100, 1_000])('of %d planned subscriptions ten match every changed order', (count) => {
  const planned = planGrowth(count, orders);
  expect(planned).toHaveLength(count);
  for (const key of orders.changed) {
    const matching = planned.filter(
      ({ objectType, operation, objectKey }) =>
        ['BunkerOrder', '*'].includes(objectType) &&
        ['U', '*'].includes(operation) &&
        (objectKey === null || objectKey === key),
    );
    expect(matching).toHaveLength(10);
    expect(matching.filter(hasWildcard)).toHaveLength(2);
  }
});

test.each([
  ['one event type', 0, 0],
  ['three event types', 0, 2],
  ['a wildcard', 1_000, 0],
] as const)(
  'subscriptions with %s, each for its own object, have the given number of conditions and selections',
  (form, wildcards, further) => {
    const planned = planMemory(1_000, 200, form);
    expect(planned.filter(hasWildcard)).toHaveLength(wildcards);
    expect(planned.every((each) => (each.further?.length ?? 0) === further)).toBe(true);
    expect(new Set(planned.map(({ expression }) => expression)).size).toBe(200);
    expect(new Set(planned.map(({ selection }) => selection)).size).toBe(200);
    expect(new Set(planned.map(({ objectKey }) => objectKey)).size).toBe(1_000);
  },
);

test('progress counts from the first observation, without the wait for it', () => {
  const samples = [
    { atMs: 0, matched: 50 },
    { atMs: 900, matched: 50 },
    { atMs: 1000, matched: 150 },
    { atMs: 2000, matched: 1150 },
  ];
  expect(rateOf(samples)).toBe(1_000);
});

test('tenths of a backlog are interpolated between two observations', () => {
  const samples = [
    { atMs: 0, matched: 0 },
    { atMs: 1000, matched: 500 },
    { atMs: 3000, matched: 1000 },
  ];
  expect(tenthsOf(samples)).toEqual([...Array(5).fill(500), ...Array(5).fill(250)].map((rate) => expect.closeTo(rate)));
});
