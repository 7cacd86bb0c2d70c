// When a mail or an alert that could not be sent is sent again.

import { expect, test } from 'vitest';
import { failed } from '../../src/channels/send-result.ts';
import { backoffMs } from '../../src/deliver/mail/backoff.ts';

const refused = failed('No.');

test('the delay doubles from 15 seconds to an hour, however many failures there were', () => {
  const delays = [0, 1, 2, 7, 8, 5_000].map((failures) => backoffMs(refused, failures));
  expect(delays).toEqual([15_000, 30_000, 60_000, 1_920_000, 3_600_000, 3_600_000]);
  expect(backoffMs({ kind: 'ownFault', reason: 'No network.' }, 1)).toBe(30_000);
});

test('Retry-After lengthens it, up to an hour, and never shortens it', () => {
  const asked = (retryAfterMs: number) => backoffMs({ ...refused, retryAfterMs }, 1);
  expect([1_000, 45_000, 7_200_000].map(asked)).toEqual([30_000, 45_000, 3_600_000]);
});
