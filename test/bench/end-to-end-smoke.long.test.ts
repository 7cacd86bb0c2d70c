// A smoke run of the end-to-end benchmark: everything runs, but nothing is measured.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCompiled } from '../../packages/server/test/support/run-compiled.ts';

test('the end-to-end benchmark writes a report whose ledger balances', { timeout: 300_000 }, async () => {
  const results = await mkdtemp(join(tmpdir(), 'flaghoist-bench-results-'));
  try {
    const { code, stderr } = await runCompiled('bench/main.js', ['end-to-end', '--quick', '--results', results]);
    expect(code, stderr).toBe(0);
    const report = await readFile(join(results, 'end-to-end-quick.md'), 'utf8');
    for (const heading of [
      'Sustained rate',
      'Foreign SQL',
      'Where the time of the program goes, POST',
      'Statements, PUT',
    ])
      expect(report).toContain(`## ${heading}`);
    expect(report).toMatch(/PUT, ours, turn \d+: .*\| 0, (\d+), \1, \1, 0 +\| 0, \1, \1, \1, 0 +\| balances/);
    expect(report).not.toContain('DOES NOT BALANCE');
  } finally {
    await rm(results, { recursive: true, force: true });
  }
});
