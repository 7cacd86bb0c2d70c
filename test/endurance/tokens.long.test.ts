// A short run of the token endurance.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCompiled } from '../../packages/server/test/support/run-compiled.ts';

test('a rotation of the signing key under load fails no request on either process', {
  timeout: 120_000,
}, async () => {
  const results = await mkdtemp(join(tmpdir(), 'flaghoist-endurance-results-'));
  try {
    const plan = ['--seconds', '16', '--rotations', '1', '--connections', '4', '--renew-every', '1'];
    const { code, stdout, stderr } = await runCompiled('endurance/main.js', ['tokens', ...plan, '--results', results]);
    expect(code, `${stdout}${stderr}`).toBe(0);
    const report = await readFile(join(results, 'tokens.md'), 'utf8');
    expect(stdout).toContain(report);
    expect(report).toContain('**No request was refused**: 1 rotations');
    // The previous key, and its replacement.
    expect(report).toMatch(/\| 1 +\| before +\| [1-9]/);
    expect(report).toMatch(/\| 2 +\| \d+\.\d +\| [1-9]/);
  } finally {
    await rm(results, { recursive: true, force: true });
  }
});
