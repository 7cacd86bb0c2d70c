// The schema of one scalar attribute, in responses and in requests.

import { isNotNull } from '../../../database/tables/object-table-ddl.ts';
import type { ObjectType, ScalarAttribute, SelfAttribute } from '../../../model/object-type.ts';
import { describeAttribute } from '../describe-attribute.ts';
import type { DescriptionContext } from '../description-context.ts';
import { scalarExample } from '../examples/object-examples.ts';
import { orNull, type Schema, urlSchema } from '../json-schema.ts';
import { scalarKinds } from '../scalar-kinds.ts';

export function responseScalar(
  context: DescriptionContext,
  type: ObjectType,
  attribute: ScalarAttribute | SelfAttribute,
): Schema {
  const notes = notesOn(context, type, attribute);
  if (attribute.kind === 'self') return { ...urlSchema, ...notes };
  const schema = { ...scalarKinds[attribute.kind].response(attribute), ...notes };
  return isAnyJson(attribute) || isNotNull(attribute) ? schema : orNull(schema);
}

/**
 * `null` clears the attribute. In a new object, `null` lets the service fill in the value, for example the next number
 * of a sequence.
 */
export function requestScalar(
  context: DescriptionContext,
  type: ObjectType,
  attribute: ScalarAttribute,
  isCreated = false,
): Schema {
  const { response, request = response } = scalarKinds[attribute.kind];
  const schema = {
    ...withOtherForms(request(attribute), attribute),
    ...notesOn(context, type, attribute),
    ...(isCreated && defaultOf(attribute)),
  };
  const isFilledIn = isCreated && (attribute.isSequence || attribute.isFilledIn);
  return !isAnyJson(attribute) && (!isNotNull(attribute) || isFilledIn) ? orNull(schema) : schema;
}

function withOtherForms(schema: Schema, { otherForms = [] }: ScalarAttribute): Schema {
  return otherForms.length === 0 ? schema : { anyOf: [schema, ...otherForms] };
}

/** JSON without a schema may also be null. */
function isAnyJson({ kind, schema }: ScalarAttribute): boolean {
  return kind === 'json' && schema === undefined;
}

/** The value of an attribute that a new object omits. A change that omits the attribute does not change it. */
function defaultOf({ kind, default: value }: ScalarAttribute): Schema {
  if (value === undefined) return {};
  return { default: kind === 'text' || kind === 'code' ? value : JSON.parse(value) };
}

function notesOn(context: DescriptionContext, type: ObjectType, attribute: ScalarAttribute | SelfAttribute): Schema {
  const example = scalarExample(context, type, attribute);
  return {
    description: describeAttribute(attribute),
    ...(attribute.isReadOnly && { readOnly: true }),
    ...(example !== undefined && { examples: [example] }),
  };
}
