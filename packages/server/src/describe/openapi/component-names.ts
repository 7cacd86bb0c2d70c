// Names of the schemas and operations in the API description. Types keep their names. A derived name gets a suffix if
// the operator's model has a type of the same name.

import type { Model, ObjectType } from '../../model/object-type.ts';

export interface TypeNames {
  /** One object in a response: what `GET …/{key}` returns, and everything that `fields` can add. */
  whole: string;
  minimized: string;
  reference: string;
  referenceInput: string;
  create: string;
  /** The response to a create: the whole object, and the attributes that are shown only once. */
  created: string;
  change: string;
  /** An element of an owner's collection: added (without a key) or changed (with its key). */
  element: string;
  elementCreate: string;
  elementChange: string;
  /** For example `Voyages`, as in `listVoyages`. */
  plural: string;
  actions: ReadonlyMap<string, ActionNames>;
}

export interface ActionNames {
  takes: string;
  answers: string;
}

export type ComponentNames = ReadonlyMap<ObjectType, TypeNames>;

const sharedSchemas = {
  error: 'ErrorBody',
  violation: 'Violation',
  health: 'Health',
  notification: 'NotificationBody',
  ping: 'PingBody',
  tokenRequest: 'TokenRequest',
  token: 'TokenAnswer',
  tokenError: 'TokenErrorBody',
  keys: 'IssuerKeys',
  metadata: 'IssuerMetadata',
} as const;

export type SharedNames = Readonly<Record<keyof typeof sharedSchemas, string>>;

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

/** No type can have a name with the suffix, because type names contain no underscore. */
export function nameShared({ types }: Model): SharedNames {
  const names = Object.entries(sharedSchemas).map(([key, name]) => [key, types.has(name) ? `${name}_` : name]);
  return Object.fromEntries(names) as SharedNames;
}

function nameType(type: ObjectType, take: (name: string) => string, plurals: Set<string>): TypeNames {
  const { name } = type;
  return {
    whole: name,
    minimized: take(`${name}Minimized`),
    reference: take(`${name}Reference`),
    referenceInput: take(`${name}ReferenceInput`),
    create: take(`${name}Create`),
    created: type.shownOnce.length > 0 ? take(`${name}Created`) : name,
    change: take(`${name}Change`),
    element: take(`${name}Element`),
    elementCreate: take(`${name}ElementCreate`),
    elementChange: take(`${name}ElementChange`),
    plural: takePlural(name, plurals),
    actions: new Map([...type.actions.keys()].map((action) => [action, nameAction(name + capitalise(action), take)])),
  };
}

function nameAction(name: string, take: (name: string) => string): ActionNames {
  return { takes: take(`${name}Request`), answers: take(`${name}Answer`) };
}

function capitalise(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
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
