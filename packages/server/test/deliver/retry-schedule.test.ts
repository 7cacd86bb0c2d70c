// When a notification is tried again, and what an attempt comes to.

import { describe, expect, test } from 'vitest';
import type { SendResult } from '../../src/channels/send-result.ts';
import { judgeAttempt, type Retry, retryTimes } from '../../src/deliver/outcomes/outcome.ts';
import { type FailedAttempt, nextDelayMs } from '../../src/deliver/outcomes/retry-schedule.ts';
import type { ReadyNotification } from '../../src/deliver/queue/ready-notification.ts';
import { scheduleOf, spanAfter } from '../../src/subscriptions/channel/retry-policy.ts';

/** The defaults. */
const settings = {
  ...{ deliveryAttempts: 5, deliveryIntervalMs: 60_000 },
  ...{ bodyRetentionDays: 30, notificationRetentionDays: 90 },
};
const schedule = scheduleOf(null, settings);

function failed(more: Partial<FailedAttempt>): FailedAttempt {
  return { attempts: 1, durationMs: 0, retryAfterMs: undefined, leftMs: Number.POSITIVE_INFINITY, ...more };
}

describe('the wait before the next attempt', () => {
  test.each([1, 2, 3, 4])('after %d of five attempts it is one interval', (attempts) => {
    expect(nextDelayMs(schedule, failed({ attempts }))).toBe(60_000);
  });

  test.each([5, 6, 100])('after %d there is no other, whatever the receiver asks for', (attempts) => {
    expect(nextDelayMs(schedule, failed({ attempts }))).toBeUndefined();
    expect(nextDelayMs(schedule, failed({ attempts, retryAfterMs: 120_000 }))).toBeUndefined();
  });

  test.each([
    ['nothing', 0, 60_000],
    ['less than an interval', 59_999, 60_000],
    ['more than an interval', 61_000, 61_000],
    ['ten intervals', 600_000, 600_000],
    ['more than ten intervals', 600_001, 600_000],
    ['a year', 31_536_000_000, 600_000],
    ['longer than a number can say', Number.POSITIVE_INFINITY, 600_000],
  ])('Retry-After of %s', (_, retryAfterMs, delayMs) => {
    expect(nextDelayMs(schedule, failed({ retryAfterMs }))).toBe(delayMs);
  });

  test.each([
    ['10 s of waiting for a receiver that hangs', 10_000, 50_000],
    ['as long as the interval', 60_000, 0],
    ['longer than the interval', 90_000, 0],
  ])('is counted from start to start, so an attempt shortens it: %s', (_, durationMs, delayMs) => {
    expect(nextDelayMs(schedule, failed({ durationMs }))).toBe(delayMs);
  });

  test('Retry-After counts from the response', () => {
    expect(nextDelayMs(schedule, failed({ durationMs: 5_000, retryAfterMs: 58_000 }))).toBe(58_000);
  });

  test('with one attempt only, there is never another', () => {
    expect(nextDelayMs({ ...schedule, attemptsMax: 1 }, failed({ retryAfterMs: 5_000 }))).toBeUndefined();
  });
});

describe('with a retry policy', () => {
  const doubling = scheduleOf(
    { attempts: 8, intervalSeconds: 10, backoff: 'EXPONENTIAL', maxIntervalSeconds: 100 },
    settings,
  );

  test('the interval doubles up to the longest one, with up to 20 % added', () => {
    const delays = (random: number) =>
      [1, 2, 3, 4, 5, 6, 7, 8].map((attempts) => nextDelayMs(doubling, failed({ attempts }), random));
    expect(delays(0)).toEqual([10_000, 20_000, 40_000, 80_000, 100_000, 100_000, 100_000, undefined]);
    expect(delays(1)).toEqual([12_000, 24_000, 48_000, 96_000, 120_000, 120_000, 120_000, undefined]);
    expect(spanAfter(doubling, 1)).toBe(450_000);
    expect(spanAfter(doubling, 8)).toBe(0);
  });

  test('jitter is drawn anew for each attempt', () => {
    const delays = new Set(Array.from({ length: 20 }, () => nextDelayMs(doubling, failed({}))));
    expect(delays.size).toBeGreaterThan(10);
    for (const delay of delays) expect(delay).toSatisfy((ms: number) => ms >= 10_000 && ms <= 12_000);
  });

  test('what it leaves out is as the service is set, and a fixed interval has no jitter', () => {
    const fixed = scheduleOf({ attempts: 3, backoff: 'FIXED', maxIntervalSeconds: 86_400 }, settings);
    expect([1, 2, 3].map((attempts) => nextDelayMs(fixed, failed({ attempts }), 1))).toEqual([
      60_000,
      60_000,
      undefined,
    ]);
    const long = scheduleOf({ intervalSeconds: 172_800, backoff: 'FIXED', maxIntervalSeconds: 86_400 }, settings);
    expect(nextDelayMs(long, failed({}), 1)).toBe(172_800_000);
  });

  test('Retry-After lengthens the current interval, up to ten times and to 30 days', () => {
    expect(nextDelayMs(doubling, failed({ attempts: 2, retryAfterMs: 150_000 }), 0)).toBe(150_000);
    expect(nextDelayMs(doubling, failed({ attempts: 2, retryAfterMs: 900_000 }), 0)).toBe(200_000);
    const days = scheduleOf({ intervalSeconds: 864_000, backoff: 'FIXED', maxIntervalSeconds: 86_400 }, settings);
    expect(nextDelayMs(days, failed({ retryAfterMs: 40 * 86_400_000 }))).toBe(30 * 86_400_000);
  });
});

describe('an attempt', () => {
  const tried = (attempts: number) => ({ key: 7, attempts, createdDate: '1970-01-01 00:00:00.5' }) as ReadyNotification;
  const refused: SendResult & { kind: 'failed' } = {
    kind: 'failed',
    reason: 'The receiver answered 503.',
    statusCode: 503,
    answer: null,
    retryAfterMs: undefined,
  };
  const judge = (attempts: number, result: SendResult, startedAt = new Date(0)) =>
    judgeAttempt(tried(attempts), { startedAt, durationMs: 5, endedAtMs: 0, result }, null, settings);

  test.each([0, 4, 9])('that arrives is delivered, however many there were before: %d', (attempts) => {
    expect(judge(attempts, { kind: 'delivered', statusCode: 200, answer: 'ok' }).kind).toBe('delivered');
  });

  test('that fails is followed by another, up to the fifth', () => {
    expect([0, 1, 2, 3, 4].map((before) => judge(before, refused).kind)).toEqual([
      'retry',
      'retry',
      'retry',
      'retry',
      'failure',
    ]);
    expect(judge(0, refused)).toMatchObject({ error: 'The receiver answered 503.', delayMs: 59_995 });
    expect(judge(4, refused)).toMatchObject({ error: 'The receiver answered 503.' });
  });

  test('waits as long as the receiver asks for', () => {
    expect(judge(0, { ...refused, retryAfterMs: 90_000 })).toMatchObject({ kind: 'retry', delayMs: 90_000 });
  });

  test.each([
    ['a day before', '1970-01-30T00:00:00Z', { kind: 'retry', delayMs: 600_000 }],
    ['15 minutes before', '1970-01-30T23:45:00Z', { kind: 'retry', delayMs: 300_495 }],
    ['5 minutes before', '1970-01-30T23:55:00Z', { kind: 'failure', error: 'The receiver answered 503.' }],
    ['after', '1970-02-10T00:00:00Z', { kind: 'failure', error: 'The receiver answered 503.' }],
  ])('that fails %s the body may be removed, with Retry-After', (_, startedAt, outcome) => {
    expect(judge(1, { ...refused, retryAfterMs: 86_400_000 }, new Date(startedAt))).toMatchObject(outcome);
  });

  test('is announced for no later time than the last one possible', () => {
    const policy = { attempts: 100, intervalSeconds: 3_600, backoff: 'FIXED', maxIntervalSeconds: 3_600 } as const;
    const attempt = { startedAt: new Date('1970-01-30T20:00:00Z'), durationMs: 5, endedAtMs: 0, result: refused };
    const outcome = judgeAttempt(tried(50), attempt, policy, settings);
    expect(retryTimes(outcome as Retry, policy, settings)).toEqual({
      nextAttempt: '1970-01-30T21:00:00.000Z',
      lastAttempt: '1970-01-30T23:50:00.500Z',
    });
  });

  test.each([0, 4, 9])('that fails for a reason of ours is none, and never the last: %d before', (attempts) => {
    expect(judge(attempts, { kind: 'ownFault', reason: 'The mail server is away.' })).toMatchObject({
      kind: 'postponed',
      delayMs: 60_000,
    });
  });
});
