// A smoke run of the delivery benchmark: everything runs, but nothing is measured.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { latenciesOf } from '../../bench/delivery/latencies.ts';
import { runCompiled } from '../../packages/server/test/support/run-compiled.ts';

test('the delivery benchmark writes a report whose ledger balances', { timeout: 300_000 }, async () => {
  const results = await mkdtemp(join(tmpdir(), 'flaghoist-bench-results-'));
  try {
    const { code, stdout, stderr } = await runCompiled('bench/main.js', ['delivery', '--quick', '--results', results]);
    expect(code, stderr).toBe(0);
    const report = await readFile(join(results, 'delivery-quick.md'), 'utf8');
    expect(stdout).toContain(report);
    for (const heading of [
      'Verdicts',
      'A backlog',
      'From a change to its receiver',
      'One receiver hangs',
      'Some receivers are dead',
      'In order',
      'Claims',
    ])
      expect(report).toContain(`## ${heading}`);
    // Two rounds of 2,000, and five untimed rounds of 1,000: one to warm up, and four with statement counts and
    // profiles.
    expect(report).toMatch(
      /backlog, plain receivers, ours: received; .*\| 5000; 0, 0, 0 +\| 5000; 0, 0, 0 +\| balances/,
    );
    expect(report).toMatch(
      /backlog, lean receivers, ours: received; .*\| 8000; 0, 0, 0 +\| 8000; 0, 0, 0 +\| balances/,
    );
    expect(report).not.toContain('DOES NOT BALANCE');
  } finally {
    await rm(results, { recursive: true, force: true });
  }
});

test('latencies count from the due time, once each, without notifications that never arrived', () => {
  const plan = { mark: 'm', perSecond: 100, count: 3 };
  const received = { ids: ['b', 'a', 'b'], atMs: [1_030, 1_005, 1_900] };
  const marks = new Map([
    ['a', 'm 0'],
    ['b', 'm 2'],
  ]);
  expect(latenciesOf(plan, { startMs: 1_000 }, received, (id) => marks.get(id)!)).toEqual([5, 10]);
});
