// SQL names of the model's types and attributes, and the quoting of names and literals that stand in generated SQL.
// Values that come from a request are never quoted here: they travel as parameters.

import pg from 'pg';
import type { ObjectType } from '../model/object-type.ts';

/** Where object types have their tables: what operators query and report on. */
export const objectsSchema = 'flaghoist';

/** Where the service keeps its own tables: events, migrations, idempotency keys. */
export const systemSchema = 'flaghoist_system';

export const quoteName = pg.escapeIdentifier;

export const quoteLiteral = pg.escapeLiteral;

export function tableOf(type: ObjectType): string {
  return `${objectsSchema}.${quoteName(type.table)}`;
}
