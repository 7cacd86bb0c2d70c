// Generates requests from the API description: valid, almost valid, and invalid.

import { follow, type Operation, type SchemaNode } from './api-document.ts';
import { type Draw, drawValue, isLikely, pick, type World } from './generate-value.ts';
import { type Body, plainBody, spoilBody } from './spoil-body.ts';

export interface GeneratedRequest {
  operation: Operation;
  method: string;
  /** Path and query. */
  target: string;
  headers: Record<string, string>;
  body: Body | undefined;
  /** The key in the path, where there is one and it is an integer. */
  key: number | undefined;
}

export interface KnownTags {
  /** ETags that were answered, by path. */
  etags: Map<string, string>;
}

export function drawRequest(draw: Draw, world: World & KnownTags, operation: Operation): GeneratedRequest {
  const key = operation.path.includes('{key}') ? drawKey(draw, world, operation) : undefined;
  const path = operation.path.replace('{key}', key ?? '');
  const query = drawQuery(draw, world, operation);
  const body = drawBody(draw, world, operation);
  return {
    operation,
    method: operation.method.toUpperCase(),
    target: `${path}${query.length > 0 ? `?${query.join('&')}` : ''}`,
    headers: { ...drawHeaders(draw, world, operation, path), ...(body ? drawContentType(draw) : {}) },
    body,
    key: key !== undefined && /^[1-9]\d{0,9}$/.test(key) ? Number(key) : undefined,
  };
}

export function typeOf(operation: Operation): string | undefined {
  return /^\/ws\/rest\/(\w+)/.exec(operation.path)?.[1];
}

const badKeys = ['0', '-1', 'abc', '1.5', '1e3', '99999999', '9007199254740992', '%00', '01', '%20', '１'];

function drawKey(draw: Draw, world: World, operation: Operation): string {
  const known = world.keys.get(typeOf(operation) ?? '') ?? [];
  if (known.length > 0 && isLikely(draw, 85)) return String(pick(draw, known));
  return encodeURI(pick(draw, badKeys)).replaceAll('%25', '%');
}

function drawBody(draw: Draw, world: World, { node }: Operation): Body | undefined {
  const schema = node.requestBody?.content['application/json']?.schema;
  const isLeftOut = node.requestBody?.required === false && isLikely(draw, 30);
  if (!schema || isLeftOut) return undefined;
  const value = drawValue(draw, world, schema);
  return isLikely(draw, 30) ? spoilBody(draw, value) : plainBody(value);
}

function drawContentType(draw: Draw): Record<string, string> {
  if (isLikely(draw, 95)) return { 'content-type': 'application/json' };
  const type = pick(draw, ['application/json; charset=UTF-8', 'text/plain', 'application/json; charset=latin1', '']);
  return type === '' ? {} : { 'content-type': type };
}

function drawQuery(draw: Draw, world: World, operation: Operation): string[] {
  const parts = operation.parameters
    .filter((parameter) => parameter.in === 'query')
    .flatMap(({ name, schema }) => {
      if (!isLikely(draw, name === 'after' ? 2 : 25)) return [];
      const count = schema.type === 'array' ? pick(draw, [1, 1, 2, 3]) : 1;
      return Array.from({ length: count }, () => [name, drawParameter(draw, world, operation, name, schema)] as const);
    });
  if (isLikely(draw, 2)) parts.push(['noSuch', 'x']);
  return parts.map(([name, value]) => `${name}=${encodeText(value)}`);
}

function encodeText(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));
}

function drawParameter(draw: Draw, world: World, operation: Operation, name: string, schema: SchemaNode): string {
  if (isLikely(draw, 5)) return pick(draw, hostileTexts);
  const type = world.document.components.schemas[typeOf(operation) ?? ''] ?? {};
  switch (name) {
    case 'filter':
      return isLikely(draw, 10) ? '(OR)' : drawFilter(draw, world, type);
    case 'sort':
      return `${drawPath(draw, world, type, isLikely(draw, 10)).path}(${pick(draw, ['AS', 'ASI', 'DS', 'DSI'])})`;
    case 'fields':
      return JSON.stringify(drawFields(draw, world, type));
    case 'version':
      return pick(draw, isLikely(draw, 90) ? knownVersions : unknownVersions);
    case 'limit':
    case 'pageNumber':
      return String(pick(draw, isLikely(draw, 95) ? [1, 1, 2, 3, 10, 2000] : [0, 2001, -1]));
    default:
      return String(drawValue(draw, world, schema));
  }
}

const knownVersions = ['3.3', '4.7', '5.23', '6.44'];
const unknownVersions = ['', '3.2', '6.45', '5', 'x', '5.23.1'];

const unordered = ['EQ', 'NE', 'IN', 'NIN', 'NULL', 'NOTNULL'];
const ordered = [...unordered, 'GT', 'GTE', 'LT', 'LTE', 'BETWEEN'];
const operators = [...ordered, 'LIKE', 'ILIKE'];

function operatorsFor(schema: SchemaNode): string[] {
  if ([schema.type].flat().includes('array')) return isTextList(schema) ? unordered : ['NULL', 'NOTNULL'];
  const [type] = [schema.type ?? schema.anyOf?.[0]?.type].flat();
  if (type === undefined || type === 'boolean') return unordered;
  return type === 'string' && schema.pattern === undefined ? operators : ordered;
}

/** Its elements are no objects. */
function isTextList({ items }: SchemaNode): boolean {
  return items?.type === 'string';
}

function drawFilter(draw: Draw, world: World, type: SchemaNode): string {
  const { path, schema } = drawPath(draw, world, type);
  const operator = pick(draw, isLikely(draw, 90) ? operatorsFor(schema) : operators);
  const value = () => {
    const isReference = typeBehind(world, schema).properties !== undefined;
    const drawn = isReference
      ? pick(draw, [1, 1001, 1042])
      : drawValue(draw, world, isTextList(schema) ? schema.items! : schema);
    const text = isLikely(draw, 95) ? String(drawn) : pick(draw, hostileTexts);
    return isLikely(draw, 30) ? `"${text.replace(/["\\]/g, '\\$&')}"` : text;
  };
  if (operator.endsWith('NULL')) return `${path}(${operator})`;
  if (operator.endsWith('IN')) return `${path}(${operator})(${value()},${value()})`;
  return `${path}(${operator})${operator === 'BETWEEN' ? `(${value()},${value()})` : value()}`;
}

/** A path over references and collections, as far as the types go. */
function drawPath(
  draw: Draw,
  world: World,
  type: SchemaNode,
  crossesCollections = true,
): { path: string; schema: SchemaNode } {
  const names: string[] = [];
  let at = typeBehind(world, type);
  for (let depth = 0; depth < 4; depth += 1) {
    const steps = Object.entries(at.properties ?? { key: {} }).filter(([name, { type: kind, contentEncoding }]) => {
      const isArray = [kind].flat().includes('array');
      return name !== 'self' && contentEncoding === undefined && (crossesCollections || !isArray);
    });
    const [name, schema] = pick(draw, steps);
    names.push(name);
    const next = typeBehind(world, schema);
    if (next.properties === undefined || isLikely(draw, 10)) return { path: names.join('.'), schema };
    at = next;
  }
  return { path: [...names, 'key'].join('.'), schema: { type: 'integer', minimum: 1 } };
}

/** The object type behind a reference or collection; a scalar is itself. */
function typeBehind(world: World, schema: SchemaNode): SchemaNode {
  const found = follow(world.document, schema);
  const inner = found.items ?? found.allOf?.[0] ?? found.anyOf?.find(({ $ref }) => $ref !== undefined);
  return inner ? typeBehind(world, inner) : found;
}

function drawFields(draw: Draw, world: World, type: SchemaNode, depth = 0): Record<string, unknown> {
  const entries = Object.entries(typeBehind(world, type).properties ?? {});
  const chosen = entries.filter(() => isLikely(draw, 15));
  return Object.fromEntries(
    chosen.map(([name, schema]) => {
      const isTree = typeBehind(world, schema).properties !== undefined;
      return [name, isTree && depth < 3 && isLikely(draw, 60) ? drawFields(draw, world, schema, depth + 1) : '*'];
    }),
  );
}

/** Few, so that they come again. */
const idempotencyKeys = Array.from({ length: 40 }, (_, index) => `key-${index}`);

const hostileTexts = [
  '',
  ' ',
  '(',
  ')',
  '()',
  '(EQ)',
  'key(EQ)',
  'key(EQ)x',
  'key(XX)1',
  'noSuch(EQ)1',
  'self(EQ)x',
  'key.key(EQ)1',
  'key(IN)()',
  'key(IN)(1',
  'key(BETWEEN)(1)',
  'externalObjectKey(EQ)"',
  'externalObjectKey(LIKE)\\',
  "externalObjectKey(EQ)'; drop table voyage; --",
  'createdDate(GT)2026-02-30',
  '\u0000',
  '\u{1F6A2}',
  '{',
  '[]',
  '{"key":1}',
  '{"noSuch":"*"}',
  '{"key":{}}',
  '"*"',
  '9007199254740993',
  '-1',
  'key(AS)',
  'key(UP)',
  'remarks.remarkText(AS)',
];

function drawHeaders(draw: Draw, world: World & KnownTags, operation: Operation, path: string): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const { name, in: place, schema } of operation.parameters) {
    if (place !== 'header' || !isLikely(draw, 20)) continue;
    if (name === 'fields') headers.fields = drawParameter(draw, world, operation, name, schema);
    else if (name === 'Idempotency-Key')
      headers[name] = pick(draw, isLikely(draw, 90) ? idempotencyKeys : ['', 'é', 'x'.repeat(256)]);
    else if (name === 'noCount') headers[name] = pick(draw, isLikely(draw, 90) ? ['YES', 'NO'] : ['maybe', '']);
    else if (name === 'API-Version') headers[name] = pick(draw, isLikely(draw, 90) ? knownVersions : unknownVersions);
    else headers[name] = pick(draw, [world.etags.get(path) ?? '*', '*', '"0.0"', 'W/"x"', 'x', '"a", "b"']);
  }
  // What a header cannot carry is no request at all.
  for (const [name, value] of Object.entries(headers)) {
    if (/[^\t\x20-\x7e\x80-\xff]/.test(value)) delete headers[name];
  }
  return headers;
}
