// Values that a schema allows, drawn with fast-check, and ways to spoil them. References to objects are drawn from
// those that are known to exist, since no schema can say which do.

import fc from 'fast-check';
import { type Document, follow, type SchemaNode } from './api-document.ts';

export type Draw = fc.GeneratorValue;

export interface World {
  document: Document;
  /** Keys by type of the objects that were seen and not deleted. */
  keys: Map<string, number[]>;
}

export function drawValue(draw: Draw, world: World, schema: SchemaNode, depth = 0): unknown {
  const reference = /\/(\w+)ReferenceInput$/.exec(schema.$ref ?? '')?.[1];
  const known = reference === undefined ? [] : (world.keys.get(reference) ?? []);
  if (known.length > 0 && isLikely(draw, 90)) {
    const key = pick(draw, known);
    return isLikely(draw, 70) ? key : { key };
  }
  if (schema.$ref) return drawValue(draw, world, follow(world.document, schema), depth);
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches) return drawValue(draw, world, pickBranch(draw, branches), depth);
  if (schema.allOf)
    return Object.assign({}, ...schema.allOf.map((part) => drawValue(draw, world, part, depth) as object));
  if (schema.enum) return pick(draw, schema.enum);
  // Whatever is JSON may stand there.
  if (schema.type === undefined) return draw(fc.jsonValue, { maxDepth: 3, noUnicodeString: true });
  const types = [schema.type ?? 'null'].flat();
  const type = types.length > 1 && isLikely(draw, 80) ? types.find((name) => name !== 'null') : pick(draw, types);
  switch (type) {
    case 'object':
      return drawObject(draw, world, schema, depth);
    case 'array': {
      const least = schema.minItems ?? 0;
      const length = draw(fc.integer, { min: least, max: Math.max(least, depth > 2 ? 0 : 2) });
      const elements = Array.from({ length }, () => drawValue(draw, world, schema.items ?? {}, depth + 1));
      return schema.uniqueItems ? [...new Set(elements)] : elements;
    }
    case 'string':
      return drawText(draw, schema);
    case 'integer':
      return drawInteger(draw, world, schema);
    case 'number':
      return draw(fc.integer, { min: -1e9, max: 1e9 }) / pick(draw, [1, 100, 1e8]);
    case 'boolean':
      return draw(fc.boolean);
    default:
      return null;
  }
}

export function pick<T>(draw: Draw, values: readonly T[]): T {
  return values[draw(evenNat, values.length - 1)]!;
}

export function isLikely(draw: Draw, percent: number): boolean {
  return draw(evenNat, 99) < percent;
}

/** fast-check prefers the ends of a range, which is good for values and bad for choices. */
function evenNat(max: number): fc.Arbitrary<number> {
  return fc.noBias(fc.nat({ max }));
}

/** The first branch is the plainest: a new element, a key. */
function pickBranch(draw: Draw, branches: SchemaNode[]): SchemaNode {
  return isLikely(draw, 75) ? branches[0]! : pick(draw, branches);
}

/** What may be as large as a key most likely is one. */
function drawInteger(draw: Draw, world: World, { minimum = -1000, maximum = 1000 }: SchemaNode): number {
  const keys = maximum === Number.MAX_SAFE_INTEGER ? [...world.keys.values()].flat() : [];
  if (keys.length > 0 && isLikely(draw, 80)) return pick(draw, keys);
  return draw(fc.integer, { min: minimum, max: Math.min(maximum, 2 ** 31 - 1) });
}

function drawObject(draw: Draw, world: World, schema: SchemaNode, depth: number): Record<string, unknown> {
  // Where nothing is required by itself, the parts make sense together: the example has some that do.
  const [example] = schema.examples ?? [];
  const isExample = example !== undefined && !schema.required?.length && isLikely(draw, 40);
  const object: Record<string, unknown> = isExample ? { ...(example as object) } : {};
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const isCollection = property.type === 'array';
    const isOwner = depth > 0 && property.description?.endsWith('that the object belongs to.');
    const percent = property.readOnly || isOwner ? 1 : isExample || (isCollection && depth > 0) ? 10 : 30;
    if (schema.required?.includes(name) || isLikely(draw, percent))
      object[name] = drawValue(draw, world, property, depth + 1);
  }
  return object;
}

function drawText(draw: Draw, { pattern, contentEncoding, minLength = 0, maxLength = 30 }: SchemaNode): string {
  if (contentEncoding === 'base64') return Buffer.from(draw(fc.uint8Array, { maxLength: 20 })).toString('base64');
  if (pattern?.startsWith('^\\d{4}-')) return drawDate(draw);
  if (pattern) return draw(fc.stringMatching, new RegExp(pattern));
  if (isLikely(draw, 5)) return pick(draw, ['\u{1F6A2}', 'x', '\u0301']).repeat(maxLength).slice(0, maxLength);
  return draw(fc.string, { unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 8), size: 'max' })
    .slice(0, maxLength)
    .padEnd(minLength, '_');
}

function drawDate(draw: Draw): string {
  const date = draw(fc.date, {
    min: new Date('1990-01-01'),
    max: new Date('2040-01-01'),
    noInvalidDate: true,
  }).toISOString();
  return pick(draw, [date.slice(0, 10), date.slice(0, 16), date.slice(0, 19), date, date.replace('Z', '+05:30')]);
}
