// A short run of schemathesis. Its judgement can fail: an answer that is no known exception is a finding.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCompiled } from '../../packages/server/test/support/run-compiled.ts';
import { pythonTools } from '../tools/install-tools.ts';
import { withTools } from '../tools/with-tools.ts';

const paths = '^/(oauth/token|health|ws/rest/(Currency|ResendJob))';

test('requests that schemathesis makes from the description are answered as it says', {
  timeout: 1_800_000,
}, async (context) => {
  await withTools(context, ['python'], () => pythonTools('schemathesis'));
  const results = await mkdtemp(join(tmpdir(), 'flaghoist-endurance-results-'));
  try {
    const args = ['schemathesis', '--examples', '5', '--seed', '1', '--paths', paths, '--results', results];
    const { code, stdout, stderr } = await runCompiled('endurance/main.js', args);
    expect(code, `${stdout}${stderr}`).toBe(0);
    const report = await readFile(join(results, 'schemathesis.md'), 'utf8');
    expect(stdout).toContain(report);
    for (const phase of ['examples', 'coverage', 'fuzzing', 'stateful']) expect(report).toContain(`| ${phase} `);
  } finally {
    await rm(results, { recursive: true, force: true });
  }
});
