// Compiles the statement that reads only the state of an object, to compare it with an `If-Match`.

import { tableOf } from '../../database/tables/identifiers.ts';
import type { ObjectType } from '../../model/object-type.ts';
import { stateExpression } from './state-expression.ts';

/** Takes the key as its parameter. Returns a row with `state`, or no row. */
export function compileState(type: ObjectType): string {
  return `select ${stateExpression(type, 't')} as "state" from ${tableOf(type)} t where t."key" = $1::bigint`;
}
