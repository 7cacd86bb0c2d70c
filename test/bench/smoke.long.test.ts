// A smoke run of the REST benchmark: everything runs, but nothing is measured.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCompiled } from '../../packages/server/test/support/run-compiled.ts';

test('the REST benchmark writes a report whose ledger balances', { timeout: 300_000 }, async () => {
  const results = await mkdtemp(join(tmpdir(), 'flaghoist-bench-results-'));
  try {
    const { code, stdout, stderr } = await runCompiled('bench/main.js', ['rest', '--quick', '--results', results]);
    expect(code, stderr).toBe(0);
    const report = await readFile(join(results, 'rest-quick.md'), 'utf8');
    expect(stdout).toContain(report);
    for (const heading of [
      'Verdicts',
      'Throughput',
      'What a PUT is spent on',
      'What a change pays for its number and its snapshot',
      'The first page at',
      'Ledger',
      'Machine',
    ])
      expect(report).toContain(`## ${heading}`);
    for (const contender of ['ours', 'peer'])
      expect(report).toMatch(new RegExp(`PUT, ${contender}: an event for every acknowledged change +\\| [1-9]`));
    for (const change of ['PUT over REST', 'UPDATE by SQL, 1 connection', 'UPDATE by SQL, 4 connections'])
      for (const trigger of ['queued at COMMIT', 'plain trigger'])
        expect(report).toMatch(new RegExp(`${change}, ${trigger}: an event in the queue for every .* +\\| [1-9]`));
    expect(report).not.toContain('DOES NOT BALANCE');
  } finally {
    await rm(results, { recursive: true, force: true });
  }
});
