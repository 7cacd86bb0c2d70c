// Names of the schemas and operations in the API description. Types keep their names. A derived name gets a suffix if
// the name is already in use.

import { serviceOperations } from '../../model/catalogue/service-operations.ts';
import type { Model, ObjectType } from '../../model/object-type.ts';

export interface ComponentNames {
  /** For the schemas nested in a component: what they are named after. */
  placeOf(component: string): Place;
  /** A name like this one that no component has yet. */
  reserve(name: string): string;
  types: ReadonlyMap<ObjectType, TypeNames>;
  /** Of the operations that belong to no type. */
  operations: ReadonlyMap<string, ActionNames>;
  shared: Readonly<Record<keyof typeof sharedSchemas, string>>;
}

export interface TypeNames extends Record<keyof typeof suffixes, string> {
  /** One object in a response: what `GET …/{key}` returns, and everything that `fields` can add. */
  whole: string;
  /** The response to a create: the whole object, and the attributes that are shown only once. */
  created: string;
  /** For example `Voyages`, as in `listVoyages`. */
  plural: string;
  actions: ReadonlyMap<string, ActionNames>;
}

export interface ActionNames {
  /** What nested schemas are named after. */
  prefix: string;
  request: string;
  response: string;
}

/** For schemas without a component of their own (`name-nested-schemas.ts`). */
export interface Place {
  /** What a nested schema without a `title` is named after, for example the type of the component. */
  name: string;
  /** Added if another schema has the name: the same attribute may have another form in requests. */
  suffix: string;
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

/** Generated clients have classes of these names, so a schema of that name would hide them or be hidden. */
const namesInClients: ReadonlySet<string> = new Set([
  'Api',
  'ApiClient',
  'ApiError',
  'ApiException',
  'ApiResponse',
  'AuthenticatedClient',
  'Client',
  'Configuration',
  'Error',
  'Exception',
  'Object',
  'Request',
  'Response',
]);

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
  publicKey: 'IssuerKey',
  message: 'WebhookMessage',
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
  const plurals = namePlurals(types.map(({ name }) => name));
  const named = new Map(types.map((type) => [type, nameType(type, reserve, plurals)]));
  const operations = new Map(serviceOperations.map(({ name }) => [name, nameAction(capitalised(name), reserve)]));
  const places = new Map([
    ...[...named].flatMap(([type, names]) => placesIn(type, names)),
    ...placesInActions(operations),
  ]);
  return {
    placeOf: (component) => places.get(component) ?? { name: component, suffix: 'Part' },
    reserve,
    types: named,
    operations,
    shared: reserveAll(sharedSchemas, reserve),
  };
}

function placesIn({ name }: ObjectType, names: TypeNames): [component: string, place: Place][] {
  const { whole, created, minimized, reference, change, elementChange, create, elementCreate, referenceInput } = names;
  const inside = (suffix: string, components: string[]) =>
    components.map((component): [string, Place] => [component, { name, suffix }]);
  return [
    ...inside('Answer', [whole, created, minimized, reference]),
    ...inside('Input', [create, elementCreate, referenceInput]),
    ...inside('Change', [change, elementChange]),
    ...placesInActions(names.actions),
  ];
}

function placesInActions(actions: TypeNames['actions']): [component: string, place: Place][] {
  return [...actions.values()].flatMap(({ prefix, request, response }): [string, Place][] => [
    [request, { name: prefix, suffix: 'Input' }],
    [response, { name: prefix, suffix: 'Answer' }],
  ]);
}

type Reserve = (name: string) => string;

function reserveAll<Key extends string>(names: Record<Key, string>, reserve: Reserve): Record<Key, string> {
  const reserved = Object.entries<string>(names).map(([key, name]) => [key, reserve(name)]);
  return Object.fromEntries(reserved) as Record<Key, string>;
}

function nameType({ name, shownOnce, actions }: ObjectType, reserve: Reserve, plurals: Plurals): TypeNames {
  const whole = namesInClients.has(name) ? reserve(`${name}Object`) : name;
  return {
    ...reserveAll(suffixes, (suffix) => reserve(`${name}${suffix}`)),
    whole,
    created: shownOnce.length > 0 ? reserve(`${name}Created`) : whole,
    plural: plurals.get(name)!,
    actions: new Map(
      [...actions.keys()].map((action) => [action, nameAction(`${name}${capitalised(action)}`, reserve)]),
    ),
  };
}

function nameAction(prefix: string, reserve: Reserve): ActionNames {
  return { prefix, request: reserve(`${prefix}Request`), response: reserve(`${prefix}Answer`) };
}

function capitalised(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

type Plurals = ReadonlyMap<string, string>;

/** `createVoyages` creates several of the type Voyage, so Voyages is no plural if it is a type of its own. */
function namePlurals(names: readonly string[]): Plurals {
  const used = new Set<string>();
  return new Map(
    names.map((name) => {
      const isFree = (plural: string) => !used.has(plural) && (plural === name || !names.includes(plural));
      const plural = isFree(pluralOf(name)) ? pluralOf(name) : `${name}List`;
      used.add(plural);
      return [name, plural];
    }),
  );
}

function pluralOf(name: string): string {
  if (/[^aeiou]y$/.test(name)) return name.replace(/y$/, 'ies');
  if (/(x|ch|sh)$/.test(name)) return `${name}es`;
  return name.endsWith('s') ? name : `${name}s`;
}
