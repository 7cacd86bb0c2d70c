// The keys that this process has claimed and not yet recorded. The claim of such a key does not count as lost.

import { expect, test } from 'vitest';
import { ClaimedKeys } from '../../src/deliver/lanes/claimed-keys.ts';

test('a key that is claimed again before its recording is confirmed stays claimed until it is recorded again', () => {
  const claimedKeys = new ClaimedKeys();
  claimedKeys.add([1, 2]);
  claimedKeys.add([1]);
  claimedKeys.drop([1, 2]);
  expect([claimedKeys.has(1), claimedKeys.has(2)]).toEqual([true, false]);
  claimedKeys.drop([1]);
  expect(claimedKeys.has(1)).toBe(false);
});

test('dropping a key that was not claimed does not affect a later claim', () => {
  const claimedKeys = new ClaimedKeys();
  claimedKeys.drop([1]);
  claimedKeys.add([1]);
  expect(claimedKeys.has(1)).toBe(true);
});
