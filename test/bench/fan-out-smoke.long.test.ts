// A smoke run of the fan-out benchmark: everything runs, but nothing is measured.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCompiled } from '../../packages/server/test/support/run-compiled.ts';

test('the fan-out benchmark writes a report whose ledger balances', { timeout: 300_000 }, async () => {
  const results = await mkdtemp(join(tmpdir(), 'flaghoist-bench-results-'));
  try {
    const { code, stderr } = await runCompiled('bench/main.js', ['fan-out', '--quick', '--results', results]);
    expect(code, stderr).toBe(0);
    const report = await readFile(join(results, 'fan-out-quick.md'), 'utf8');
    expect(report).toMatch(/shared contents, voyage: .*\| 200,200,200,200,0,10 +\| 200,200,200,200,0,10 +\| balances/);
    expect(report).toMatch(/whole bodies, voyage: .*\| 200,200,200,200,0,0 +\| 200,200,200,200,0,0 +\| balances/);
    expect(report).not.toContain('DOES NOT BALANCE');
  } finally {
    await rm(results, { recursive: true, force: true });
  }
});
