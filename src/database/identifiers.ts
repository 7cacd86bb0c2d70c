// SQL names of the model's types and attributes, and the quoting of names and literals that stand in generated SQL.
// Values that come from a request are never quoted here: they travel as parameters.

import pg from 'pg';
import type { ObjectType, ScalarAttribute } from '../model/object-type.ts';

/** Where object types have their tables: what operators query and report on. */
export const objectsSchema = 'flaghoist';

/** Where the service keeps what is no object: events, migrations, idempotency keys. */
export const systemSchema = 'flaghoist_system';

export const quoteName = pg.escapeIdentifier;

export const quoteLiteral = pg.escapeLiteral;

/** Where the service's own types have theirs: what is granted on all tables of the first schema opens none of these. */
export const serviceSchema = 'flaghoist_service';

export function schemaOf({ isServiceOwn }: ObjectType): string {
  return isServiceOwn ? serviceSchema : objectsSchema;
}

/** What an attribute is, where `key` is the key of its object and `alias` the row. */
export function storedValue({ column, isMade }: Pick<ScalarAttribute, 'column' | 'isMade'>, alias: string): string {
  return isMade ? madeFrom(column, `${alias}."key"`) : `${alias}.${quoteName(column)}`;
}

export function madeFrom(column: string, key: string): string {
  return `${systemSchema}.${quoteName(column)}(${key})`;
}

export function tableOf(type: ObjectType): string {
  return `${schemaOf(type)}.${quoteName(type.table)}`;
}
