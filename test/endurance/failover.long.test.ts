// Short runs of the failovers, with both hosts in DATABASE_URL and through PgBouncer.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hasPgbouncer } from '../../endurance/failover/pooler.ts';
import { runCompiled } from '../../packages/server/test/support/run-compiled.ts';

async function run(name: string, options: string[]): Promise<void> {
  const results = await mkdtemp(join(tmpdir(), 'flaghoist-endurance-results-'));
  try {
    const args = ['failover', '--rounds', '3', '--clients', '2', ...options, '--results', results];
    const { code, stdout, stderr } = await runCompiled('endurance/main.js', args);
    expect(code, `${stdout}${stderr}`).toBe(0);
    const report = await readFile(join(results, `${name}.md`), 'utf8');
    expect(report).toMatch(/\*\*Nothing that was answered was lost\*\*: 3 failovers, [1-9]/);
  } finally {
    await rm(results, { recursive: true, force: true });
  }
}

test('nothing that was answered is lost when the primary is killed', { timeout: 300_000 }, () => run('failover', []));

// Where CI installs it, it may not be missing.
const isMissing = !hasPgbouncer() && process.env.CI !== 'true';

test.skipIf(isMissing)('the same through PgBouncer (needs pgbouncer)', { timeout: 300_000 }, () =>
  run('failover-pgbouncer', ['--through-pgbouncer']),
);
