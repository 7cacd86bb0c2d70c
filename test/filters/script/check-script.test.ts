// What is told about a script before it is saved.

import { expect, test } from 'vitest';
import { sandboxForTests } from './script-fixture.ts';

const sandbox = sandboxForTests();

test.each([
  'return true',
  '',
  '// only a comment',
  'const f = async () => { await 0 }; f(); return true',
  'for (const x of [1]) { class A { #p = x; static { } } } return svcObject?.a ?? false',
])('%j fits', async (body) => {
  expect(await sandbox.check(body)).toMatchObject({ kind: 'fits' });
});

test.each([
  ["import x from 'y'", 1, 1],
  ['\nexport const a = 1', 2, 1],
  ["const x = await import('y')", 1, 17],
  ["return import('y')", 1, 8],
  ['await 1', 1, 7],
  ['\n  using x = null;', 2, 9],
  ['let a = ;', 1, 9],
  ['if (true) {\n  return 1', 3, 2],
  ['with (svcObject) {}', 1, 1],
  ['const svcObject = 1', 1, 7],
  ['let a; let a;', 1, 12],
  ['return /(/', 1, 9],
  ['delete x', 1, 1],
  ['x = 010', 1, 5],
  ['}, function () {', 1, 1],
  ['}); (function () {', 1, 1],
  ['}\n{', 2, 1],
  ['#!shebang', 1, 2],
])('SCR-19: %j is refused at line %i, column %i', async (body, line, column) => {
  expect(await sandbox.check(body)).toEqual({ kind: 'mistaken', message: expect.any(String), line, column });
});

test.each([
  ['await 1', 'await can only be used in an async function.'],
  ['using x = 1', 'using is not known.'],
  ["import x from 'y'", 'A script is not a module: import and export cannot be used.'],
  ['let a = ;', 'Unexpected token.'],
])('SCR-19: %j is told in plain words', async (body, message) => {
  expect(await sandbox.check(body)).toMatchObject({ message });
});

test('a script is checked without being run', async () => {
  expect(await sandbox.check('for (;;);')).toMatchObject({ kind: 'fits' });
});

test.each([
  ['parentheses', '('.repeat(50_000)],
  ['arrays', `return ${'['.repeat(20_000)}${']'.repeat(20_000)}`],
  ['functions', '(()=>'.repeat(10_000)],
  ['templates', '`${'.repeat(10_000)],
  ['a pattern', `return /${'('.repeat(20_000)}${')'.repeat(20_000)}/`],
  ['length', 'x;'.repeat(140_000)],
])('a script that is monstrous by its %s is refused', async (_by, body) => {
  expect(await sandbox.check(body)).toMatchObject({ kind: 'mistaken' });
});
