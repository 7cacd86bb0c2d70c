// Which parameters a script reads: all that it names, and whether there may be others.

import { expect, test } from 'vitest';
import { usedParameters } from '../src/used-parameters.ts';

test.each([
  ['return parameters.limit > 1', ['limit']],
  ["return parameters['limit'] > 1", ['limit']],
  ['return parameters?.limit > 1 || parameters?.["other"]', ['limit', 'other']],
  ['const { limit, other: mine = parameters.third } = parameters; return mine', ['limit', 'other', 'third']],
  ['let a; ({ a } = parameters); return a', ['a']],
  ['return svcObject.parameters.x === 1', []],
  ['const o = { parameters: 1 }; return o.parameters === 1', []],
  ['return [1].some((n) => n > parameters.limit)', ['limit']],
  ['return parameters[1]', ['1']],
  ['return true // parameters.no', []],
])('%s reads what it names', (body, names) => {
  expect(usedParameters(body)).toEqual({ names, isOpen: false });
});

test.each([
  'return parameters[svcObject.name]',
  'return f(parameters)',
  'const all = parameters; return all.x',
  'const { a, ...rest } = parameters; return rest.b',
  'const { [svcObject.name]: a } = parameters; return a',
  'const [a] = parameters; return a',
  'return { parameters }',
  'return (function (parameters) { return parameters })(svcObject)',
  'function parameters() {} return parameters()',
  'return Object.keys(parameters).length > 0',
  'return arguments[3].x',
  'return String(parameters)',
  'parameters = 1; return true',
  'class A { [parameters] = 1 } return true',
  'this does not parse',
])('%s may read any', (body) => {
  expect(usedParameters(body).isOpen).toBe(true);
});

test('a name stays known if others are not', () => {
  expect(usedParameters('return parameters.limit > parameters[svcObject.x]')).toEqual({
    names: ['limit'],
    isOpen: true,
  });
});
