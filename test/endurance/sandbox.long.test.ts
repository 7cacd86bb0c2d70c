// A short run of the sandbox endurance. Its balance can fail: each kind of loss, caused on purpose, is found.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Finding } from '../../endurance/finding.ts';
import { footprintOf, judgeAccounts, judgeFootprint, judgeReceived } from '../../endurance/sandbox/sandbox-books.ts';
import { runCompiled } from '../../packages/server/test/support/run-compiled.ts';

test('hostile scripts and stylesheets cause no lost and no duplicate notification', { timeout: 300_000 }, async () => {
  const results = await mkdtemp(join(tmpdir(), 'flaghoist-endurance-results-'));
  try {
    const args = ['sandbox', '--minutes', '0.4', '--results', results];
    const { code, stdout, stderr } = await runCompiled('endurance/main.js', args);
    expect(code, `${stdout}${stderr}`).toBe(0);
    const report = await readFile(join(results, 'sandbox.md'), 'utf8');
    expect(stdout).toContain(report);
    expect(report).toContain('**None lost, none twice**: 240 changes');
    expect(report).toMatch(/\| a loop +\| 3 +\| 0 +\| 0 +\| 3 +\|/);
    expect(report).toMatch(/\| templates without end +\| 2 +\| 0 +\| 0 +\| 0 +\| 2 +\|/);
  } finally {
    await rm(results, { recursive: true, force: true });
  }
});

const account = {
  subscription: 7,
  due: 5,
  delivered: 5,
  failed: 0,
  suppressed: 0,
  scriptFailed: 0,
  other: 0,
  missing: 0,
  double: 0,
};
const good = { key: 7, kind: 'no script', fate: 'delivered', isHostile: false } as const;
const bad = { key: 7, kind: 'a loop', fate: 'script failed', isHostile: true } as const;

test.each<[string, object, object, Finding['kind'][]]>([
  ['all delivered', good, {}, []],
  ['one came to nothing', good, { delivered: 4, missing: 1 }, ['notification missing']],
  ['one came to two things', good, { double: 1 }, ['notification twice']],
  ['one of a good script was held back as failed', good, { delivered: 4, scriptFailed: 1 }, ['harmed by another']],
  ['one is neither delivered nor failed', good, { delivered: 4, other: 1 }, ['harmed by another']],
  ['all of a hostile one are held back', bad, { delivered: 0, scriptFailed: 5 }, []],
  ['one of a hostile one was delivered', bad, { delivered: 1, scriptFailed: 4 }, ['hostile one let through']],
])('the balance of a subscription: %s', (_, subscription, changed, kinds) => {
  const findings = judgeAccounts([subscription as typeof good], [{ ...account, ...changed }]);
  expect(findings.map(({ kind }) => kind)).toEqual(kinds);
});

test('a subscription without results is found', () => {
  expect(judgeAccounts([good], []).map(({ kind }) => kind)).toEqual(['lost change']);
});

test.each<[string, string[], Finding['kind'][]]>([
  ['each once', ['1-7', '2-7'], []],
  ['one again', ['1-7', '2-7', '2-7'], ['notification twice']],
  ['one never', ['1-7'], ['delivered to nobody']],
  ['one that is not recorded', ['1-7', '2-7', '3-7'], ['wrong attempts']],
])('what was received: %s', (_, ids, kinds) => {
  expect(judgeReceived(ids, 2).map(({ kind }) => kind)).toEqual(kinds);
});

test('memory is compared after the warm-up, and the peak of threads is reported', () => {
  const memory = [90, 400, 200, 200, 210, 200, 200, 190, 210, 210];
  const samples = memory.map((memoryMb, n) => ({ memoryMb, threads: n === 4 ? 19 : 17 }));
  expect(footprintOf(samples, 11, 17)).toEqual({
    firstMb: 200,
    lastMb: 210,
    maxMb: 400,
    threadsIdle: 11,
    threadsMax: 19,
    threadsEnd: 17,
  });
});

const calm = { firstMb: 200, lastMb: 210, maxMb: 400, threadsIdle: 11, threadsMax: 19, threadsEnd: 17 };

test.each<[string, object, Finding['kind'][]]>([
  ['all is well', {}, []],
  ['memory grows', { lastMb: 240 }, ['too much memory']],
  ['threads pile up', { threadsMax: 40 }, ['too many threads']],
  ['threads are left', { threadsEnd: 25 }, ['too many threads']],
])('the worker: %s', (_, changed, kinds) => {
  expect(judgeFootprint({ ...calm, ...changed }, true).map(({ kind }) => kind)).toEqual(kinds);
});

test('in a short run, memory growth is not a finding', () => {
  expect(judgeFootprint({ ...calm, lastMb: 240 }, false)).toEqual([]);
});
