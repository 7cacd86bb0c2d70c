// A smoke run of the sandbox benchmark: everything runs, but nothing is measured.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCompiled } from '../../packages/server/test/support/run-compiled.ts';

/** Without the third part, hostile neighbours, which takes long. `test/endurance/sandbox.long.test.ts` covers them. */
const parts = ['engines', 'backlog'];

test('the sandbox benchmark writes a report whose ledger balances', { timeout: 300_000 }, async () => {
  const results = await mkdtemp(join(tmpdir(), 'flaghoist-bench-results-'));
  try {
    const { code, stdout, stderr } = await runCompiled('bench/main.js', [
      'sandbox',
      ...parts,
      '--quick',
      '--results',
      results,
    ]);
    expect(code, `${stdout}${stderr}`).toBe(0);
    const report = await readFile(join(results, `sandbox-${parts.join('-')}-quick.md`), 'utf8');
    expect(stdout).toContain(report);
    for (const heading of ['Verdicts', 'Calls a second', 'Changes that 100 scripts hear of'])
      expect(report).toContain(`## ${heading}`);
    expect(report).toMatch(
      /a hundred scripts: events; pairs.*\| 20; 2000; 200; 1800 +\| 20; 2000; 200; 1800 +\| balances/,
    );
    expect(report).not.toContain('DOES NOT BALANCE');
  } finally {
    await rm(results, { recursive: true, force: true });
  }
});
