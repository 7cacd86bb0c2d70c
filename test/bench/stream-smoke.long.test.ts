// A smoke run of the stream benchmark: everything runs, but nothing is measured.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCompiled } from '../../packages/server/test/support/run-compiled.ts';

test('the stream benchmark writes a report whose ledger balances', { timeout: 300_000 }, async () => {
  const results = await mkdtemp(join(tmpdir(), 'flaghoist-bench-results-'));
  try {
    const { code, stderr } = await runCompiled('bench/main.js', ['stream', '--quick', '--results', results]);
    expect(code, stderr).toBe(0);
    const report = await readFile(join(results, 'stream-quick.md'), 'utf8');
    expect(report).toMatch(/STREAM, 100\/s: .*\| 50,50,50,50,0,0 +\| 50,50,50,50,0,0 +\| balances/);
    expect(report).not.toContain('DOES NOT BALANCE');
  } finally {
    await rm(results, { recursive: true, force: true });
  }
});
