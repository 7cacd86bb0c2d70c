// The list of slow test files goes on naming files that exist.

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { slowFiles } from '../longest-first.ts';

test('every file that is to run first exists, and is named once', () => {
  const root = resolve(import.meta.dirname, '../..');
  expect(slowFiles.filter((file) => !existsSync(resolve(root, file)))).toEqual([]);
  expect(new Set(slowFiles).size).toBe(slowFiles.length);
});
