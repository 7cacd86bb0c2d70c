// The inputs of a script equal the given JSON, and are frozen at every level, whatever they contain.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { callOf, sandboxForTests } from './script-fixture.ts';

const sandbox = sandboxForTests();

/** Lists what is not frozen, and shows what it was given. */
const look = `
  const open = [];
  const waiting = [[svcObject, '']];
  for (let next; (next = waiting.pop()); ) {
    const [thing, path] = next;
    if (typeof thing !== 'object' || thing === null) continue;
    if (!Object.isFrozen(thing)) open.push(path);
    for (const name of Object.getOwnPropertyNames(thing))
      if (!Array.isArray(thing) || name !== 'length')
        waiting.push([Object.getOwnPropertyDescriptor(thing, name).value, path + '/' + name]);
  }
  message.body = open.join() + ' ' + JSON.stringify(svcObject);`;

async function seenOf(texts: readonly string[]): Promise<(string | undefined)[]> {
  const results = await sandbox.run(texts.map((svcObject) => callOf(look, { svcObject })));
  return results.map((result) => (result.kind === 'answered' ? result.message?.body?.text : JSON.stringify(result)));
}

function frozen(text: string): string {
  return ` ${JSON.stringify(JSON.parse(text))}`;
}

const wide = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`name ${n}`, { n: [{ n }] }]));
const unlike = Array.from({ length: 300 }, (_, n) => ({ [`name ${n}`]: [{ n: {} }], other: n }));
const deep = `${'[{"a":'.repeat(40)}{}${'}]'.repeat(40)}`;

test.each([
  [
    'members by the names of prototypes',
    '{"__proto__":{"a":[{}]},"constructor":{"prototype":{"x":[[]]}},"toString":[{}]}',
  ],
  [
    'items with and without such members',
    '[{"__proto__":{"toString":{"a":{}}}},{},{"a":1},[[]],{"constructor":{"name":[]}}]',
  ],
  ['names that look like code', JSON.stringify({ '"];x': { '\n\u2028`${a}\\': [{ "'": {} }] }, '': { ' ': {} } })],
  ['names that are numbers', '{"0":{"1":[{}]},"length":{"a":{}},"-1":[[{}]],"4294967295":{"b":{}},"1e3":{"c":{}}}'],
  ['the same name twice', '{"a":{"b":{"c":{}}},"a":[{"d":{}}],"b":[[{}]],"b":1}'],
  [
    'items of every kind',
    '[1,null,"x",true,[{"a":{}}],{"a":[{}],"b":{"c":{}}},{"a":1,"b":null},{"a":{"b":[]}},[[[{}]]]]',
  ],
  ['names of half a character', '{"\ud800":{"a":[{}]},"\\udc00":[{"b":{}}],"é😀":{"ü":{"x":[]}}}'],
  ['more names than a plan has', JSON.stringify(wide)],
  ['items none of which is like another', JSON.stringify(unlike)],
  ['a plan that is too long', JSON.stringify({ ['x'.repeat(20_000)]: { a: [{}] }, b: { c: [{}] } })],
  ['what is nested', deep],
  ['brackets within texts', '{"a":"[{","b\\"{":{"c":["\\\\","]"]},"d":"\\"["}'],
  ['a text alone', '"x"'],
  ['empty ones', '{"a":{},"b":[],"c":[[],{}]}'],
])('%s: frozen, and nothing else than the text says', async (_what, text) => {
  // Again after others of the same shape and of another, whose plans are known by then.
  expect(await seenOf([text, '{"a":{"b":{}}}', text])).toEqual([frozen(text), ' {"a":{"b":{}}}', frozen(text)]);
});

test('the plan of one object never passes for that of another, however their brackets add up', async () => {
  const texts = [
    '{"a":{"__proto__":{},"b":{}}}',
    '{"a":{"c":{}}}',
    '{"a":{"c":{"d":{}}},"b":1}',
    '{"a":{"x":{"y":{}}}}',
    '{"a":{"c":"[{"},"b":{}}',
    '[{"a":{}},{"a":{}}]',
    '[{"b":{}},{"a":{}}]',
    '{"toString":{"constructor":{}},"a":1}',
    '{"a":{"b":{}}}',
  ];
  const inTurns = texts.flatMap((text) => texts.flatMap((other) => [text, other]));
  expect(await seenOf(inTurns)).toEqual(inTurns.map(frozen));
});

const name = fc.oneof(
  fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor', 'toString', 'length', '0', '1', 'toJSON2', '', '"', '\n'),
  fc.string({ unit: 'binary', maxLength: 5 }),
);
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    fc.oneof(fc.constant(null), fc.boolean(), fc.integer(), fc.string({ maxLength: 5 })),
    fc.array(tie('json'), { maxLength: 5 }),
    fc.array(fc.tuple(name, tie('json')), { maxLength: 5 }).map((members) => ({ members })),
  ),
}));

/** Written by hand, so that names may come twice. */
function write(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(write).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const { members } = value as { members: [string, unknown][] };
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${write(member)}`).join()}}`;
}

test('any JSON is frozen, and nothing else than the text says', async () => {
  const lists = fc.array(json.map(write), { minLength: 20, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(lists, async (texts) => {
      expect(await seenOf(texts)).toEqual(texts.map(frozen));
    }),
    { numRuns: 100 },
  );
}, 60_000);
