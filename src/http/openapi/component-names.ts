// What things are called in the API description. Types keep their names; what is derived from a type gives way where an
// operator's model has a type of that very name.

import type { Model, ObjectType } from '../../model/object-type.ts';

export interface TypeNames {
  /** One object as it is answered: what `GET …/{key}` shows, and whatever `fields` may add. */
  whole: string;
  minimized: string;
  reference: string;
  referenceInput: string;
  create: string;
  change: string;
  /** Inside the collection of an owner: added (no key), or changed (with its key). */
  element: string;
  elementCreate: string;
  elementChange: string;
  /** `Voyages`, as in `listVoyages`. */
  plural: string;
}

export type ComponentNames = ReadonlyMap<ObjectType, TypeNames>;

export const sharedSchemas = { error: 'ErrorBody', violation: 'Violation', health: 'Health' } as const;

export function nameComponents(model: Model): ComponentNames {
  const types = [...model.types.values()];
  const taken = new Set(types.map(({ name }) => name));
  const take = (name: string): string => {
    const free = taken.has(name) ? take(`${name}_`) : name;
    taken.add(free);
    return free;
  };
  const plurals = new Set<string>();
  return new Map(types.map((type) => [type, nameType(type, take, plurals)]));
}

/** No type can have these: a type name has no underscore. */
export function sharedSchemaName(model: Model, name: keyof typeof sharedSchemas): string {
  return model.types.has(sharedSchemas[name]) ? `${sharedSchemas[name]}_` : sharedSchemas[name];
}

function nameType(type: ObjectType, take: (name: string) => string, plurals: Set<string>): TypeNames {
  const { name } = type;
  return {
    whole: name,
    minimized: take(`${name}Minimized`),
    reference: take(`${name}Reference`),
    referenceInput: take(`${name}ReferenceInput`),
    create: take(`${name}Create`),
    change: take(`${name}Change`),
    element: take(`${name}Element`),
    elementCreate: take(`${name}ElementCreate`),
    elementChange: take(`${name}ElementChange`),
    plural: takePlural(name, plurals),
  };
}

function takePlural(name: string, plurals: Set<string>): string {
  const plural = plurals.has(pluralOf(name)) ? `${name}List` : pluralOf(name);
  plurals.add(plural);
  return plural;
}

function pluralOf(name: string): string {
  if (/[^aeiou]y$/.test(name)) return name.replace(/y$/, 'ies');
  if (/(x|ch|sh)$/.test(name)) return `${name}es`;
  return name.endsWith('s') ? name : `${name}s`;
}
