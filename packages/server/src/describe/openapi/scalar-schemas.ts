// The schema of one scalar attribute, in responses and in requests.

import { isNotNull } from '../../database/tables/object-table-ddl.ts';
import type { ObjectType, ScalarAttribute, SelfAttribute } from '../../model/object-type.ts';
import { describeAttribute } from './describe-attribute.ts';
import type { DescriptionContext } from './description-context.ts';
import { scalarExample } from './example-objects.ts';
import { orNull, type Schema } from './json-schema.ts';
import { scalarKinds } from './scalar-kinds.ts';

export interface SchemaPosition {
  context: DescriptionContext;
  type: ObjectType;
}

export function responseScalar(position: SchemaPosition, attribute: ScalarAttribute | SelfAttribute): Schema {
  const kind = attribute.kind === 'self' ? selfSchema : scalarKinds[attribute.kind].response(attribute);
  const schema = { ...kind, ...notesOn(position, attribute) };
  const isNeverNull = attribute.kind === 'self' || isAnyJson(attribute) || isNotNull(attribute);
  return isNeverNull ? schema : orNull(schema);
}

/**
 * `null` clears the attribute. In a new object, `null` lets the service fill in the value, for example the next number
 * of a sequence.
 */
export function requestScalar(position: SchemaPosition, attribute: ScalarAttribute, isCreated = false): Schema {
  const { response, request = response } = scalarKinds[attribute.kind];
  const schema = { ...request(attribute), ...notesOn(position, attribute), ...(isCreated ? defaultOf(attribute) : {}) };
  const isNullable = !isAnyJson(attribute) && (!isNotNull(attribute) || (isCreated && isFilledIn(attribute)));
  return isNullable ? orNull(schema) : schema;
}

const selfSchema: Schema = { type: 'string', format: 'uri' };

function isFilledIn(attribute: ScalarAttribute): boolean {
  return attribute.isSequence || attribute.isFilledIn;
}

/** JSON without a schema may also be null. */
function isAnyJson(attribute: ScalarAttribute | SelfAttribute): boolean {
  return attribute.kind === 'json' && attribute.schema === undefined;
}

/** The value of an attribute that a new object omits. A change that omits the attribute does not change it. */
function defaultOf({ kind, default: value }: ScalarAttribute): Schema {
  if (value === undefined) return {};
  return { default: kind === 'text' || kind === 'code' ? value : JSON.parse(value) };
}

function notesOn(position: SchemaPosition, attribute: ScalarAttribute | SelfAttribute): Schema {
  const example = scalarExample(position.context, position.type, attribute);
  return {
    description: describeAttribute(attribute),
    ...(attribute.isReadOnly ? { readOnly: true } : {}),
    ...(example === undefined ? {} : { examples: [example] }),
  };
}
