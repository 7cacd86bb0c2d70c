// Ways out of a sandbox that have worked elsewhere. Each script returns true only if it reached something that it was
// not given; none may.

import { existsSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { answered, runOne, sandboxForTests, valueIn } from './script-fixture.ts';

const sandbox = sandboxForTests();
const canary = '/tmp/flaghoist-script-canary';

/** For scripts: whether a thing leads to the host. */
const leads = `
  const leads = (thing) => {
    try { return thing != null && (thing.mainModule !== undefined || thing.env !== undefined
      || typeof thing.require === 'function' || typeof thing.readFileSync === 'function'
      || typeof thing.binding === 'function'); } catch { return false; }
  };
  const attempt = (way) => { try { return leads(way()); } catch (error) { return climbs(error); } };
  const climbs = (thing) => {
    for (const path of ["return process", "return require('fs').writeFileSync('${canary}', 'x')"]) {
      try { if (leads(thing.constructor.constructor(path)())) return true; } catch {}
      try { if (leads(Object.getPrototypeOf(thing).constructor.constructor(path)())) return true; } catch {}
    }
    return false;
  };
`;

const ways: Record<string, string> = {
  'SCR-01 the constructor of this': 'return attempt(() => this.constructor.constructor("return process")())',
  'SCR-01 the constructor of what is given':
    'return [svcObject, parameters, user, message, console, console.log].some(climbs)',
  'SCR-01 constructors of all kinds of functions': `
    return [() => {}, async () => {}, function* () {}, async function* () {}].some((f) => {
      try { return leads(f.constructor('return this.process ?? globalThis.process ?? 1')()); }
      catch { return false; } })`,
  'SCR-04 a stack that is prepared': `
    Error.prepareStackTrace = (_, frames) => frames;
    return Array.isArray(new Error().stack) && leads(new Error().stack[0].getThis())`,
  'SCR-04 a name that is no text': `
    const error = new Error(); error.name = Symbol();
    try { error.stack; } catch (e) { return climbs(e); } return climbs(error)`,
  'SCR-04 the error of a full stack': `
    const deep = () => { try { deep(); } catch (e) { if (climbs(e)) found = true; throw e; } };
    let found = false; try { deep(); } catch (e) { found ||= climbs(e); } return found`,
  'SCR-05 a promise that is rejected': `
    let found = false; (async () => { throw 1 })().catch((e) => { found = climbs(e); }); return found`,
  'SCR-05 a Proxy as what is thrown':
    'throw new Proxy({}, { get(_, key, receiver) { ' + 'console.log(leads(receiver)); return undefined } })',
  'SCR-05 what inspectors call': `
    const custom = Symbol.for('nodejs.util.inspect.custom');
    const thing = { [custom](depth, options) { console.log('called'); return climbs(options) } };
    console.log(thing); message.body = thing; return climbs(thing)`,
  'SCR-07 species of arrays': `
    class Mine extends Array { static get [Symbol.species]() { return function (n) { return new Proxy([], {}) } } }
    return climbs(new Mine(1, 2).map((x) => x))`,
  'SCR-07 species of promises': `
    class Mine extends Promise { static get [Symbol.species]() {
      return class { constructor(run) { run((x) => x, (x) => x) } } } }
    return climbs(Mine.resolve(1).then((x) => x))`,
  'SCR-07 a then that is overridden': `
    try { Promise.prototype.then = function (ok) { ok(1) } } catch {}
    return climbs((async () => { await 0 })())`,
  'SCR-07 a thenable in an async generator': `
    let seen = false;
    const g = (async function* () { yield { get then() { seen = climbs(this); return undefined } } })();
    g.next(); g.return({ then(ok) { seen ||= climbs(ok); ok() } }); return seen`,
  'SCR-07 traps on the way to a prototype': `
    const p = new Proxy(class {}, { get(t, k, r) { return k === 'prototype' ? globalThis : Reflect.get(t, k, r) } });
    return attempt(() => Reflect.construct(Object, [], p))`,
  'SCR-07 callers of functions': `
    return attempt(() => (function f() { return f.caller })())
      || attempt(() => (function () { return arguments.callee.caller })())`,
  'SCR-07 callers of what is called by the engine': `
    let seen = false; [1].sort(() => 0);
    JSON.stringify({ toJSON() { seen = attempt(() => this.constructor.constructor('return process')()) } });
    return seen`,
  'SCR-07 the receiver of a getter': `
    let seen = false; const o = { get subject() { seen = climbs(this); return 1 } };
    try { Object.assign(message, o) } catch {} message.subject = undefined; return seen`,
  'SCR-07 errors of natives': `
    return [() => null.x, () => JSON.parse('{'), () => new Array(-1), () => decodeURI('%'), () => BigInt(1.5),
      () => 'x'.repeat(-1), () => new RegExp('('), () => Symbol() + '',
      () => structuredClone({}), () => Reflect.construct(1)].some(attempt)`,
  'SCR-07 a buffer that is resized while it is read': `
    const buffer = new ArrayBuffer(64, { maxByteLength: 4096 }); const view = new Uint32Array(buffer);
    const found = []; view.fill({ valueOf() { buffer.resize(0); return 7 } });
    buffer.resize(4096); for (const n of view) if (n !== 0 && n !== 7) found.push(n); return found.length > 0`,
  'SCR-07 an array that shrinks while it is sorted': `
    const a = Array.from({ length: 100 }, (_, n) => 100 - n); a.sort((x, y) => { a.length = 0; return x - y });
    return a.some((x) => x !== undefined && typeof x !== 'number')`,
  'SCR-07 memory behind a buffer that is transferred': `
    const buffer = new ArrayBuffer(1024); const view = new DataView(buffer); const other = buffer.transfer(16);
    try { return view.getUint8(512) >= 0 } catch { return other.byteLength !== 16 }`,
  'SCR-07 a module': `let seen = false; import('node:fs').then((fs) => { seen = leads(fs) }, () => {}); return seen`,
  'SCR-07 data addresses of modules': `
    let seen = false;
    import('data:text/javascript,export default globalThis').then((m) => { console.log('loaded') }, () => {});
    return seen`,
  'SCR-07 the realm of eval':
    "return attempt(() => eval('this')) || attempt(() " + "=> (0, globalThis['ev' + 'al'])('process'))",
  'SCR-07 a callback of Reflect':
    'return attempt(() => ' + 'Reflect.apply(Function.prototype.constructor, null, ' + "['return process'])())",
  'SCR-07 text as a callback': `return attempt(() => Function.prototype.call.call(Function, null, 'return process')())`,
};

test.each(Object.entries(ways))('%s leads nowhere', async (_way, body) => {
  const result = await runOne(sandbox, leads + body);
  expect(result).not.toMatchObject({ kind: 'answered', isTrue: true });
  expect(result).not.toMatchObject({ message: expect.stringMatching(/took (longer|more)/) });
  expect(result.log.join()).not.toMatch(/true|called|loaded/);
  expect(await runOne(sandbox, 'return true')).toEqual(answered(true));
});

afterAll(() => {
  expect(existsSync(canary)).toBe(false);
  expect(Object.keys(Object.prototype)).toEqual([]);
});

test.each([
  ...[
    'process',
    'require',
    'module',
    'fetch',
    'XMLHttpRequest',
    'WebSocket',
    'setTimeout',
    'setInterval',
    'setImmediate',
  ],
  ...[
    'queueMicrotask',
    'WebAssembly',
    'performance',
    'SharedArrayBuffer',
    'Atomics',
    'FinalizationRegistry',
    'WeakRef',
  ],
  ...[
    'eval',
    'Buffer',
    'global',
    'std',
    'os',
    'bjson',
    'print',
    'gc',
    'navigator',
    'scriptArgs',
    'Worker',
    'structuredClone',
  ],
])('SCR-02, SCR-16: there is no %s', async (name) => {
  expect(await valueIn(sandbox, `typeof ${name === 'eval' ? 'globalThis.eval' : name}`)).toBe('undefined');
});

test('SCR-02: the global object has what is known, and nothing else', async () => {
  const own = (await valueIn(sandbox, 'Object.getOwnPropertyNames(globalThis).sort()')) as string[];
  const known = new Set(Object.getOwnPropertyNames(globalThis));
  const unknown = own.filter((name) => !known.has(name));
  expect(unknown.sort()).toEqual(
    ['AsyncDisposableStack', 'DisposableStack', 'Float16Array', 'InternalError', 'Iterator', 'SuppressedError'].filter(
      (name) => !known.has(name),
    ),
  );
});

test('SCR-04: nothing that a script can read names a place of the host', async () => {
  const body = `
    const deep = () => deep();
    const stacks = [];
    const parse = () => JSON.parse('{');
    for (const way of [() => { throw new Error('x') }, deep, parse, () => null.x, () => new Function('x')]) {
      try { way() } catch (error) { stacks.push(String(error), String(error.stack), String(error.fileName)); }
    }
    import('x').catch((error) => console.log(error, error.stack));
    stacks.push(String(console.log), String(console.log.fileName), (() => {}).fileName);
    message.body = stacks.join();`;
  const told = JSON.stringify([await runOne(sandbox, body), await runOne(sandbox, 'return null.x')]);
  expect(told).not.toMatch(/node_modules|file:|dist|src\/|\/work|\/home|\.js|\.ts|\.wasm/);
});

test('SCR-05: what is returned is never looked at outside', async () => {
  const body = `return new Proxy(function () {}, new Proxy({}, { get(_, trap) { console.log('trap ' + trap); } }))`;
  const result = await runOne(sandbox, body);
  expect(result).toMatchObject({ kind: 'failed', message: expect.stringContaining('it returned the function') });
  expect(result.log).toEqual([]);
});
