// Renders the table of one object type as SQL: its columns and indexes. Does not know which tables exist;
// `plan-model-change.ts` decides which statements are needed.

import { snakeCase } from '../../model/build-attribute.ts';
import type { ObjectType, ReferenceAttribute, ScalarAttribute } from '../../model/object-type.ts';
import { shorten } from './constraint-names.ts';
import { objectsSchema, quoteLiteral, quoteName, schemaOf, systemSchema, tableOf } from './identifiers.ts';

export type StoredAttribute = ScalarAttribute | ReferenceAttribute;

export function storedAttributes(type: ObjectType): StoredAttribute[] {
  return [...type.scalars.filter(({ isComputed }) => !isComputed), ...type.hidden, ...type.references];
}

export function createTable(type: ObjectType): string[] {
  const sequences = type.scalars
    .filter((attribute) => attribute.isAssigned)
    .map((attribute) => createSequence(type, attribute));
  const columns = storedAttributes(type).map((attribute) => columnDefinition(type, attribute));
  const partition = type.isKeptInDays ? ' partition by range ("created_date")' : '';
  return [
    ...sequences,
    `create table ${tableOf(type)} (\n  ${[...columns, primaryKey(type)].join(',\n  ')}\n)${partition}`,
    ...storedAttributes(type).flatMap((attribute) => attributeIndexes(type, attribute)),
    ...(type.isKeptInDays ? [`select ${systemSchema}.create_day_partitions('${tableOf(type)}')`] : []),
  ];
}

/** The indexes that the type declares. They can be created again. */
export function declaredIndexes(type: ObjectType): string[] {
  const columnOf = (name: string) => quoteName((type.attributes.get(name) as StoredAttribute).column);
  return type.indexes.map(({ on, whereSet }) => {
    const name = indexName(type, [...on, ...(whereSet ? [whereSet] : [])].map((each) => snakeCase(each)).join('__'));
    const where = whereSet ? ` where ${columnOf(whereSet)} is not null` : '';
    return `create index if not exists ${name} on ${tableOf(type)} (${on.map(columnOf).join(', ')})${where}`;
  });
}

export function addColumn(type: ObjectType, attribute: StoredAttribute): string[] {
  const isAssigned = attribute.kind === 'integer' && attribute.isAssigned;
  return [
    ...(isAssigned ? [createSequence(type, attribute)] : []),
    `alter table ${tableOf(type)} add column ${columnDefinition(type, attribute)}`,
    ...attributeIndexes(type, attribute),
  ];
}

export function columnType(attribute: StoredAttribute): string {
  if (attribute.kind === 'dateTime' && attribute.isInstant) return 'timestamp(6) without time zone';
  if (attribute.kind !== 'text') return columnTypes[attribute.kind];
  return attribute.maxLength === undefined ? 'text' : `character varying(${attribute.maxLength})`;
}

const columnTypes: Record<Exclude<StoredAttribute['kind'], 'text'>, string> = {
  decimal: 'numeric(24,8)',
  integer: 'integer',
  dateTime: 'timestamp(0) without time zone',
  boolean: 'boolean',
  code: 'text',
  binary: 'bytea',
  textList: 'text[]',
  json: 'jsonb',
  key: 'bigint',
  reference: 'bigint',
};

export function isNotNull(attribute: StoredAttribute): boolean {
  if (attribute.isRequired || attribute.name === 'key') return true;
  if (attribute.kind === 'integer') return attribute.isAssigned || attribute.isSequence;
  return attribute.name === 'createdDate' || attribute.name === 'modifiedDate';
}

/** The indexes that reading needs. Constraints are in `constraints.ts`. */
function attributeIndexes(type: ObjectType, attribute: StoredAttribute): string[] {
  if (attribute.kind === 'reference') return [referenceIndex(type, attribute)];
  // A hidden key exists only for lookups.
  const isFoundBy = attribute.isObjectKey || (attribute.kind === 'key' && type.hidden.includes(attribute));
  const isIndexed = attribute.name === 'externalObjectKey' || attribute.isIndexed || isFoundBy;
  return isIndexed ? [plainIndex(type, attribute)] : [];
}

function columnDefinition(type: ObjectType, attribute: StoredAttribute): string {
  const parts = [quoteName(attribute.column), columnType(attribute)];
  if (attribute.name === 'key') parts.push('not null check ("key" between 1 and 9007199254740991)');
  else if (isNotNull(attribute)) parts.push('not null');
  const generated = generatedAs(attribute);
  const value = computedDefault(type, attribute) ?? defaultSql(attribute);
  if (generated) parts.push(`generated always as (${generated}) stored`);
  else if (value) parts.push(`default ${value}`);
  return parts.join(' ');
}

/** No table can have this name. The partition column must be part of the primary key. */
function primaryKey(type: ObjectType): string {
  const name = quoteName(shorten(`${type.table}__key__pkey`));
  return `constraint ${name} primary key ("key"${type.isKeptInDays ? ', "created_date"' : ''})`;
}

/** The default that the model declares. */
export function declaredDefault(attribute: StoredAttribute): string | undefined {
  return attribute.kind === 'reference' ? undefined : attribute.default;
}

/** The declared default as SQL. */
export function defaultSql(attribute: StoredAttribute): string | undefined {
  const value = declaredDefault(attribute);
  return value === undefined ? undefined : quoteLiteral(value);
}

/** SQL of a column that the database keeps itself. PostgreSQL lists it as a computed default. */
function generatedAs(attribute: StoredAttribute): string | undefined {
  return attribute.kind === 'reference' ? undefined : attribute.generatedAs;
}

/** The default that the database computes for each new row. */
export function computedDefault(type: ObjectType, attribute: StoredAttribute): string | undefined {
  if (attribute.kind === 'integer' && attribute.isAssigned)
    return `nextval(${quoteLiteral(sequenceOf(type, attribute))})`;
  if (generatedAs(attribute) !== undefined) return generatedAs(attribute);
  if (attribute.kind === 'text' && attribute.isSnapshot) return 'pg_current_snapshot()::text';
  return defaultsByName.get(attribute.name);
}

const defaultsByName = new Map([
  ['key', `nextval('${objectsSchema}.object_key')`],
  ['createdDate', `${systemSchema}.utc_second()`],
  ['modifiedDate', `${systemSchema}.utc_second()`],
  ['createdById', `${systemSchema}.acting_user()`],
  ['changedById', `${systemSchema}.acting_user()`],
]);

/** The second column lets a collection, or a list filtered by the reference, be read in its order. */
function referenceIndex(type: ObjectType, reference: ReferenceAttribute): string {
  const then = reference.isOwner && type.sequence ? [type.sequence.column, 'key'] : ['key'];
  const columns = [reference.column, ...then].map(quoteName).join(', ');
  return `create index ${indexName(type, reference.column)} on ${tableOf(type)} (${columns})`;
}

function plainIndex(type: ObjectType, attribute: ScalarAttribute): string {
  const column = quoteName(attribute.column);
  const where = attribute.isRequired ? '' : ` where ${column} is not null`;
  return `create index ${indexName(type, attribute.column)} on ${tableOf(type)} (${column})${where}`;
}

function indexName(type: ObjectType, column: string): string {
  return quoteName(shorten(`${type.table}__${column}__index`));
}

function createSequence(type: ObjectType, attribute: ScalarAttribute): string {
  return `create sequence ${sequenceOf(type, attribute)} as integer`;
}

function sequenceOf(type: ObjectType, attribute: ScalarAttribute): string {
  return `${schemaOf(type)}.${quoteName(shorten(`${type.table}__${attribute.column}__sequence`))}`;
}
