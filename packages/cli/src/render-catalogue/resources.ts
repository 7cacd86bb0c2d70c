// Finds the resources of a service in its API description: their objects, bodies and actions.

import {
  type Description,
  type Operation,
  propertiesOf,
  requestOf,
  resolve,
  responseOf,
  type Schema,
  withoutNull,
} from './description.ts';

export interface Resource {
  name: string;
  description: string | undefined;
  attributes: Attribute[];
  /** Only the response that creates the object contains them. */
  shownOnce: Record<string, Schema>;
  create: Schema | undefined;
  change: Schema | undefined;
  actions: Action[];
}

export interface Attribute {
  name: string;
  schema: Schema;
  kind: 'scalar' | 'reference' | 'collection';
  /** The type that a reference or a collection leads to. */
  to: string | undefined;
  isNullable: boolean;
  shown: Schema['x-flaghoist-shown'];
}

export interface Action {
  name: string;
  method: 'GET' | 'POST';
  on: 'object' | 'type' | 'both';
  operation: Operation;
}

export function findResources(description: Description): Resource[] {
  const names = Object.keys(description.paths).flatMap((path) => /\/ws\/rest\/(\w+)\/\{key\}$/.exec(path)?.[1] ?? []);
  return names.map((name) => readResource(description, name));
}

function readResource(description: Description, name: string): Resource {
  const { paths } = description;
  const whole = responseOf(paths[`/ws/rest/${name}/{key}`]?.get) ?? {};
  const properties = propertiesOf(description, whole);
  const { post } = paths[`/ws/rest/${name}`] ?? {};
  const created = propertiesOf(description, responseOf(post) ?? whole);
  return {
    name,
    description: resolve(description, whole).description,
    attributes: Object.entries(properties).map(([attribute, schema]) => readAttribute(description, attribute, schema)),
    shownOnce: Object.fromEntries(Object.entries(created).filter(([attribute]) => !(attribute in properties))),
    create: requestOf(post),
    change: requestOf(paths[`/ws/rest/${name}/{key}`]?.put),
    actions: findActions(description, name),
  };
}

function readAttribute(description: Description, name: string, described: Schema): Attribute {
  const { schema, isNullable } = withoutNull(described);
  const isList = schema.type === 'array';
  const to = typeOf(resolve(description, isList ? (schema.items ?? {}) : schema));
  const kind = to === undefined ? 'scalar' : isList ? 'collection' : 'reference';
  return { name, schema: described, kind, to, isNullable, shown: described['x-flaghoist-shown'] };
}

function typeOf(schema: Schema): string | undefined {
  return schema['x-flaghoist-type'] ?? schema['x-flaghoist-minimized'] ?? schema['x-flaghoist-reference'];
}

function findActions(description: Description, type: string): Action[] {
  const found = new Map<string, Action>();
  for (const [path, item] of Object.entries(description.paths)) {
    const [, resource, key, name] = /\/ws\/rest\/(\w+)\/(\{key\}\/)?(\w+)$/.exec(path) ?? [];
    const operation = item.get ?? item.post;
    if (resource !== type || name === undefined || !operation || !isAction(description, operation)) continue;
    const other = found.get(name);
    if (other) other.on = 'both';
    else
      found.set(name, {
        name,
        method: item.get ? 'GET' : 'POST',
        on: key === undefined ? 'type' : 'object',
        operation,
      });
  }
  return [...found.values()];
}

/** A stream of events has no JSON, and what takes an array creates objects. */
function isAction(description: Description, operation: Operation): boolean {
  return responseOf(operation) !== undefined && resolve(description, requestOf(operation) ?? {}).type !== 'array';
}
