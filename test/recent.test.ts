// What is remembered of very many things is bounded: the one that was not asked for the longest goes first.

import { expect, test } from 'vitest';
import { Recent } from '../src/recent.ts';
import { heapUsed } from './support/heap-used.ts';

test('holds as many as it may, and forgets the one that was not asked for the longest', () => {
  const remembered = new Recent<string, number>(3);
  for (const [n, name] of ['a', 'b', 'c'].entries()) remembered.set(name, n);
  remembered.get('a');
  remembered.set('d', 3);
  expect(['a', 'b', 'c', 'd'].filter((name) => remembered.has(name))).toEqual(['a', 'c', 'd']);
});

test('stays bounded however many come', () => {
  const remembered = new Recent<number, true>(1_000);
  const sizes = new Set<number>();
  for (let n = 0; n < 100_000; n += 1) {
    remembered.set(n, true);
    if (n >= 1_000) sizes.add(remembered.size);
  }
  expect(Math.max(...sizes)).toBe(1_000);
  // It forgets one in a hundred at a time.
  expect(Math.min(...sizes)).toBe(991);
  expect(remembered.has(99_999)).toBe(true);
  expect(remembered.has(98_999)).toBe(false);
});

test('takes no room for what is not there', () => {
  const before = heapUsed();
  const empty = Array.from({ length: 50 }, () => new Recent<string, number>(20_000));
  // Room for all of them would be 16 MB.
  expect((heapUsed() - before) / 1_000_000).toBeLessThan(4);
  expect(empty.every(({ size }) => size === 0)).toBe(true);
});

test('what is set again counts once', () => {
  const remembered = new Recent<string, number>(2);
  for (let n = 0; n < 10; n += 1) remembered.set('same', n);
  remembered.set('other', 1);
  expect(remembered.get('same')).toBe(9);
  expect(remembered.size).toBe(2);
});
