// What the parser must accept, and that it reads the same as JSON.parse does, with numbers kept as they were written.

import { decodeUtf8 } from '@flaghoist/source-text';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JsonSyntaxError, type JsonValue, NumberLiteral, parseJson } from '../../src/json/parse-json.ts';

const json: [name: string, text: string][] = [
  ['array: arrays with spaces', '[[]   ]'],
  ['array: empty string', '[""]'],
  ['array: empty', '[]'],
  ['array: ending with newline', '["a"]\n'],
  ['array: false', '[false]'],
  ['array: heterogeneous', '[null, 1, "1", {}]'],
  ['array: null', '[null]'],
  ['array: with 1 and newline', '[1\n]'],
  ['array: with leading space', ' [1]'],
  ['array: with several null', '[1,null,null,null,2]'],
  ['array: with trailing space', '[2] '],
  ['array: 64 levels', '['.repeat(64) + ']'.repeat(64)],
  ['number: 0e+1', '[0e+1]'],
  ['number: 0e1', '[0e1]'],
  ['number: after space', '[ 4]'],
  ['number: close to zero', '[-0.000000000000000000000000000000000000000000000000000000000000000000000000000001]'],
  ['number: integer with exponent', '[20e1]'],
  ['number: minus zero', '[-0]'],
  ['number: negative integer', '[-123]'],
  ['number: negative one', '[-1]'],
  ['number: capital exponent', '[1E22]'],
  ['number: capital negative exponent', '[1E-2]'],
  ['number: capital positive exponent', '[1E+2]'],
  ['number: real exponent', '[123e45]'],
  ['number: real fraction exponent', '[123.456e78]'],
  ['number: negative exponent', '[1e-2]'],
  ['number: positive exponent', '[1e+2]'],
  ['number: exponent with leading zeros', '[1e007]'],
  ['number: simple integer', '[123]'],
  ['number: simple real', '[123.456789]'],
  ['number: fraction with trailing zeros', '[1.500]'],
  ['object: basic', '{"asd":"sdf"}'],
  ['object: empty', '{}'],
  ['object: empty key', '{"":0}'],
  ['object: extreme numbers', '{ "min": -1.0e+28, "max": 1.0e+28 }'],
  ['object: long strings', `{"x":[{"id": "${'x'.repeat(40)}"}], "id": "${'x'.repeat(40)}"}`],
  ['object: simple', '{"a":[]}'],
  ['object: string unicode', '{"title":"\\u041f\\u043e\\u043b\\u0442\\u043e\\u0440\\u0430"}'],
  ['object: with newlines', '{\n"a": "b"\n}'],
  ['object: the same key in two objects', '[{"a":1},{"a":2}]'],
  ['object: the same key in an object and in its member', '{"a":{"a":1}}'],
  ['object: keys that only look like prototypes', '{"__proto":1,"Constructor":2,"prototypes":3}'],
  ['object: names of object methods', '{"toString":1,"hasOwnProperty":2,"valueOf":3}'],
  ['string: 1, 2 and 3 byte characters', '["\\u0060\\u012a\\u12AB"]'],
  ['string: accepted surrogate pair', '["\\uD801\\udc37"]'],
  ['string: accepted surrogate pairs', '["\\ud83d\\ude39\\ud83d\\udc8d"]'],
  ['string: allowed escapes', '["\\"\\\\\\/\\b\\f\\n\\r\\t"]'],
  ['string: backslash and u escaped zero', '["\\\\u0000"]'],
  ['string: backslash double quotes', '["\\""]'],
  ['string: comments', '["a/*b*/c/*d//e"]'],
  ['string: double escape a', '["\\\\a"]'],
  ['string: double escape n', '["\\\\n"]'],
  ['string: escaped control character', '["\\u0012"]'],
  ['string: escaped noncharacter', '["\\uFFFF"]'],
  ['string: in array with leading space', '[ "asd"]'],
  ['string: last surrogates', '["\\uDBFF\\uDFFF"]'],
  ['string: non breaking space', '["new\u00a0line"]'],
  ['string: raw pair', '["😹💍"]'],
  ['string: byte order mark inside', '"\ufeff"'],
  ['string: one byte utf-8', '["\\u002c"]'],
  ['string: pi', '["π"]'],
  ['string: reserved character in UTF-8', '["\u{1bfff}"]'],
  ['string: simple ascii', '["asd "]'],
  ['string: space', '" "'],
  ['string: line separators', '"\u2028\u2029"'],
  ['string: unescaped DEL', '["\u007f"]'],
  ['string: right-to-left override', '"\u202e"'],
  ['string: upper and lower case hexadecimal', '"\\u00Ff\\uABCD\\uabcd"'],
  ['string: escapes next to each other and at both ends', '"\\n\\n\\tx\\n"'],
  ['structure: lonely false', 'false'],
  ['structure: lonely integer', '42'],
  ['structure: lonely negative real', '-0.1'],
  ['structure: lonely null', 'null'],
  ['structure: lonely string', '"asd"'],
  ['structure: lonely true', 'true'],
  ['structure: string empty', '""'],
  ['structure: trailing newline', '["a"]\n'],
  ['structure: white space of all four kinds', ' \t\r\n[\t\n1 \r,\n\t2 ]\n \t\r'],
];

test.each(json)('JSON is accepted and reads as JSON.parse reads it: %s', (_name, text) => {
  expect(toPlain(parseJson(text))).toEqual(JSON.parse(text));
});

test('numbers keep their exact text', () => {
  const text = '[0,-0,1.50,1e400,12345678901234567890.12345678,1E+2,0.1e-9]';
  expect(parseJson(text)).toEqual(
    ['0', '-0', '1.50', '1e400', '12345678901234567890.12345678', '1E+2', '0.1e-9'].map((n) => new NumberLiteral(n)),
  );
});

test('objects are Maps in the order of the text', () => {
  const value = parseJson('{"b":1,"a":2,"1":3}');
  expect(value).toBeInstanceOf(Map);
  expect([...(value as Map<string, JsonValue>).keys()]).toEqual(['b', 'a', '1']);
});

test('the depth limit can be set', () => {
  expect(() => parseJson('[[1]]', { depthMax: 1 })).toThrow('more than 1 levels');
  expect(parseJson('[1]', { depthMax: 1 })).toHaveLength(1);
  expect(parseJson('1', { depthMax: 0 })).toBeInstanceOf(NumberLiteral);
});

test('siblings do not add up to depth', () => {
  expect(parseJson(`[${'[[]],'.repeat(1000)}{}]`)).toHaveLength(1001);
});

describe('a body of a megabyte is read', () => {
  test('when it is one string', () => {
    expect(parseJson(`"${'x'.repeat(1 << 20)}"`)).toHaveLength(1 << 20);
  });

  test('when it is one string of escapes', () => {
    expect(parseJson(`"${'\\n\\ud83d\\ude00'.repeat(70_000)}"`)).toBe('\n😀'.repeat(70_000));
  });

  test('when it is arrays down to the limit', () => {
    const branch = '['.repeat(63) + ']'.repeat(63);
    expect(parseJson(`[${Array(8000).fill(branch).join(',')}]`)).toHaveLength(8000);
  });

  test('when it is a hundred thousand keys', () => {
    const members = Array.from({ length: 100_000 }, (_, index) => `"k${index}":${index}`);
    const value = parseJson(`{${members.join(',')}}`) as Map<string, JsonValue>;
    expect(value.size).toBe(100_000);
    expect(value.get('k99999')).toEqual(new NumberLiteral('99999'));
  });

  test('when it is one number', () => {
    expect((parseJson('1'.repeat(1 << 20)) as NumberLiteral).text).toHaveLength(1 << 20);
  });

  test('and rejected at the limit when it consists of opening brackets', () => {
    expect(() => parseJson('['.repeat(1 << 20))).toThrow('column 65');
    expect(() => parseJson('{"a":'.repeat(200_000))).toThrow('more than 64 levels');
  });
});

const safeText = fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0'));
const safeKey = safeText.filter((key) => !['__proto__', 'constructor', 'prototype'].includes(key));
const { value: anyJson } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 6 },
    fc.constantFrom(null, true, false),
    safeText,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (Object.is(number, -0) ? 0 : number)),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(safeKey, tie('value'), { maxKeys: 5, noNullPrototype: true }),
  ),
}));

test('what JSON.stringify writes is parsed to the same value', () => {
  fc.assert(
    fc.property(anyJson, fc.constantFrom(undefined, 2, '\t'), (value, indent) => {
      expect(toPlain(parseJson(JSON.stringify(value, null, indent)))).toEqual(value);
    }),
    { numRuns: 500 },
  );
});

test('what JSON.parse rejects is rejected, and what both accept has the same value', () => {
  fc.assert(fc.property(nearlyJson(), sameAsNative), { numRuns: 5000 });
});

test('random fragments are accepted or rejected as by JSON.parse', () => {
  const fragment = fc.constantFrom(
    ...'[]{},:"\\-+.eE019 \n\t/*u'.split(''),
    'true',
    'null',
    '"a"',
    '"b":',
    '\\u00',
    '\\n',
    '\ud83d',
  );
  fc.assert(
    fc.property(
      fc.array(fragment, { maxLength: 12 }).map((parts) => parts.join('')),
      sameAsNative,
    ),
    { numRuns: 5000 },
  );
});

test('bytes that are not UTF-8 are rejected, never replaced', () => {
  for (const bytes of [
    [0xff],
    [0xc0, 0xaf],
    [0xed, 0xa0, 0x80],
    [0xf4, 0x90, 0x80, 0x80],
    [0xe2, 0x82],
    [0x22, 0x80, 0x22],
  ]) {
    expect(decodeUtf8(Uint8Array.from(bytes))).toBeUndefined();
  }
  expect(decodeUtf8(Buffer.from('{"a":"😀"}', 'utf16le'))).toBeUndefined();
});

test('a byte order mark stays in the text, each time', () => {
  for (let round = 0; round < 2; round++) {
    expect(decodeUtf8(Uint8Array.from([0xef, 0xbb, 0xbf, 0x31]))).toBe('\ufeff1');
  }
});

test('text in UTF-8 is decoded unchanged, also after an error', () => {
  expect(decodeUtf8(Uint8Array.from([0xe2, 0x82]))).toBeUndefined();
  expect(decodeUtf8(Buffer.from('a\0é漢😀'))).toBe('a\0é漢😀');
  expect(decodeUtf8(new Uint8Array())).toBe('');
});

/** JSON text with a few characters taken out, put in or exchanged: most of it is broken in one place only. */
function nearlyJson(): fc.Arbitrary<string> {
  const edit = fc.record({
    at: fc.nat(),
    removed: fc.integer({ min: 0, max: 2 }),
    added: fc.oneof(
      fc.constant(''),
      fc.constantFrom(...'[]{},:"\\-+.eE019 \n\t\u0001\ufeff'.split('')),
      fc.string({ unit: 'binary', maxLength: 2 }),
    ),
  });
  return fc.tuple(anyJson, fc.array(edit, { maxLength: 3 })).map(([value, edits]) =>
    edits.reduce((text, { at, removed, added }) => {
      const from = at % (text.length + 1);
      return text.slice(0, from) + added + text.slice(from + removed);
    }, JSON.stringify(value)),
  );
}

function sameAsNative(text: string): void {
  const ours = outcomeOf(() => toPlain(parseJson(text)));
  const native = outcomeOf(() => JSON.parse(text) as unknown);
  if (native.error !== undefined) expect(ours.error).toBeInstanceOf(JsonSyntaxError);
  else if (ours.error === undefined) expect(ours.value).toEqual(native.value);
  else expect(ours.error).toMatchObject({ message: expect.stringMatching(ourOwnRefusals) });
}

const ourOwnRefusals = /twice|surrogate|NUL|is not allowed|levels/;

function outcomeOf(action: () => unknown): { value?: unknown; error?: unknown } {
  try {
    return { value: action() };
  } catch (error) {
    return { error };
  }
}

function toPlain(value: JsonValue): unknown {
  if (value instanceof NumberLiteral) return Number(value.text);
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, member]) => [key, toPlain(member)]));
  return Array.isArray(value) ? value.map(toPlain) : value;
}
