// The inputs of a script, and what it may return.

import { expect, test } from 'vitest';
import { openScriptSandbox } from '../src/script-sandbox.ts';
import { answered, callOf, runOne, sandboxForTests, valueIn } from './script-fixture.ts';

const sandbox = sandboxForTests();

test.each([
  ['return svcObject.speed > parameters.limit', true],
  ['return svcObject.name !== oldSvcObject.name', false],
  ["return user.login === 'ada'", true],
  ["return arguments[0].name === 'Aurora' && arguments[1].speed === 11", true],
  ["return s\\u0076cObject.name === 'Aurora'", true],
  ['return this === undefined', true],
  ["return svcObject.ports.some(({ code }) => code === 'SGSIN') // the end", true],
])('%s answers %s', async (body, isTrue) => {
  expect(await runOne(sandbox, body)).toEqual(answered(isTrue));
});

test('objects may be null', async () => {
  const call = { svcObject: 'null', oldSvcObject: 'null' };
  expect(await runOne(sandbox, 'return svcObject === null && oldSvcObject === null', call)).toEqual(answered(true));
});

test.each([
  ["message.subject = 'Late';", { subject: 'Late', body: undefined }],
  ["message.body = 'It is late.'; return true", { subject: undefined, body: { kind: 'text', text: 'It is late.' } }],
  ['message.body = { a: [1, null] };', { subject: undefined, body: { kind: 'json', text: '{"a":[1,null]}' } }],
  ['message.body = null;', { subject: undefined, body: { kind: 'json', text: 'null' } }],
  ["message.subject = ''; message.body = 0;", { subject: '', body: { kind: 'json', text: '0' } }],
  ['message.body = { toJSON: () => 7 };', { subject: undefined, body: { kind: 'json', text: '7' } }],
  ["message.body = '\\ud800\\u0000é';", { subject: undefined, body: { kind: 'text', text: '\ud800\u0000é' } }],
])('%s counts as true, with its message', async (body, message) => {
  expect(await runOne(sandbox, body)).toEqual({ ...answered(true), message });
});

test('a script that returns false has no message, whatever it set', async () => {
  expect(await runOne(sandbox, "message.subject = 'x'; return false")).toEqual(answered(false));
});

test.each([
  ['', 'it returned nothing'],
  ['return 1', 'it returned the number 1'],
  ["return 'x'", 'it returned the text "x"'],
  ['return null', 'it returned null'],
  ['return {}', 'it returned an object'],
  ['return 1n', 'it returned the bigint 1'],
  ['return Symbol("a")', 'it returned the symbol Symbol(a)'],
  ['return () => 1', 'it returned the function'],
  ['return (async () => true)()', 'it returned a Promise'],
  ['message.subject = "x"; return 1', 'it returned the number 1'],
  ['return new Proxy({}, { getPrototypeOf() { throw 1 } })', 'it returned an object'],
])('%s fails: neither true nor false', async (body, told) => {
  const result = await runOne(sandbox, body);
  expect(result).toMatchObject({ kind: 'failed', isOverTime: false });
  expect(result).toHaveProperty('message', expect.stringContaining('The script must return true or false'));
  expect(result).toHaveProperty('message', expect.stringContaining(told));
});

test.each([
  ['message.subject = 5', 'message.subject must be a text, not the number 5.'],
  ['message.subject = { toString: () => "x" }', 'message.subject must be a text, not an object.'],
  ['message.subject = "x".repeat(1001)', 'message.subject is longer than 1000 characters.'],
  ['message.body = () => 1', 'message.body must be a text or a JSON value, not the function.'],
  ['message.body = Symbol("s")', 'message.body must be a text or a JSON value, not the symbol Symbol(s).'],
  ['message.body = { toJSON() {} }', 'message.body must be a text or a JSON value, not an object.'],
  ['const a = []; a.push(a); message.body = a', expect.stringContaining('circular reference')],
  ['message.body = 1n', expect.stringContaining('message.body cannot be rendered as JSON')],
  ['message.body = { toJSON() { throw new Error("no") } }', expect.stringMatching(/line 1.*rendered as JSON: no/)],
  ['message.body = "x".repeat(1000001)', 'message.body is longer than 1 MB.'],
  ['message.body = "é".repeat(500001)', 'message.body is longer than 1 MB.'],
  ['message.other = 1', expect.stringContaining('not extensible')],
  ['Object.defineProperty(message, "body", { get: () => 1 })', expect.stringContaining('line 1')],
  ['message.__proto__ = { body: 1 }', expect.stringContaining('line 1')],
  ['Object.setPrototypeOf(message, null)', expect.stringContaining('line 1')],
])('%s fails: the message is checked', async (body, message) => {
  expect(await runOne(sandbox, body)).toMatchObject({ kind: 'failed', message, isOverTime: false });
});

test('a message of exactly 1 MB and a subject of 1,000 characters are fine', async () => {
  const result = await runOne(sandbox, 'message.subject = "s".repeat(1000); message.body = "x".repeat(1000000);');
  expect(result).toMatchObject({ kind: 'answered', isTrue: true });
});

test.each([
  ['svcObject.ports[0].nope()', 1],
  ['\n\n  svcObject.nope.x', 3],
  ['const f = () => {\n  throw new RangeError("mine");\n};\n\nf();', 2],
  ['\r\nundefinedName', 2],
  ['svcObject.name = 1', 1],
  ['delete parameters.limit', 1],
  ['svcObject.ports.push(1)', 1],
  ['\n\nJSON.parse("{")', 3],
  ['\nconst text = "{\\n\\n\\n\\n\\n\\n";\nJSON.parse(text)', 3],
  ['\n["{"].map(JSON.parse)', 2],
  ['class Same { constructor(o) { return o } }\nclass A extends Same { #p = 1 }\nnew A(user);\nnew A(user)', 2],
])('the failure of %j tells line %i of the script', async (body, line) => {
  const result = await runOne(sandbox, body);
  expect(result).toMatchObject({ kind: 'failed', isOverTime: false });
  expect(result).toHaveProperty('message', expect.stringMatching(new RegExp(`^Error in line ${line}, column \\d+: .`)));
});

test('a failure without any frame of the script has no line', async () => {
  expect(await runOne(sandbox, 'message.body = { toJSON: JSON.parse.bind(null, "{") }')).toMatchObject({
    message: expect.stringMatching(/^Error: message\.body cannot be rendered as JSON: Expected property name/),
  });
});

test('a function that is missing is named', async () => {
  expect(await runOne(sandbox, '\n  svcObject.foo(1)')).toMatchObject({
    message: expect.stringMatching(/^Error in line 2, column \d+: svcObject\.foo is not a function$/),
  });
});

test.each([
  ['const a = "éé😀"; nope', 1, 19],
  ['/* é */\u2028"é"; nope', 2, 6],
  ['nope', 1, 1],
])('columns of %j count what an editor counts', async (body, line, column) => {
  const message = `Error in line ${line}, column ${column}: nope is not defined`;
  expect(await runOne(sandbox, body)).toMatchObject({ message });
});

test('SCR-16: the clock stands still at the given time, in UTC', async () => {
  expect(await valueIn(sandbox, 'new Date().toISOString()')).toBe('2026-01-02T03:04:05.678Z');
  expect(await valueIn(sandbox, 'new Date().getTimezoneOffset() + new Date().getHours()')).toBe(3);
  const body =
    'const start = Date.now(); for (let i = 0; i < 1e5; i++); return Date.now() === start && new ' +
    'Date().getTime() === start';
  expect(await runOne(sandbox, body)).toEqual(answered(true));
});

test('SCR-16: chance is the same for the same seed, and another for another', async () => {
  const body = 'message.body = [Math.random(), Math.random()];';
  const [first, again, other] = await sandbox.run([
    callOf(body, { seed: 'a' }),
    callOf(body, { seed: 'a' }),
    callOf(body, { seed: 'b' }),
  ]);
  expect(again).toEqual(first);
  expect(other).not.toEqual(first);
  const [one, two] = (await valueIn(sandbox, '[Math.random(), Math.random()]')) as [number, number];
  expect(one).not.toBe(two);
  expect(Math.min(one, two)).toBeGreaterThanOrEqual(0);
  expect(Math.max(one, two)).toBeLessThan(1);
});

test('SCR-16: chance is the same in any thread, whatever ran there before', async () => {
  const call = callOf('message.body = Array.from({ length: 20 }, Math.random);', { seed: 'event 7-1' });
  const other = openScriptSandbox({ threads: 1 });
  const [[first], [, , elsewhere]] = await Promise.all([
    sandbox.run([call]),
    other.run([callOf('return Math.random() < 2'), callOf('(function f() { f() })()'), call]),
  ]);
  await other.close();
  expect(first).toHaveProperty('message.body.text', expect.stringMatching(/^\[0\.\d+(,0\.\d+){19}\]$/));
  expect(elsewhere).toMatchObject(first!);
});

test.each([
  'svcObject.name = 1',
  'svcObject.other = 1',
  'delete svcObject.name',
  'svcObject.ports[0].code = 1',
  'svcObject.ports.length = 0',
  'svcObject.ports.reverse()',
  'oldSvcObject.name = 1',
  'user.login = 1',
  'parameters.limit = 1',
  'Object.defineProperty(svcObject, "name", { value: 1 })',
])('%s is an error of the script: what it is given cannot be written to', async (write) => {
  const message = expect.stringMatching(
    /^Error(?: in line 1, column \d+)?: .*(?:read-only|not extensible|not configurable|could not delete)/,
  );
  expect(await runOne(sandbox, `${write}; return true`)).toMatchObject({ kind: 'failed', message, isOverTime: false });
  expect(await runOne(sandbox, 'return svcObject.name === "Aurora" && svcObject.ports.length === 2')).toEqual(
    answered(true),
  );
});

test('what is logged comes back: texts as they are, other values as JSON', async () => {
  const body = `console.log('a', 1, { b: [2] }, undefined, null, Symbol('s'), 3n);
    console.info(new TypeError('t')); console.warn([]); console.error(true); console.debug();
    return true`;
  const log = ['a 1 {"b":[2]} undefined null Symbol(s) 3', 'TypeError: t', '[]', 'true', ''];
  expect(await runOne(sandbox, body)).toEqual({ ...answered(true), log });
});

test('a failed call has its log too', async () => {
  expect(await runOne(sandbox, "console.log('before'); throw 1")).toMatchObject({ kind: 'failed', log: ['before'] });
  expect(await runOne(sandbox, "console.log('before'); for (;;);")).toMatchObject({
    isOverTime: true,
    log: ['before'],
  });
});

test('a log is cut at 100 lines of 1,000 characters, and says so', async () => {
  const { log } = await runOne(sandbox, "for (let i = 0; i < 5000; i++) console.log('x'.repeat(2000)); return true");
  expect(log).toHaveLength(100);
  expect(log[0]).toBe(`${'x'.repeat(999)}…`);
  expect(log.at(-1)).toBe('Further lines are left out.');
  expect((await runOne(sandbox, 'for (let i = 0; i < 100; i++) console.log(i); return true')).log.at(-1)).toBe('99');
});

test('values that resist being shown break nothing', async () => {
  const body = `
    console.log({ toJSON() { throw 1 } });
    console.log(Object.assign(() => {}, { toString() { throw 1 } }));
    console.log(new Proxy({}, { ownKeys() { throw 1 }, getPrototypeOf() { throw 1 } }));
    console.log(Object.assign(new Error(), { toString: () => ({}) }));
    console.log({ toJSON() { for (let i = 0; i < 300; i++) console.log('inner'); return 'shown' } });
    const loop = {}; loop.loop = loop; console.log(loop);
    return true`;
  const result = await runOne(sandbox, body);
  expect(result).toMatchObject({ kind: 'answered', isTrue: true });
  expect(result.log.slice(0, 4)).toEqual(Array(4).fill('(cannot be shown)'));
  expect(result.log).toHaveLength(100);
});

test('properties that everything inherits can be overridden where they are one’s own', async () => {
  const body = `
    class Mine extends Error { constructor() { super(); this.name = 'Mine'; this.message = 'own'; } }
    const counts = {};
    for (const word of ['constructor', 'toString', 'plain'])
      counts[word] = (Object.hasOwn(counts, word) ? counts[word] : 0) + 1;
    return String(new Mine()) === 'Mine: own' && JSON.stringify(counts) === '{"constructor":1,"toString":1,"plain":1}'`;
  expect(await runOne(sandbox, body)).toEqual(answered(true));
});

test.each([
  ['{"a":', 'parameters is not JSON'],
  ['', 'parameters is not JSON'],
  ['['.repeat(10_000) + ']'.repeat(10_000), 'nested too deeply'],
])('SCR-17: parameters that are no usable JSON (%#) fail that call alone', async (parameters, told) => {
  const results = await sandbox.run([
    callOf('return parameters !== 1', { parameters }),
    callOf('return parameters.limit === 10'),
  ]);
  expect(results[0]).toMatchObject({ kind: 'failed', message: expect.stringContaining(told) });
  expect(results[1]).toEqual(answered(true));
});

test('SCR-17: values are data, whatever stands in them', async () => {
  const parameters = JSON.stringify({ code: '"; return false; //', big: 'x'.repeat(1_000_000), fn: '() => 1' }).replace(
    '{',
    '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},',
  );
  const body = `return parameters.code === '"; return false; //' && parameters.big.length === 1000000
    && typeof parameters.fn === 'string' && ({}).polluted === undefined && parameters.polluted === undefined
    && Object.getPrototypeOf(parameters) === Object.prototype && Object.isFrozen(parameters.constructor.prototype)`;
  expect(await runOne(sandbox, body, { parameters })).toEqual(answered(true));
});

test.each(['1', '"text"', 'true', '[1]', 'null'])(
  'SCR-17: parameters of another type (%s) are what they are',
  async (parameters) => {
    expect(
      await runOne(sandbox, `return JSON.stringify(parameters) === ${JSON.stringify(parameters)}`, { parameters }),
    ).toEqual(answered(true));
  },
);
