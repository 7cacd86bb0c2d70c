// What this process has claimed and not yet recorded: as long as a key is claimedKeys, its claim is not taken for a lost one.

import { expect, test } from 'vitest';
import { ClaimedKeys } from '../../src/deliver/lanes/claimed-keys.ts';

test('a key that was claimed again before its recording was answered is claimedKeys until it is recorded again', () => {
  const claimedKeys = new ClaimedKeys();
  claimedKeys.add([1, 2]);
  claimedKeys.add([1]);
  claimedKeys.drop([1, 2]);
  expect([claimedKeys.has(1), claimedKeys.has(2)]).toEqual([true, false]);
  claimedKeys.drop([1]);
  expect(claimedKeys.has(1)).toBe(false);
});

test('a key that is dropped without having been claimed is not owed: claimed later, it is held', () => {
  const claimedKeys = new ClaimedKeys();
  claimedKeys.drop([1]);
  claimedKeys.add([1]);
  expect(claimedKeys.has(1)).toBe(true);
});
