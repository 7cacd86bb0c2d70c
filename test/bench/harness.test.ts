// The harness: its computations, the order of its measurements, and when it gives no verdict.

import { describe, expect, test } from 'vitest';
import { Ledger } from '../../bench/harness/ledger.ts';
import { timeByArea } from '../../bench/harness/profile-areas.ts';
import { isVoid, type Report, renderReport } from '../../bench/harness/report.ts';
import { measureInRounds } from '../../bench/harness/rounds.ts';
import { quantile, ratios, spreadOf } from '../../bench/harness/statistics.ts';
import { stolenShare } from '../../bench/harness/stolen-time.ts';
import { judge, renderVerdict } from '../../bench/harness/verdict.ts';

describe('rounds', () => {
  /** `stolen`: percent of the machine, in each measurement after the warm-up; then none. */
  async function measure(rounds: number, stolen: number[] = []) {
    const turns: string[] = [];
    const contender = (name: string) => ({
      name,
      measure: async (durationMs: number) => {
        turns.push(`${name}${durationMs}`);
        return turns.length;
      },
    });
    const times = [0, ...stolen].map((_, n) => stolen.slice(0, n).reduce((sum, each) => sum + each, 0));
    const readTimes = () => {
      const measured = Math.max(0, turns.length - 2);
      const soFar = times[measured] ?? times.at(-1)!;
      return { used: 100 * measured - soFar, stolen: soFar };
    };
    const plan = { rounds, durationMs: 5, warmUpMs: 1 };
    return { turns, measured: await measureInRounds([contender('a'), contender('b')], plan, readTimes) };
  }

  test('contenders take turns, each first in every other round, after one uncounted warm-up', async () => {
    const { turns, measured } = await measure(3);
    expect(turns).toEqual(['a1', 'b1', 'a5', 'b5', 'b5', 'a5', 'a5', 'b5']);
    expect(measured).toEqual(
      new Map([
        ['a', [3, 6, 7]],
        ['b', [4, 5, 8]],
      ]),
    );
  });

  test(
    'a round in which others took much of the machine from one of them is measured again in the same order, and ' +
      'does not count',
    async () => {
      const { turns, measured } = await measure(3, [0, 0, 1, 9, 0, 0]);
      expect(turns.slice(8)).toEqual(['b5', 'a5']);
      expect(measured.get('a')).toEqual([3, 10, 7]);
      expect(measured.get('b')).toEqual([4, 9, 8]);
    },
  );

  test('if the disturbance never stops, every round is measured twice, and the quieter one counts', async () => {
    const { turns, measured } = await measure(3, [9, 9, 5, 5, 9, 9, 30, 0, 4, 4, 9, 10]);
    expect(turns.slice(8)).toEqual(['a5', 'b5', 'b5', 'a5', 'a5', 'b5']);
    expect(measured.get('a')).toEqual([3, 12, 7]);
    expect(measured.get('b')).toEqual([4, 11, 8]);
  });

  test('two rounds, as in a smoke run, give no verdict: they are measured once', async () => {
    const { turns } = await measure(2, [9, 9, 9, 9]);
    expect(turns).toHaveLength(6);
  });

  test('a contender that warms up by itself has no warm-up round', async () => {
    const durations: number[] = [];
    const measure = async (durationMs: number) => durations.push(durationMs);
    await measureInRounds([{ name: 'a', measure }], { rounds: 2, durationMs: 5 });
    expect(durations).toEqual([5, 5]);
  });

  test('stolen time is a share of the wanted time, and zero if the system does not report it', () => {
    expect(stolenShare({ used: 100, stolen: 10 }, { used: 296, stolen: 14 })).toBe(0.02);
    expect(stolenShare({ used: 0, stolen: 0 }, { used: 0, stolen: 0 })).toBe(0);
  });
});

describe('statistics', () => {
  test('median and quartiles do not depend on the order, and one outlier does not move the median', () => {
    expect(spreadOf([5, 1, 3, 2, 400])).toMatchObject({ median: 3, lower: 2, upper: 5, min: 1, max: 400, count: 5 });
  });

  test('a quantile between two values is interpolated', () => {
    expect(quantile([10, 20], 0.5)).toBe(15);
    expect(quantile([10, 20, 30], 0.99)).toBeCloseTo(29.8);
    expect(quantile([], 0.5)).toBeNaN();
  });

  test('a ratio is computed per round, so a slow round of both does not count', () => {
    expect(ratios([90, 9, 80], [100, 10, 100]).median).toBeCloseTo(0.9);
  });
});

describe('verdicts', () => {
  test.each([
    ['atLeast', 0.91, true],
    ['atLeast', 0.8, true],
    ['atLeast', 0.79, false],
    ['atMost', 0.79, true],
    ['atMost', 0.81, false],
  ] as const)('a target of %s 0.80 and a measurement of %d', (kind, measured, isMet) => {
    expect(judge({ what: 'GET', kind, value: 0.8 }, measured).isMet).toBe(isMet);
  });

  test('a verdict reads as a sentence', () => {
    const target = { what: 'GET, of the peer', kind: 'atLeast', value: 0.8 } as const;
    expect(renderVerdict(judge(target, 0.912))).toBe('GET, of the peer: 0.91, target at least 0.80: met');
  });
});

describe('the ledger', () => {
  test('a report whose ledger does not balance gives no verdict', () => {
    const ledger = new Ledger();
    ledger.expect('events', 100, 100);
    expect(isVoid(reportWith(ledger))).toBe(false);
    expect(renderReport(reportWith(ledger))).toContain('GET: 0.90, target at least 0.80: met');
    ledger.expect('events', 100, 99);
    expect(isVoid(reportWith(ledger))).toBe(true);
    expect(renderReport(reportWith(ledger))).toContain('VOID');
    expect(renderReport(reportWith(ledger))).not.toContain('0.90');
  });
});

function reportWith(ledger: Ledger): Report {
  return {
    title: 'A benchmark',
    introduction: 'What and how.',
    verdicts: [judge({ what: 'GET', kind: 'atLeast', value: 0.8 }, 0.9)],
    ledger: ledger.entries,
    facts: {
      date: '2026-11-15 01:53 UTC',
      processor: 'a processor',
      cores: 2,
      memoryGb: '16.0',
      system: 'linux',
      node: 'v20',
      postgres: '18.4',
      loadBefore: '0.10',
      timesBefore: { used: 0, stolen: 0 },
    },
    sections: [],
  };
}

describe('profiles', () => {
  test('self time goes to the area of the file, native functions to their caller, idle time to none', () => {
    const frame = (id: number, functionName: string, url: string, children: number[] = []) => ({
      id,
      callFrame: { functionName, url },
      children,
    });
    const times = timeByArea({
      nodes: [
        frame(1, '(root)', '', [2, 3, 4, 5]),
        frame(2, '(idle)', ''),
        frame(3, '(garbage collector)', ''),
        frame(4, 'readObject', 'file:///x/packages/server/dist/objects/read-object.js', [6]),
        frame(5, 'parse', 'file:///x/node_modules/pg-protocol/dist/parser.js'),
        frame(6, 'stringify', ''),
      ],
      samples: [2, 3, 4, 6, 5, 5],
      timeDeltas: [1000, 10, 20, 30, 40, 50],
    });
    expect(Object.fromEntries(times)).toEqual({
      'garbage collection': 10,
      'ours: objects': 50,
      'pg (database driver)': 90,
    });
  });
});
