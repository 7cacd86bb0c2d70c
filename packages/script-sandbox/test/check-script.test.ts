// The mistakes that are reported when a script is saved.

import { expect, onTestFinished, test } from 'vitest';
import { openScriptSandbox } from '../src/script-sandbox.ts';
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
  ['using x = 1', 'using is not supported.'],
  ["import x from 'y'", 'A script is not a module: import and export cannot be used.'],
  ['let a = ;', 'Unexpected token.'],
])('SCR-19: %j gets a clear message', async (body, message) => {
  expect(await sandbox.check(body)).toMatchObject({ message });
});

test('a script is checked without being run', async () => {
  expect(await sandbox.check('for (;;);')).toMatchObject({ kind: 'fits' });
});

const times = (text: string, most = 260_000) => text.repeat(Math.floor(Math.min(20_000, most / text.length)));

test.each([
  ['parentheses', times('(')],
  ['arrays', `return ${times('[')}${times(']')}`],
  ['spread arrays', `return ${times('[...')}`],
  ['objects', `return ${times('{a:')}`],
  ['getters', `return ${times('{get a(){return ')}`],
  ['calls', `return ${times('f(')}`],
  ['calls of what was called', `return f${times('()')}`],
  ['members', `return a${times('.b')}`],
  ['arrow functions', times('(()=>')],
  ['async functions', times('(async()=>{')],
  ['parameters', times('(function(a=')],
  ['classes', times('class A{m(){')],
  ['superclasses', `return ${times('class extends ')}A{}`],
  ['fields', times('class A{a=')],
  ['static blocks', times('class A{static{')],
  ['templates', times('`${')],
  ['tagged templates', times('f`${')],
  ['blocks', times('{')],
  ['cases', times('switch(1){case 1:')],
  ['elses', `${times('if(a)b;else ')}c`],
  ['tries', times('try{')],
  ['sums', `return ${times('1+')}1`],
  ['powers', `return ${times('1**')}1`],
  ['conditions', `return ${times('a?b:')}c`],
  ['negations', `return ${times('!')}1`],
  ['assignments', `${times('a=')}1`],
  ['yields', `function*g(){${times('yield ')}1}`],
  ['awaits', `async function g(){${times('await ')}1}`],
  ['news', `${times('new ')}A`],
  ['array patterns', `let ${times('[')}`],
  ['object patterns', `let ${times('{a:')}`],
  ['comments of old', times('<!--\n')],
  ['ends of comments of old', times('\n-->')],
  ['groups of a pattern', `return /${times('(')}${times(')')}/`],
  ['lookaheads of a pattern', `return /${times('(?=')}${times(')')}/`],
  ['classes of a pattern', `return /${times('[')}a${times(']')}/v`],
])('a script that is monstrous by its %s is refused before the stack ends', async (_by, body) => {
  // Of what takes long to walk, a busy machine says that it cannot be compiled in time.
  const message = expect.stringMatching(/^The script (is nested too deeply|cannot be compiled)\.$/);
  expect(await sandbox.check(body)).toMatchObject({ kind: 'mistaken', message });
});

test(
  'so it is in a thread that has parsed nothing yet: there V8 would end the whole process, for want of room to ' +
    'compile a regular expression',
  async () => {
    const fresh = openScriptSandbox({ threads: 1 });
    onTestFinished(() => fresh.close());
    expect(await fresh.check(times('`${'))).toMatchObject({ message: 'The script is nested too deeply.' });
  },
);

test('a script that is too long is rejected', async () => {
  expect(await sandbox.check('x;'.repeat(140_000))).toMatchObject({ kind: 'mistaken' });
});

test.each([
  ['parentheses', `return ${'('.repeat(200)}1${')'.repeat(200)}`],
  ['a long sum', `return ${'1+'.repeat(800)}1`],
  ['functions', `return ${'(()=>'.repeat(150)}1${')()'.repeat(150)}`],
  ['else ifs', `${'if(svcObject.a)return true;else '.repeat(250)}return false`],
])('what a generator might write fits: %s', async (_by, body) => {
  expect(await sandbox.check(body)).toMatchObject({ kind: 'fits' });
});
