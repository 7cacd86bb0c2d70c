// Gives every nested object and union a component of its own. Generators invent names for those without one, and the
// names clash.

import type { Place } from '../component-names.ts';
import { spellOut } from '../describe-attribute.ts';
import type { Schema, Schemas } from '../json-schema.ts';

export interface NestedNames {
  placeOf(component: string): Place;
  /** A name like this one that is still free. */
  reserve(name: string): string;
}

/** The result also has the new components. Equal schemas of one name share a component. */
export function nameNestedSchemas(schemas: Schemas, names: NestedNames): Schemas {
  const named = new NamedSchemas(names);
  const entries = Object.entries(schemas).map(([name, schema]) => {
    return [name, nameInside(schema, names.placeOf(name), named)] as const;
  });
  return { ...Object.fromEntries(entries), ...named.components() };
}

/** Names what is inside a schema, and leaves the schema itself where it is. */
function nameInside(schema: Schema, place: Place, named: NamedSchemas): Schema {
  const { properties, items, additionalProperties, default: _, title: __, ...rest } = schema;
  const branch = (each: Schema) => nameSchema(each, place, named);
  return {
    ...rest,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, member]) => {
          const inside = { ...place, name: `${place.name}${capitalised(name)}` };
          return [name, nameSchema({ description: `${spellOut(name)}.`, ...member }, inside, named)];
        }),
      ),
    }),
    ...(items && { items: nameSchema(items, place, named) }),
    ...(additionalProperties !== undefined && {
      additionalProperties:
        typeof additionalProperties === 'object' ? branch(additionalProperties) : additionalProperties,
    }),
    ...(schema.anyOf && { anyOf: schema.anyOf.map((each) => bareReference(branch(each))) }),
    ...(schema.oneOf && { oneOf: schema.oneOf.map((each) => bareReference(branch(each))) }),
  };
}

function nameSchema(schema: Schema, place: Place, named: NamedSchemas): Schema {
  const { name, suffix } = place;
  const inside = nameInside(schema, { name: schema.title ?? name, suffix }, named);
  if (!isNamed(inside)) return inside;
  const { description, readOnly, writeOnly, deprecated, examples, ...content } = inside;
  const { isNullable, rest } = withoutNull(content);
  const ref = { $ref: `#/components/schemas/${named.name(rest, description, schema.title ?? name, suffix)}` };
  return {
    ...(isNullable ? { anyOf: [ref, { type: 'null' }] } : ref),
    ...withoutUndefined({ description, readOnly, writeOnly, deprecated, examples }),
  };
}

/** The component has the description. The rust generator stops at a branch that has one beside its reference. */
function bareReference(schema: Schema): Schema {
  return schema.$ref === undefined ? schema : { $ref: schema.$ref };
}

function isNamed({ $ref, properties, anyOf, oneOf, allOf }: Schema): boolean {
  if ($ref !== undefined) return false;
  const branches = [...(anyOf ?? []), ...(oneOf ?? [])].filter(({ type }) => type !== 'null');
  return properties !== undefined || allOf !== undefined || branches.length > 1;
}

function withoutNull(schema: Schema): { isNullable: boolean; rest: Schema } {
  const { type, anyOf, oneOf } = schema;
  if (Array.isArray(type) && type.includes('null'))
    return { isNullable: true, rest: { ...schema, type: type.find((one) => one !== 'null')! } };
  const branches = anyOf ?? oneOf;
  const others = branches?.filter((branch) => branch.type !== 'null');
  if (!branches || others!.length === branches.length) return { isNullable: false, rest: schema };
  return { isNullable: true, rest: { ...schema, ...(anyOf ? { anyOf: others! } : { oneOf: others! }) } };
}

class NamedSchemas {
  readonly #names: NestedNames;
  /** Name and content → component. */
  readonly #known = new Map<string, string>();
  readonly #wanted = new Set<string>();
  readonly #components = new Map<string, Schema>();

  constructor(names: NestedNames) {
    this.#names = names;
  }

  components(): Schemas {
    return Object.fromEntries(this.#components);
  }

  name(schema: Schema, description: string | undefined, wanted: string, suffix: string): string {
    const identity = `${wanted} ${JSON.stringify(schema)}`;
    const known = this.#known.get(identity);
    if (known !== undefined) return known;
    const component = this.#names.reserve(this.#wanted.has(wanted) ? `${wanted}${suffix}` : wanted);
    this.#wanted.add(wanted);
    this.#known.set(identity, component);
    this.#components.set(
      component,
      renamed({ ...(description !== undefined && { description }), ...schema }, wanted, component),
    );
    return component;
  }
}

/** A schema that refers to itself does so by the name that it wants. */
function renamed(schema: Schema, wanted: string, component: string): Schema {
  if (wanted === component) return schema;
  const [from, to] = [wanted, component].map((name) => JSON.stringify(`#/components/schemas/${name}`));
  return JSON.parse(JSON.stringify(schema).replaceAll(from!, to!)) as Schema;
}

function withoutUndefined(schema: Schema): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));
}

function capitalised(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}
