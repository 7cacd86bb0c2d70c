// No script takes more time or memory than it may, whatever it does, and later scripts are not affected.

import { expect, test } from 'vitest';
import type { ScriptResult } from '../src/script-sandbox.ts';
import { answered, callOf, runOne, sandboxForTests } from './script-fixture.ts';

const sandbox = sandboxForTests();
/** A second is promised; the machine of the tests may be busy. */
const endsWithinMs = 4000;

const endless: Record<string, string> = {
  'SCR-08 while': 'while (1) {}',
  'SCR-08 for': 'for (;;);',
  'SCR-08 a generator': 'function* g() { for (;;) yield 1 } for (const x of g());',
  'SCR-08 a getter': 'const o = { get x() { for (;;); } }; return o.x',
  'SCR-08 a setter': 'const o = { set x(v) { for (;;); } }; o.x = 1',
  'SCR-08 a trap': 'return new Proxy({}, { get() { for (;;); } }).x',
  'SCR-08 a finally that goes on': 'for (;;) { try { for (;;); } finally { continue } }',
  'SCR-08 a catch that goes on': 'for (;;) { try { for (;;); } catch {} }',
  'SCR-08 an iterator':
    'const it = { [Symbol.iterator]: () => ({ next: () => ({ done: false }), return() { for (;;); } }) }; for ' +
    '(const x of it);',
  'SCR-08 spread': 'return [...{ [Symbol.iterator]: () => ({ next: () => ({ done: false }) }) }].length > 0',
  'SCR-08 toJSON of the body': 'message.body = { toJSON() { for (;;); } }',
  'SCR-08 toString of what is thrown': 'throw Object.assign(new Error(), { message: { toString() { for (;;); } } })',
  'SCR-08 toJSON of what is logged': 'console.log({ toJSON() { for (;;); } }); return true',
  'SCR-08 the prototype of what is returned': 'return new Proxy({}, { getPrototypeOf() { for (;;); } })',
  'SCR-08 async functions, each of which swallows the interruption': 'async function f() { for (;;); } for (;;) f()',
  'SCR-08 async generators': 'async function* g() { for (;;); } for (;;) g().next()',
  'SCR-13 a job that queues itself': '(async () => { for (;;) await 0 })(); return true',
  'SCR-13 then that calls itself': 'const f = () => Promise.resolve().then(f); f(); return true',
  'SCR-13 many of them':
    'const f = () => { Promise.resolve().then(f) }; for (let i = 0; i < 1000; i++) f(); return true',
  'SCR-13 a job that does not end': 'Promise.resolve().then(() => { for (;;); }); return true',
  'a pattern that backtracks': 'return /(a+)+$/.test("a".repeat(50) + "b")',
  'a pattern that backtracks on references':
    'return /^(.*?)(.*?)(.*?)(.*?)(.*?)(.*?)(.*?)\\1\\2\\3\\4x$/.test("ab".repeat(200))',
  'comparing in sort': '[1, 2].sort(() => { for (;;); })',
  'a long sort': 'const a = Array.from({ length: 300000 }, Math.random); for (;;) a.toSorted()',
  'a long join': 'const a = new Array(100000).fill("x"); for (;;) a.join("")',
  'looking for what is not there': 'const s = "a".repeat(1e6); for (;;) s.indexOf("a".repeat(5e5) + "b")',
  'a sparse array': 'const a = []; a[4294967294] = 1; return a.reduce((x) => x, 0)',
  'searching what is only said to be long': 'return Array.prototype.includes.call({ length: 2 ** 53 - 1 }, 1)',
  'joining what is only said to be long': 'return Array.prototype.lastIndexOf.call({ length: 2 ** 53 - 1 }, 1) > 0',
};

test.each(Object.entries(endless))('%s is ended in time', async (_what, body) => {
  await sandbox.run([callOf('return true')]);
  const start = performance.now();
  const [result, next] = await sandbox.run([callOf(body), callOf('return svcObject.name === "Aurora"')]);
  expect(result).toMatchObject({ kind: 'failed', message: 'The script took longer than allowed.', isOverTime: true });
  expect(next).toEqual(answered(true));
  expect(performance.now() - start).toBeLessThan(endsWithinMs);
});

const chains = Object.entries(endless).filter(([what]) => what.startsWith('SCR-13'));

test.each(chains)('%s has the same end each time, whether time or memory is short', async (_what, body) => {
  for (let n = 0; n < 5; n++)
    expect(await runOne(sandbox, `console.log('before'); ${body}`)).toEqual({
      kind: 'failed',
      message: 'The script took longer than allowed.',
      isOverTime: true,
      log: ['before'],
    });
});

test('a script may leave thousands of jobs that end', async () => {
  const body = '(async () => { for (let i = 0; i < 2000; i++) await 0; console.log("done") })(); return true';
  expect(await runOne(sandbox, body)).toEqual({ ...answered(true), log: ['done'] });
});

const greedy: Record<string, string> = {
  'the power of a big number': 'let n = 3n; for (;;) n = n * n',
  'the digits of a big number':
    'return (7n ** 400000n).toString().length > 0 && (7n ** 3000000n).toString().length > 0',
  'SCR-10 arrays': 'const a = []; while (1) a.push(new Array(1e5).fill(1))',
  'SCR-11 a text': 'return "x".repeat(2 ** 29).length > 0',
  'SCR-11 a text that doubles': 'let s = "xy"; for (;;) s += s',
  'SCR-11 a text that is padded': 'return "x".padEnd(2 ** 30 - 10, "abc").length > 0',
  'SCR-11 a text that is replaced': 'return "x".repeat(1e5).replace(/x/g, "y".repeat(1e5)).length > 0',
  'SCR-11 bytes': 'return new Uint8Array(2 ** 31 - 1).length > 0',
  'SCR-11 many bytes': 'const a = []; for (;;) a.push(new Uint8Array(1e6))',
  'SCR-11 bytes that may grow': 'return new ArrayBuffer(1, { maxByteLength: 2 ** 31 }).resize(2 ** 30)',
  'SCR-11 an array': 'const a = new Array(2 ** 32 - 1); a.fill(1)',
  'SCR-11 a big number': 'return 2n ** (2n ** 26n) > 0n',
  'SCR-11 a shifted number': 'return 1n << (1n << 40n)',
  'SCR-11 JSON that is nested': 'return JSON.parse("[".repeat(1e6) + "]".repeat(1e6)).length > 0',
  'SCR-11 a sort of many': 'return Array.from({ length: 5e6 }, (_, i) => -i).sort().length > 0',
  'SCR-11 JSON of what is shared': 'let a = []; for (let i = 0; i < 40; i++) a = [a, a]; message.body = a;',
  'filling what is only said to be long': 'Array.prototype.fill.call({ length: 2 ** 53 - 1 }, 1)',
  'a Map': 'const m = new Map(); for (let i = 0; ; i++) m.set(i, {})',
  symbols: 'const a = []; for (let i = 0; ; i++) a.push(Symbol.for("s" + i))',
  properties: 'const o = {}; for (let i = 0; ; i++) o["p" + i] = i',
  closures: 'let f = () => 1; for (;;) { const g = f; f = () => g; }',
  promises: 'for (;;) new Promise(() => {}).then(() => {}), Promise.resolve().then(() => {})',
  'a memory error that is caught':
    'const a = []; for (;;) try { for (;;) a.push("x".repeat(1e5) + a.length) } catch {}',
  generators: 'const a = []; for (;;) { const g = (function* () { yield 1 })(); g.next(); a.push(g) }',
  arguments: 'return Math.max(...new Array(5e6).fill(1)) > 0',
  'a call with many arguments': 'return Math.max.apply(null, { length: 1e9 }) > 0',
};

test.each(Object.entries(greedy))('%s gets no more memory than allowed', async (_what, body) => {
  const start = performance.now();
  const [result, next] = await sandbox.run([callOf(body), callOf('return new ArrayBuffer(5e6).byteLength === 5e6')]);
  expect(result).toMatchObject({ kind: 'failed' });
  expect(next).toEqual(answered(true));
  expect(performance.now() - start).toBeLessThan(endsWithinMs);
});

const deep: Record<string, string> = {
  'a function that calls itself': '(function f() { f() })()',
  'getters that call each other': 'const o = { get a() { return this.b }, get b() { return this.a } }; return o.a',
  'a toString that calls itself': 'const o = { toString() { return "" + this } }; return "" + o',
  'a toJSON that calls itself': 'const o = { toJSON() { return JSON.stringify(this) } }; return JSON.stringify(o)',
  'a Proxy that asks itself': 'const p = new Proxy({}, { get(t, k, r) { return r[k] } }); return p.x',
  'a chain of proxies': 'let p = {}; for (let i = 0; i < 1e5; i++) p = new Proxy(p, {}); return p.x === 1 || p',
  'a chain of bound functions': 'let f = () => 1; for (let i = 0; i < 1e5; i++) f = f.bind(null); return f()',
  'a chain of prototypes': 'let o = {}; for (let i = 0; i < 1e5; i++) o = Object.create(o); return o.x',
  'flattening what is nested': 'let a = []; for (let i = 0; i < 1e5; i++) a = [a]; return a.flat(Infinity).length',
  'JSON of what is nested': 'let a = []; for (let i = 0; i < 1e5; i++) a = [a]; message.body = a',
  'the text of what is nested': 'let a = []; for (let i = 0; i < 1e5; i++) a = [a]; return String(a)',
  'logging what is nested': 'let a = []; for (let i = 0; i < 1e5; i++) a = [a]; console.log(a)',
  'JSON that is nested 10,000 times': 'return JSON.parse("[".repeat(1e4) + "]".repeat(1e4))',
  'a pattern that is nested': 'return new RegExp("(".repeat(1e5) + ")".repeat(1e5)).test("")',
  'a reviver that is nested':
    'return JSON.parse("[".repeat(150) + "]".repeat(150), function f(k, v) { return JSON.parse("[[1]]", f) })',
  'generators that delegate': 'function* g(n) { yield* g(n + 1) } return g(0).next()',
  'async functions': 'async function f() { await f() } f()',
  'iterators within iterators':
    'let it = [1].values(); for (let i = 0; i < 1e5; i++) it = it.map((x) => x); return it.next()',
  'thenables within thenables':
    'let t = { then(ok) { ok(1) } }; const f = (n) => ({ then(ok) { ok(f(n + 1)) } }); Promise.resolve(f(0)); return 1',
  'a comparison that compares': '[1, 2].sort(function f() { [1, 2].sort(f); return 0 })',
  'a replacement that replaces': '"x".replace("x", function f() { return "x".replace("x", f) })',
  'errors that cause each other':
    'let e = new Error("x"); for (let i = 0; i < 1e5; i++) e = new Error("x", { cause: e }); throw e',
  'a constructor that constructs': 'class A { constructor() { new A() } } new A()',
};

test.each(Object.entries(deep))('%s ends as a failure, not as a crash', async (_what, body) => {
  const [result, next] = await sandbox.run([callOf(body), callOf('return svcObject.name === "Aurora"')]);
  expect(result).toMatchObject({ kind: 'failed' });
  expect(next).toEqual(answered(true));
});

test.each([
  ['throw undefined', 'The script threw undefined.'],
  ['throw null', 'The script threw null.'],
  ['throw {}', 'The script threw an object.'],
  ['throw "text"', 'The script threw the text "text".'],
  ['throw new Proxy({}, { getPrototypeOf() { throw 1 } })', 'The script threw something that cannot be shown.'],
  [
    'throw Object.create(Error.prototype, { message: { get() { throw 1 } } })',
    'The script threw something that cannot be shown.',
  ],
  ['throw Object.create(Error.prototype)', 'Error: Error'],
  ['try { return true } finally { throw new Error("last") }', 'Error in line 1, column 41: last'],
  ['throw new Error("x".repeat(1e6))', expect.stringMatching(/^Error in line 1, column \d+: x+…$/)],
])('SCR-14: %s is told, and costs nothing else', async (body, message) => {
  expect(await runOne(sandbox, body)).toEqual({ kind: 'failed', message, isOverTime: false, log: [] });
});

test.each([
  'Promise.reject(new Error("nobody cares")); return true',
  '(async () => { throw undefined })(); return true',
  'Promise.resolve().then(() => { throw new Proxy({}, {}) }); return true',
  'label: try { throw 1 } finally { break label } return true',
])('SCR-14: %s is no trouble', async (body) => {
  expect(await runOne(sandbox, body)).toEqual(answered(true));
});

test('an ordinary error does not cost the engine: thousands of them take no longer than successful calls', async () => {
  // A few at a time: of a script that has taken a second the rest is left out of a batch.
  for (let batch = 0; batch < 20; batch += 1) {
    const results = await sandbox.run(Array.from({ length: 100 }, () => callOf('throw new Error("x")')));
    expect(results.filter(({ kind }) => kind !== 'failed')).toEqual([]);
  }
});

test.each([
  ['runs forever', 'for (;;);'],
  ['cannot be interrupted', 'Array.prototype.includes.call({ length: 2 ** 53 - 1 }, 1)'],
  ['takes all memory', 'const a = []; for (;;) a.push(new Array(1e4).fill(1))'],
  ['takes all of the stack', '(function f() { f() })()'],
  ['does not compile', 'return ]'],
])('one call in a batch of 100 that %s leaves the other 99 answered', async (_what, body) => {
  const calls = Array.from({ length: 100 }, (_, n) => callOf(n === 50 ? body : 'return parameters.limit === 10'));
  const results = await sandbox.run(calls);
  expect(results.filter((result) => result.kind === 'failed')).toHaveLength(1);
  expect(results[50]).toMatchObject({ kind: 'failed' });
  expect(results.filter((_, n) => n !== 50)).toEqual(Array(99).fill(answered(true)));
});

test('what one script takes of memory little by little is not missing to another', async () => {
  const stamp = `class Base { constructor(o) { return o } } class Stamp extends Base { #p = new ArrayBuffer(900000) }
    new Stamp(Array.prototype); return true`;
  const calls = Array.from({ length: 60 }, (_, n) =>
    callOf(n % 2 ? 'return new ArrayBuffer(8e6).byteLength === 8e6' : stamp, { seed: `${n}` }),
  );
  // A few at a time: of a script that has taken a second the rest is left out of a batch.
  const results: ScriptResult[] = [];
  for (let n = 0; n < calls.length; n += 4) results.push(...(await sandbox.run(calls.slice(n, n + 4))));
  expect(results.filter((_, n) => n % 2)).toEqual(Array(30).fill(answered(true)));
});

test('more scripts than the cache holds still run', async () => {
  const bodies = Array.from(
    { length: 1200 },
    (_, n) => `return svcObject.speed > 1 && ${n} >= 0 // ${'x'.repeat(500)}`,
  );
  for (const order of [bodies, bodies.toReversed()]) {
    const results = await sandbox.run(order.map((body) => callOf(body)));
    expect(results.every((result) => result.kind === 'answered' && result.isTrue)).toBe(true);
  }
});
