// Bodies that no caller should send: a value of the wrong kind somewhere, an attribute that does not exist, a mandatory
// one missing, or no JSON at all.

import { type Draw, isLikely, pick } from './generate-value.ts';

export interface Body {
  bytes: Buffer;
  /** Whether an attribute was added that no type has. */
  hasUnknownAttribute: boolean;
}

export function plainBody(value: unknown): Body {
  return { bytes: Buffer.from(render(value)), hasUnknownAttribute: false };
}

export function spoilBody(draw: Draw, value: unknown): Body {
  if (isLikely(draw, 20)) return { bytes: pick(draw, rubbish), hasUnknownAttribute: false };
  const copy = structuredClone(value);
  const places = placesIn(copy);
  const objects = places.filter(({ at }) => !Array.isArray(at));
  if (objects.length > 0 && isLikely(draw, 25)) {
    const { at } = pick(draw, objects);
    (at as Record<string, unknown>)[pick(draw, unknownNames)] = pick(draw, hostile);
    return { bytes: Buffer.from(render(copy)), hasUnknownAttribute: isObject(copy) && Object.hasOwn(copy, 'noSuch') };
  }
  if (places.length > 0) {
    const { at, name } = pick(draw, places);
    if (isLikely(draw, 20)) delete at[name];
    else at[name] = pick(draw, hostile);
  }
  return { bytes: Buffer.from(render(copy)), hasUnknownAttribute: false };
}

interface Place {
  at: Record<string, unknown>;
  name: string;
}

function placesIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const at = value as Record<string, unknown>;
  return Object.keys(at).flatMap((name) => [{ at, name }, ...placesIn(at[name])]);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Numbers as they are to be written: a double could not hold them. */
const literal = (text: string) => `@@${text}@@`;

function render(value: unknown): string {
  return JSON.stringify(value).replace(/"@@([^"]*)@@"/g, '$1');
}

const unknownNames = ['noSuch', 'noSuch', 'noSuch', 'constructor', 'toString', 'Key', 'key ', ''];

const hostile: unknown[] = [
  null,
  true,
  '',
  ' ',
  'x',
  0,
  -1,
  1.5,
  2 ** 53,
  [],
  {},
  [null],
  [[]],
  { key: 1 },
  { key: 'x' },
  { key: null },
  [{ key: 1 }],
  [{ key: 99_999_999 }],
  { __proto__: null, noSuch: 1 },
  'x'.repeat(5000),
  '\u0000',
  '\ud800',
  '2026-02-30',
  '0000-00-00T00:00:00',
  '9999-12-31T23:59:59-23:59',
  "'; drop table voyage; --",
  '%s%n{{7*7}}',
  literal('1e400'),
  literal('-0'),
  literal('1E+2'),
  literal('0.123456789'),
  literal('12345678901234567'),
  literal('99999999999999999999999999'),
  literal('1e-8'),
];

const rubbish: Buffer[] = [
  '',
  ' ',
  '{',
  '}',
  'null',
  'true',
  '[]',
  '[[]]',
  '[null]',
  '{}',
  '[{}]',
  '123',
  '"text"',
  '{"a":1,"a":2}',
  '{"__proto__":{"x":1}}',
  '{"key":1}',
  '\ufeff{}',
  "{'a':1}",
  '{"a":01}',
  '{"a":NaN}',
  '['.repeat(100),
  `${'['.repeat(80)}${']'.repeat(80)}`,
  '{"comments":"\\u0000"}',
  '{"comments":"\\ud800"}',
]
  .map((text) => Buffer.from(text))
  .concat(Buffer.from([0x7b, 0xff, 0xfe, 0x7d]));
