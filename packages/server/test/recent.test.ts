// What is remembered of very many things is bounded: the one that was not asked for the longest goes first.

import { expect, test } from 'vitest';
import { Recent } from '../src/recent.ts';
import { heapUsed } from './support/heap-used.ts';

test(
  'remembers the most recent ones, whether they were set or ' + 'asked for, and forgets what was not for the longest',
  () => {
    const remembered = new Recent<string, number>(2);
    for (const [n, name] of ['a', 'b', 'c'].entries()) remembered.set(name, n);
    expect([remembered.get('a'), remembered.size]).toEqual([0, 3]);
    remembered.set('d', 3);
    expect(['a', 'b', 'c', 'd'].filter((name) => remembered.peek(name) !== undefined)).toEqual(['a', 'c', 'd']);
    expect(['a', 'b', 'c', 'd'].map((name) => remembered.peek(name))).toEqual([0, undefined, 2, 3]);
  },
);

test('what is only looked at is not kept for it', () => {
  const remembered = new Recent<string, number>(2);
  for (const [n, name] of ['a', 'b', 'c'].entries()) remembered.set(name, n);
  remembered.peek('a');
  for (const name of ['d', 'e']) remembered.set(name, 5);
  expect(['a', 'b', 'c', 'd', 'e'].filter((name) => remembered.peek(name) !== undefined)).toEqual(['c', 'd', 'e']);
});

test('stays bounded however many come', () => {
  const remembered = new Recent<number, true>(500);
  const sizes = new Set<number>();
  for (let n = 0; n < 100_000; n += 1) {
    remembered.set(n, true);
    if (n >= 1_000) sizes.add(remembered.size);
  }
  expect(Math.max(...sizes)).toBe(1_000);
  expect(Math.min(...sizes)).toBe(501);
  expect([99_999, 99_500, 98_999].map((n) => remembered.peek(n))).toEqual([true, true, undefined]);
});

test('what is deleted is gone, however old it was', () => {
  const remembered = new Recent<string, number>(2);
  for (const [n, name] of ['a', 'b', 'c'].entries()) remembered.set(name, n);
  remembered.delete('a');
  remembered.delete('c');
  expect([remembered.get('a'), remembered.get('b'), remembered.get('c'), remembered.size]).toEqual([
    undefined,
    1,
    undefined,
    1,
  ]);
});

test('takes no room for what is not there', () => {
  const before = heapUsed();
  const empty = Array.from({ length: 50 }, () => new Recent<string, number>(10_000));
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
