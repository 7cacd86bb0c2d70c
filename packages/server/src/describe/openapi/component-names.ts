// Names of the schemas and operations in the API description. Types keep their names. A derived name gets a suffix if
// the name is already in use.

import type { Model, ObjectType } from '../../model/object-type.ts';

export interface ComponentNames {
  types: ReadonlyMap<ObjectType, TypeNames>;
  shared: Readonly<Record<keyof typeof sharedSchemas, string>>;
}

export interface TypeNames extends Record<keyof typeof suffixes, string> {
  /** One object in a response: what `GET …/{key}` returns, and everything that `fields` can add. */
  whole: string;
  /** The response to a create: the whole object, and the attributes that are shown only once. */
  created: string;
  /** For example `Voyages`, as in `listVoyages`. */
  plural: string;
  actions: ReadonlyMap<string, { request: string; response: string }>;
}

const suffixes = {
  minimized: 'Minimized',
  reference: 'Reference',
  referenceInput: 'ReferenceInput',
  create: 'Create',
  change: 'Change',
  // An element of an owner's collection: added (without a key) or changed (with its key).
  element: 'Element',
  elementCreate: 'ElementCreate',
  elementChange: 'ElementChange',
};

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
};

export function nameComponents(model: Model): ComponentNames {
  const types = [...model.types.values()];
  const used = new Set(types.map(({ name }) => name));
  const reserve: Reserve = (name) => {
    const free = used.has(name) ? reserve(`${name}_`) : name;
    used.add(free);
    return free;
  };
  const plurals = new Set<string>();
  return {
    types: new Map(types.map((type) => [type, nameType(type, reserve, plurals)])),
    shared: reserveAll(sharedSchemas, reserve),
  };
}

type Reserve = (name: string) => string;

function reserveAll<Key extends string>(names: Record<Key, string>, reserve: Reserve): Record<Key, string> {
  const reserved = Object.entries<string>(names).map(([key, name]) => [key, reserve(name)]);
  return Object.fromEntries(reserved) as Record<Key, string>;
}

function nameType({ name, shownOnce, actions }: ObjectType, reserve: Reserve, plurals: Set<string>): TypeNames {
  return {
    ...reserveAll(suffixes, (suffix) => reserve(`${name}${suffix}`)),
    whole: name,
    created: shownOnce.length > 0 ? reserve(`${name}Created`) : name,
    plural: reservePlural(name, plurals),
    actions: new Map(
      [...actions.keys()].map((action) => {
        const prefix = `${name}${action.charAt(0).toUpperCase()}${action.slice(1)}`;
        return [action, { request: reserve(`${prefix}Request`), response: reserve(`${prefix}Answer`) }];
      }),
    ),
  };
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
