// Who is tried first on probation: users who have used little time there, however many lanes the others have.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LaneTrust } from '../../src/shape/lane-trust.ts';
import { OwnerDebts } from '../../src/shape/owner-debts.ts';
import { ProbationTurn } from '../../src/shape/probation-turn.ts';
import type { ShapingInputs } from '../../src/shape/shape-matches.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const draftOf = (lane: number, userKey: number) => ({ match: { subscriptionKey: lane, userKey } }) as ShapingInputs;
const first = { debtMsMax: 2_000, isAfterOthers: false };
const late = { debtMsMax: 10_000, isAfterOthers: true };

function turnWith(claimed: typeof first, trust = new LaneTrust()) {
  const debts = new OwnerDebts();
  return { trust, debts, turn: new ProbationTurn({ trust, debts, claimed }) };
}

test('what a user has used is forgotten by half every thirty seconds', () => {
  const debts = new OwnerDebts();
  for (let n = 0; n < 8; n += 1) debts.note(1, 1_000);
  expect(debts.of(1)).toBe(8_000);
  vi.advanceTimersByTime(60_000);
  expect(debts.of(1)).toBeCloseTo(2_000);
  expect(debts.of(2)).toBe(0);
});

test('who has used less goes first', () => {
  const { turn, debts } = turnWith(first);
  debts.note(1, 500);
  const lanes = turn
    .sharesOf([draftOf(10, 1), draftOf(11, 1), draftOf(12, 2)])
    .map(([one]) => one!.match.subscriptionKey);
  expect(lanes).toEqual([12, 10, 11]);
});

test('what is known to be quick goes before everything else, whatever its user has used', () => {
  const { turn, debts, trust } = turnWith(first);
  debts.note(1, 9_000);
  trust.note(11, { isOverTime: false, tookMs: 1 });
  const shares = turn.sharesOf([draftOf(10, 1), draftOf(12, 2), draftOf(11, 1)]);
  expect(shares.map(([one]) => one!.match.subscriptionKey)).toEqual([11, 12, 10]);
  expect(turn.choose(shares[0]!).now).toHaveLength(1);
  expect(turn.choose(shares[2]!).now).toHaveLength(0);
});

test('new ones with the same script are tried together, and those that are quick do not wait for them', () => {
  const { turn, trust } = turnWith(first);
  const plan = { script: { kind: 'script', version: 'one' } } as ShapingInputs['plan'];
  trust.note(11, { isOverTime: false, tookMs: 1 });
  const shares = turn.sharesOf([10, 11, 12].map((lane) => ({ ...draftOf(lane, 1), plan })));
  expect(shares.map((share) => share.map(({ match }) => match.subscriptionKey))).toEqual([[11], [10, 12]]);
});

test('a user who has used two seconds comes again later, and another with the same script does not', () => {
  const { turn, debts } = turnWith(first);
  const share = [draftOf(10, 1), draftOf(11, 2)];
  expect(turn.choose(share).later).toHaveLength(0);
  debts.note(1, 2_001);
  const { now, later } = turn.choose(share);
  expect([now, later].map((some) => some.map(({ match }) => match.userKey))).toEqual([[2], [1]]);
});

test('of those that took too long the last time, two are tried in one turn', () => {
  const { turn, trust } = turnWith(first);
  for (const lane of [1, 2, 3, 4]) trust.note(lane, { isOverTime: true, tookMs: 500 });
  vi.advanceTimersByTime(5_001);
  const tried = [1, 2, 3, 4].filter((lane) => turn.choose([draftOf(lane, lane)]).now.length > 0);
  expect(tried).toEqual([1, 2]);
});

test('what nothing is tried of is not put off, whoever it belongs to', () => {
  const { turn, trust, debts } = turnWith(first);
  for (let n = 0; n < 3; n += 1) trust.note(1, { isOverTime: true, tookMs: 1_000 });
  debts.note(1, 5_000);
  expect(turn.choose([draftOf(1, 1)]).now).toHaveLength(1);
});

test('the turn of those who have used much ends after half a second, and goes on there the next time', () => {
  const { turn } = turnWith(late);
  expect(turn.choose([draftOf(1, 1)]).now).toHaveLength(1);
  expect(turn.leftOffAfter).toBeUndefined();
  vi.advanceTimersByTime(501);
  expect(turn.choose([draftOf(2, 1)]).later).toHaveLength(1);
  expect(turn.leftOffAfter).toBe(1);
});
