// A short run of the rolling restarts.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCompiled } from '../../packages/server/test/support/run-compiled.ts';

test('a rolling restart of all processes fails no request and loses nothing', { timeout: 300_000 }, async () => {
  const results = await mkdtemp(join(tmpdir(), 'flaghoist-endurance-results-'));
  try {
    const plan = ['--restarts', '1', '--connections', '4', '--drain', '3'];
    const { code, stdout, stderr } = await runCompiled('endurance/main.js', [
      'restarts',
      ...plan,
      '--results',
      results,
    ]);
    expect(code, `${stdout}${stderr}`).toBe(0);
    const report = await readFile(join(results, 'restarts.md'), 'utf8');
    expect(report).toMatch(/\*\*No request failed, and nothing was lost\*\*: each process restarted 1 times, [1-9]/);
  } finally {
    await rm(results, { recursive: true, force: true });
  }
});
