// Renders the object types of a service, from its API description, as the TypeScript interface that the SDK takes:
// `createClient<Catalogue>()`.

import { type Description, type Operation, requestOf, responseOf } from './description.ts';
import { indent, renderComment, renderLiteral, renderName, SchemaRenderer, union } from './render-schema.ts';
import { type Action, type Attribute, findResources, type Resource } from './resources.ts';

/** `document`: `/openapi.json` of a service, parsed. `names`: of object types; with all that they refer to. */
export function renderCatalogue(document: unknown, names?: readonly string[]): string {
  const description = asDescription(document);
  const schemas = new SchemaRenderer(description);
  const all = findResources(description);
  const resources = names === undefined ? all : withReferred(all, names);
  const members = resources.map((resource) => renderResource(description, resource, schemas));
  return `${[
    '// The object types of a service, rendered from its API description (/openapi.json). Generated: do not edit it.',
    `export interface Catalogue {\n${indent(members.join('\n'))}\n}`,
    ...schemas.declarations,
    renderErrorCodes(description),
  ].join('\n\n')}\n`;
}

/** In the order of the service. What a type refers to may be selected by `fields`, over any number of references. */
export function withReferred(resources: readonly Resource[], names: readonly string[]): Resource[] {
  const found = new Set<string>();
  const add = (name: string) => {
    if (found.has(name)) return;
    found.add(name);
    const { attributes = [] } = resources.find((one) => one.name === name) ?? {};
    for (const { to } of attributes) if (to !== undefined) add(to);
  };
  for (const name of names) add(name);
  return resources.filter(({ name }) => found.has(name));
}

function asDescription(document: unknown): Description {
  const { paths, components } = (document ?? {}) as Partial<Description>;
  const isOfFlaghoist = components?.schemas && Object.keys(paths ?? {}).some((path) => path.startsWith('/ws/rest/'));
  if (!isOfFlaghoist) throw new Error('This is not the API description of a Flaghoist service.');
  return document as Description;
}

function renderResource(description: Description, resource: Resource, schemas: SchemaRenderer): string {
  const { name, attributes, shownOnce, create, change, actions } = resource;
  const ofKind = (kind: Attribute['kind']) => attributes.filter((attribute) => attribute.kind === kind);
  const scalars = Object.fromEntries(ofKind('scalar').map((attribute) => [attribute.name, attribute.schema]));
  const parts: Record<string, string> = {
    scalars: block(schemas.renderMembers(scalars, () => true, false)),
    references: block(ofKind('reference').map(renderReference).join('\n')),
    collections: block(ofKind('collection').map(renderCollection).join('\n')),
    shownBy: literals(shownBy(description, name)),
    onlyInObject: literals(attributes.filter(({ shown }) => shown === 'object').map((attribute) => attribute.name)),
    onlyByFields: literals(attributes.filter(({ shown }) => shown === 'fields').map((attribute) => attribute.name)),
    shownOnce: block(schemas.renderMembers(shownOnce, () => true, false)),
    create: create ? schemas.render(create, true) : 'never',
    change: change ? schemas.render(change, true) : 'never',
    actions: block(actions.map((action) => renderAction(action, schemas)).join('\n')),
  };
  const lines = Object.entries(parts).map(([part, type]) => `${part}: ${type};`);
  return `${renderComment(resource)}${renderName(name)}: ${block(lines.join('\n'))};`;
}

/** `'Port' | null`: the type of the object, and null if there may be none. */
function renderReference({ name, schema, to, isNullable }: Attribute): string {
  return `${renderComment(schema)}${renderName(name)}: ${renderLiteral(to)}${isNullable ? ' | null' : ''};`;
}

function renderCollection({ name, schema, to }: Attribute): string {
  return `${renderComment(schema)}${renderName(name)}: ${renderLiteral(to)};`;
}

function renderAction({ name, method, on, operation }: Action, schemas: SchemaRenderer): string {
  const parts = [
    `on: ${renderLiteral(on)};`,
    `method: ${renderLiteral(method)};`,
    `takes: ${renderTakes(operation, schemas)};`,
    `answers: ${schemas.render(responseOf(operation) ?? {}, false)};`,
  ];
  return `${renderComment({ description: operation.summary })}${renderName(name)}: ${block(parts.join('\n'))};`;
}

function renderTakes(operation: Operation, schemas: SchemaRenderer): string {
  const body = requestOf(operation);
  if (body) return schemas.render(body, true);
  const parameters = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query');
  const members = parameters.map(({ name = '', schema, description }) => [name, { ...schema, description }]);
  const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name);
  return block(schemas.renderMembers(Object.fromEntries(members), (name) => required.includes(name), true));
}

/** The attributes that references to a type show. */
function shownBy({ components }: Description, name: string): string[] {
  const reference = Object.values(components.schemas).find((schema) => schema['x-flaghoist-reference'] === name);
  return Object.keys(reference?.properties ?? {}).filter((property) => property !== 'key' && property !== 'self');
}

/** The names of the errors that the service answers with. */
function renderErrorCodes({ components }: Description): string {
  const codes = components.headers?.['flaghoist-error']?.schema?.['x-extensible-enum'] ?? [];
  return `export type ServiceErrorCode = ${codes.length > 0 ? union(codes.map(renderLiteral)) : 'string'};`;
}

function block(members: string): string {
  return members === '' ? 'Record<never, never>' : `{\n${indent(members)}\n}`;
}

function literals(all: readonly string[]): string {
  return union(all.map(renderLiteral));
}
