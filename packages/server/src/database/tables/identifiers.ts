// SQL names of the model's types and attributes, and the quoting of names and literals in generated SQL. Values from a
// request are never quoted here; they are sent as parameters.

import pg from 'pg';
import type { ObjectType, ScalarAttribute } from '../../model/object-type.ts';

/** The schema of business objects, which operators query and report on. */
export const objectsSchema = 'flaghoist';

/** The schema of everything that is not an object: events, migrations, idempotency keys. */
export const systemSchema = 'flaghoist_system';

export const quoteName = pg.escapeIdentifier;

export const quoteLiteral = pg.escapeLiteral;

/** The schema of the service's own types. A grant on all tables of `objectsSchema` does not include them. */
export const serviceSchema = 'flaghoist_service';

export function schemaOf({ isServiceOwn }: ObjectType): string {
  return isServiceOwn ? serviceSchema : objectsSchema;
}

/** SQL for the value of an attribute in the row `alias`. `restUrl`: the base URL of objects. */
export function storedValue(
  { column, isComputed, hasLinks, codeOf }: Pick<ScalarAttribute, 'column' | 'isComputed' | 'hasLinks' | 'codeOf'>,
  alias: string,
  restUrl: string,
): string {
  if (codeOf) return madeFrom('code_of', `${alias}.${quoteName(codeOf)}`);
  if (!isComputed) return `${alias}.${quoteName(column)}`;
  return madeFrom(column, `${alias}."key"`, ...(hasLinks ? [quoteLiteral(restUrl)] : []));
}

export function madeFrom(column: string, ...parameters: string[]): string {
  return `${systemSchema}.${quoteName(column)}(${parameters.join(', ')})`;
}

export function tableOf(type: ObjectType): string {
  return `${schemaOf(type)}.${quoteName(type.table)}`;
}
