// A short run of the throttle endurance. Its balance can fail: each kind of mistake, made on purpose, is found.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  balanceThrottle,
  type ThrottleArrival,
  type ThrottleLedger,
} from '../../endurance/throttle/throttle-ledger.ts';
import { runCompiled } from '../../packages/server/test/support/run-compiled.ts';

test('two processes keep the rate of each subscription, and nothing is missing', { timeout: 200_000 }, async () => {
  const results = await mkdtemp(join(tmpdir(), 'flaghoist-endurance-results-'));
  try {
    const plan = ['--subscriptions', '20', '--rate', '5', '--seconds', '20', '--results', results];
    const { code, stdout, stderr } = await runCompiled('endurance/main.js', ['throttle', ...plan]);
    expect(code, `${stdout}${stderr}`).toBe(0);
    const report = await readFile(join(results, 'throttle.md'), 'utf8');
    expect(report).toContain('**Each of 20 subscriptions was within 10 % of its rate, and nothing is missing.**');
  } finally {
    await rm(results, { recursive: true, force: true });
  }
});

describe('the balance', () => {
  const changedAt = Array.from({ length: 50 }, (_, change) => change * 100);
  const everyMs = (ms: number): ThrottleArrival[] =>
    changedAt.map((_, change) => ({ id: `${change}-1`, change, atMs: change * ms }));
  const others = everyMs(100);
  const balance = (throttled: ThrottleArrival[], more: Partial<ThrottleLedger> = {}) =>
    balanceThrottle({
      subscriptions: [
        { ratePerSecond: 5, arrivals: throttled },
        { ratePerSecond: null, arrivals: others },
      ],
      changedAt,
      measuredMs: 8_000,
      ...more,
    }).findings[0]?.kind;

  test.each<[string, string | undefined, ThrottleArrival[]]>([
    ['at the rate', undefined, everyMs(200)],
    ['too slow', 'wrong rate', everyMs(230)],
    ['too fast', 'wrong rate', everyMs(170)],
    ['at the rate, but in bursts', 'wrong rate', everyMs(200).map((each) => ({ ...each, atMs: burst(each.atMs) }))],
    ['one is missing', 'notification missing', everyMs(200).slice(0, -1)],
    ['one arrives twice', 'notification twice', [...everyMs(200), everyMs(200).at(-1)!]],
  ])('%s', (_, kind, throttled) => {
    expect(balance(throttled)).toBe(kind);
  });

  test('those without a rate had to wait', () => {
    const late = others.map((each) => ({ ...each, atMs: each.atMs + 4_000 }));
    expect(balance([], { subscriptions: [{ ratePerSecond: null, arrivals: late }] })).toBe('harmed by another');
  });
});

/** All of two seconds at once. */
function burst(atMs: number): number {
  return Math.floor(atMs / 2_000) * 2_000;
}
