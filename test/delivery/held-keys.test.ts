// What this process has claimed and not yet recorded: as long as a key is held, its claim is not taken for a lost one.

import { expect, test } from 'vitest';
import { HeldKeys } from '../../src/delivery/lanes/held-keys.ts';

test('a key that was claimed again before its recording was answered is held until it is recorded again', () => {
  const held = new HeldKeys();
  held.add([1, 2]);
  held.add([1]);
  held.drop([1, 2]);
  expect([held.has(1), held.has(2)]).toEqual([true, false]);
  held.drop([1]);
  expect(held.has(1)).toBe(false);
});

test('a key that is dropped without having been claimed is not owed: claimed later, it is held', () => {
  const held = new HeldKeys();
  held.drop([1]);
  held.add([1]);
  expect(held.has(1)).toBe(true);
});
