// A short run of the write endurance.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCompiled } from '../../packages/server/test/support/run-compiled.ts';

/** Kills node, then the postmaster, then a session. */
const seedOfOneEach = '22';

test('kill -9 of node and of PostgreSQL under a write loop loses no acknowledged change', {
  timeout: 180_000,
}, async () => {
  const results = await mkdtemp(join(tmpdir(), 'flaghoist-endurance-results-'));
  try {
    const args = ['writes', '--kills', '3', '--check-every', '2', '--seed', seedOfOneEach, '--results', results];
    const { code, stdout, stderr } = await runCompiled('endurance/main.js', args);
    expect(code, `${stdout}${stderr}`).toBe(0);
    expect(stderr).toMatch(/seed \d+/);
    const report = await readFile(join(results, 'writes.md'), 'utf8');
    expect(stdout).toContain(report);
    expect(report).toContain('**Nothing was lost**: 3 kills');
    for (const victim of ['node', 'postmaster', 'session'])
      expect(report).toMatch(new RegExp(`\\| ${victim} +\\| 1 +\\|`));
    expect(report).toMatch(/\| all +\| [1-9]/);
  } finally {
    await rm(results, { recursive: true, force: true });
  }
});
