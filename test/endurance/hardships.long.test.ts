// A short run of one hardship. Its balance and its judgement can fail.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Finding } from '../../endurance/finding.ts';
import type { AnswerCount } from '../../endurance/hardships/answer-books.ts';
import type { Hardship } from '../../endurance/hardships/hardship.ts';
import { judgeBalance } from '../../endurance/hardships/hardship-balance.ts';
import { type HardshipFacts, judgeHardship } from '../../endurance/hardships/judge-hardship.ts';
import { parseLog } from '../../endurance/hardships/log-lines.ts';
import type { Change } from '../../endurance/writes/change-ledger.ts';
import { runCompiled } from '../../packages/server/test/support/run-compiled.ts';

test.skipIf(process.platform !== 'linux')(
  'a frozen database, and a stop and a start while it is frozen, lose no change and no notification',
  { timeout: 300_000 },
  async () => {
    const results = await mkdtemp(join(tmpdir(), 'flaghoist-endurance-results-'));
    onTestFinished(() => rm(results, { recursive: true, force: true }));
    const args = ['hardships', '--only', 'frozen-database', '--seconds', '6', '--results', results];
    const { code, stdout, stderr } = await runCompiled('endurance/main.js', args);
    expect(code, `${stdout}${stderr}`).toBe(0);
    const report = await readFile(join(results, 'hardships.md'), 'utf8');
    expect(report).toContain('**Nothing was lost** in 1 of 1 hardships.');
    expect(report).toMatch(/^\| frozen-database \| [1-9]/m);
    expect(report).toContain('Stopped while it lasted: exit code 0');
    expect(report).toMatch(/^\| hardship +\| warn \| database.unavailable \| 1 /m);
  },
);

describe('the balance', () => {
  const accepted: Change = { name: 'POST Vessel', marks: ['a'], removedKeys: [], outcome: 'acknowledged' };
  const refused: Change = { name: 'POST Vessel', marks: ['b'], removedKeys: [], outcome: 'refused' };
  const ids = (found: Record<string, string[]>) =>
    new Map(Object.entries(found).map(([mark, of]) => [mark, new Set(of)]));

  test.each<[string, { found?: string[]; received?: Record<string, string[]>; altered?: string[] }, Finding['kind'][]]>(
    [
      ['all is well', {}, []],
      ['an accepted change is not there', { found: [], received: {} }, ['lost change']],
      ['a refused change is there', { found: ['a', 'b'], received: { a: ['1'], b: ['2'] } }, ['refused change made']],
      ['a change was not notified', { received: {} }, ['notification missing']],
      ['a change was notified under two ids', { received: { a: ['1', '2'] } }, ['notification twice']],
      ['a change was notified that is not there', { received: { a: ['1'], c: ['2'] } }, ['notification too many']],
      ['a repeat had other bytes', { altered: ['1'] }, ['wrong body']],
    ],
  )('%s', (_, { found = ['a'], received = { a: ['1'] }, altered = [] }, kinds) => {
    const history = { marks: new Map(found.map((mark) => [mark, 1])), deletedKeys: new Set<number>() };
    const findings = judgeBalance([accepted, refused], history, { ids: ids(received), altered: new Set(altered) });
    expect(findings.map(({ kind }) => kind)).toEqual(kinds);
  });
});

describe('the judgement', () => {
  const hardship: Hardship = {
    name: 'test',
    meaning: 'Of a test.',
    allowed: [507],
    shows: [{ asker: 'write', status: 507 }],
    memoryMbMax: 512,
    prepare: () => ({ kind: 'skipped', reason: 'never run' }),
  };
  const shown: AnswerCount = { phase: 'hardship', asker: 'write', status: 507, count: 3, slowestMs: 20 };
  const well: HardshipFacts = {
    answers: [shown],
    log: [{ phase: 'hardship', counts: [{ level: 'warn', msg: 'database.unavailable', facts: '', count: 1 }] }],
    stop: { tookMs: 900, ending: 'exit code 0' },
    start: { state: 'ready', tookMs: 900, output: '' },
    peakMb: 200,
  };
  const lines = (level: string, count: number, msg = 'request.failed'): HardshipFacts['log'] => [
    { phase: 'hardship', counts: [{ level, msg, facts: '', count }] },
  ];

  test.each<[string, Partial<HardshipFacts>, Finding['kind'][]]>([
    ['all is well', {}, []],
    ['the hardship had no effect', { answers: [] }, ['nothing shown']],
    ['a status that is not expected', { answers: [shown, { ...shown, status: 500 }] }, ['wrong answer']],
    ['a request was lost', { answers: [shown, { ...shown, status: 'lost' }] }, ['wrong answer']],
    ['a request was lost at the stop', { answers: [shown, { ...shown, phase: 'stop and start', status: 'lost' }] }, []],
    ['an answer took too long', { answers: [{ ...shown, slowestMs: 10_001 }] }, ['too late']],
    ['a line for every request', { log: lines('warn', 11) }, ['too many log lines']],
    ['an outage that is logged twice', { log: lines('warn', 2, 'database.unavailable') }, ['too many log lines']],
    ['an outage without Retry-After', { answers: [shown, { ...shown, status: 'no Retry-After' }] }, ['wrong answer']],
    ['much that is worth knowing', { log: lines('info', 11) }, []],
    ['the stop took too long', { stop: { tookMs: 25_001, ending: 'exit code 0' } }, ['too late']],
    ['the stop failed', { stop: { tookMs: 900, ending: 'exit code 1' } }, ['service ended']],
    ['the start crashed', { start: { state: 'ended', tookMs: 900, output: 'TypeError: x' } }, ['service ended']],
    [
      'the start said why it cannot',
      { start: { state: 'ended', tookMs: 900, output: 'Flaghoist cannot start: the disk is full.' } },
      [],
    ],
    ['too much memory', { peakMb: 513 }, ['too much memory']],
  ])('%s', (_, changed, kinds) => {
    expect(judgeHardship(hardship, { ...well, ...changed }).map(({ kind }) => kind)).toEqual(kinds);
  });
});

test('a log is parsed up to its last complete line, without lines that are not JSON', () => {
  const line = '{"level":"warn","msg":"database.unavailable","problem":"away"}';
  expect(parseLog(`${line}\n  Flaghoist is ready.\n{"level":"in`)).toEqual([
    { level: 'warn', msg: 'database.unavailable', facts: 'problem=away' },
  ]);
});
