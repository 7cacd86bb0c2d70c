// A smoke run of the scale benchmark: everything runs, but nothing is measured.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCompiled } from '../../packages/server/test/support/run-compiled.ts';

test('the scale benchmark writes a report whose ledger balances', { timeout: 300_000 }, async () => {
  const results = await mkdtemp(join(tmpdir(), 'flaghoist-bench-results-'));
  try {
    const { code, stderr } = await runCompiled('bench/main.js', ['scale', '--quick', '--results', results]);
    expect(code, stderr).toBe(0);
    const report = await readFile(join(results, 'scale-quick.md'), 'utf8');
    expect(report).toMatch(/notifications received +\| ([1-9]\d*) +\| \1 +\| balances/);
    expect(report).not.toContain('DOES NOT BALANCE');
  } finally {
    await rm(results, { recursive: true, force: true });
  }
});
