// When a notification is tried again, and what an attempt comes to.

import { describe, expect, test } from 'vitest';
import type { SendResult } from '../../src/channels/send-result.ts';
import { judgeAttempt } from '../../src/deliver/outcomes/outcome.ts';
import { type FailedAttempt, nextDelayMs, type RetrySchedule } from '../../src/deliver/outcomes/retry-schedule.ts';
import type { ReadyNotification } from '../../src/deliver/queue/ready-notification.ts';

/** The defaults. */
const schedule: RetrySchedule = { attemptsMax: 5, intervalMs: 60_000 };

function failed(more: Partial<FailedAttempt>): FailedAttempt {
  return { attempts: 1, durationMs: 0, retryAfterMs: undefined, ...more };
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
    expect(nextDelayMs({ attemptsMax: 1, intervalMs: 1_000 }, failed({ retryAfterMs: 5_000 }))).toBeUndefined();
  });
});

describe('an attempt', () => {
  const tried = (attempts: number) => ({ key: 7, attempts }) as ReadyNotification;
  const refused: SendResult & { kind: 'failed' } = {
    kind: 'failed',
    reason: 'The receiver answered 503.',
    statusCode: 503,
    answer: null,
    retryAfterMs: undefined,
  };
  const judge = (attempts: number, result: SendResult) =>
    judgeAttempt(tried(attempts), { startedAt: new Date(0), durationMs: 5, result }, schedule);

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

  test.each([0, 4, 9])('that fails for a reason of ours is none, and never the last: %d before', (attempts) => {
    expect(judge(attempts, { kind: 'ownFault', reason: 'The mail server is away.' })).toMatchObject({
      kind: 'postponed',
      delayMs: 60_000,
    });
  });
});
