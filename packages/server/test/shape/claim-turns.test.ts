// Which matches are claimed for the slow thread: a few of each user, and the users take turns.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Statement } from '../../src/database/database.ts';
import { MatchClaims, type Track } from '../../src/shape/claim-matches.ts';
import { LaneHealths } from '../../src/shape/lane-health.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const inTime = { isOverTime: false, tookMs: 1 };
const timeout = { isOverTime: true, tookMs: 500 };

/** Lane 1 belongs to the first user, lane 2 to the second … Without a database: `next` returns the claimed lanes. */
function claimsOf(users: readonly number[], track: Track, healths = new LaneHealths()) {
  const lanes = users.map((user, n) => ({ lane: n + 1, user_key: user }));
  let claimed: number[] = [];
  const run = async ({ text, values }: Statement) => {
    if (text.startsWith('with recursive')) return lanes.filter(({ lane }) => lane > Number(values![0]));
    claimed = String(values![0]).slice(1, -1).split(',').map(Number);
    return claimed.map((key) => ({ key }));
  };
  const claims = new MatchClaims({ database: { run } as never, healths, track, modelDigest: '' });
  const next = async () => {
    claimed = [];
    const { isMore } = await claims.next();
    return { lanes: claimed, users: new Set(claimed.map((lane) => users[lane - 1])), isMore };
  };
  return { next, healths };
}

test('fast and failing lanes are claimed together, slow ones separately, and paused ones wait', async () => {
  const [fast, failing, paused, slow] = [1, 2, 3, 4];
  const users = [1, 1, 1, 1];
  const { next, healths } = claimsOf(users, 'fast');
  for (const pauseMs of [1_001, 5_001, 0]) {
    healths.note(failing, timeout);
    vi.advanceTimersByTime(pauseMs);
  }
  healths.note(paused, timeout);
  healths.note(fast, inTime);
  expect(await next()).toMatchObject({ lanes: [fast, failing], isMore: true });
  expect(await claimsOf(users, 'slow', healths).next()).toMatchObject({ lanes: [slow], isMore: true });
});

test('if all lanes are paused, nothing is claimed', async () => {
  const { next, healths } = claimsOf([1, 1], 'slow');
  for (const lane of [1, 2]) healths.note(lane, timeout);
  expect(await next()).toMatchObject({ lanes: [], isMore: false });
});

test('a claim has at most forty lanes of one user, and those of every other user', async () => {
  const { next } = claimsOf([...Array(500).fill(1), 2], 'slow');
  const { lanes, users } = await next();
  expect(users).toEqual(new Set([1, 2]));
  expect(lanes).toHaveLength(41);
});

test('very many users take turns', async () => {
  const { next } = claimsOf(
    Array.from({ length: 25 }, (_, n) => n),
    'slow',
  );
  const served = [await next(), await next(), await next()].map(({ users }) => [...users]);
  expect(new Set(served.flat())).toHaveProperty('size', 25);
});

test('of one user, the lanes whose last run is longest ago come first', async () => {
  const { next, healths } = claimsOf(Array(41).fill(1), 'slow');
  healths.note(1, { isOverTime: false, tookMs: 900 });
  const { lanes } = await next();
  expect(lanes).toHaveLength(40);
  expect(lanes).not.toContain(1);
});
