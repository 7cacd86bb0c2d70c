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
  request: string;
  response: string;
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
  const reserved = new Set(types.map(({ name }) => name));
  const reserve = (name: string): string => {
    const free = reserved.has(name) ? reserve(`${name}_`) : name;
    reserved.add(free);
    return free;
  };
  const plurals = new Set<string>();
  return new Map(types.map((type) => [type, nameType(type, reserve, plurals)]));
}

/** No type can have a name with the suffix, because type names contain no underscore. */
export function nameShared({ types }: Model): SharedNames {
  const names = Object.entries(sharedSchemas).map(([key, name]) => [key, types.has(name) ? `${name}_` : name]);
  return Object.fromEntries(names) as SharedNames;
}

function nameType(type: ObjectType, reserve: (name: string) => string, plurals: Set<string>): TypeNames {
  const { name } = type;
  return {
    whole: name,
    minimized: reserve(`${name}Minimized`),
    reference: reserve(`${name}Reference`),
    referenceInput: reserve(`${name}ReferenceInput`),
    create: reserve(`${name}Create`),
    created: type.shownOnce.length > 0 ? reserve(`${name}Created`) : name,
    change: reserve(`${name}Change`),
    element: reserve(`${name}Element`),
    elementCreate: reserve(`${name}ElementCreate`),
    elementChange: reserve(`${name}ElementChange`),
    plural: reservePlural(name, plurals),
    actions: new Map(
      [...type.actions.keys()].map((action) => [action, nameAction(name + capitalise(action), reserve)]),
    ),
  };
}

function nameAction(name: string, reserve: (name: string) => string): ActionNames {
  return { request: reserve(`${name}Request`), response: reserve(`${name}Answer`) };
}

function capitalise(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function reservePlural(name: string, plurals: Set<string>): string {
  const plural = plurals.has(pluralOf(name)) ? `${name}List` : pluralOf(name);
  plurals.add(plural);
  return plural;
}

function pluralOf(name: string): string {
  if (/[^aeiou]y$/.test(name)) return name.replace(/y$/, 'ies');
  if (/(x|ch|sh)$/.test(name)) return `${name}es`;
  return name.endsWith('s') ? name : `${name}s`;
}
