// What is remembered of very many things is bounded: the one that was not asked for the longest goes first.

import { expect, test } from 'vitest';
import { recent } from '../src/recent.ts';
import { heapUsed } from './support/heap-used.ts';

test('holds as many as it may, and forgets the one that was not asked for the longest', () => {
  const remembered = recent<string, number>(3);
  for (const [n, name] of ['a', 'b', 'c'].entries()) remembered.set(name, n);
  remembered.get('a');
  remembered.set('d', 3);
  expect([...remembered.keys()].sort()).toEqual(['a', 'c', 'd']);
});

test('stays bounded however many come', () => {
  const remembered = recent<number, true>(1_000);
  for (let n = 0; n < 100_000; n += 1) remembered.set(n, true);
  expect(remembered.size).toBe(1_000);
  expect(remembered.has(99_999)).toBe(true);
  expect(remembered.has(98_999)).toBe(false);
});

test('takes no room for what is not there', () => {
  const before = heapUsed();
  const empty = Array.from({ length: 50 }, () => recent<string, number>(20_000));
  // Room for all of them would be 16 MB.
  expect((heapUsed() - before) / 1_000_000).toBeLessThan(4);
  expect(empty.every(({ size }) => size === 0)).toBe(true);
});

test('what is set again counts once', () => {
  const remembered = recent<string, number>(2);
  for (let n = 0; n < 10; n += 1) remembered.set('same', n);
  remembered.set('other', 1);
  expect(remembered.get('same')).toBe(9);
  expect(remembered.size).toBe(2);
});
