// The schema of one scalar attribute, in responses and in requests.

import { isNotNull } from '../../../database/tables/object-table-ddl.ts';
import type { ObjectType, ScalarAttribute, SelfAttribute } from '../../../model/object-type.ts';
import { deprecationOf, describeAttribute } from '../describe-attribute.ts';
import type { DescriptionContext } from '../description-context.ts';
import { scalarExample } from '../examples/object-examples.ts';
import { orNull, type Schema, urlSchema } from '../json-schema.ts';
import { scalarKinds } from '../scalar-kinds.ts';

export function responseScalar(
  context: DescriptionContext,
  type: ObjectType | undefined,
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
  type: ObjectType | undefined,
  attribute: ScalarAttribute,
  isCreated = false,
): Schema {
  const { response, request = response } = scalarKinds[attribute.kind];
  const schema = {
    ...withOtherForms(request(attribute, isCreated), attribute),
    ...notesOn(context, type, attribute),
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

/**
 * A query parameter with its default. Bodies have none: generators take a member with a default for one that is always
 * there. Its description says it (`describeAttribute`).
 */
export function parameterSchema(
  context: DescriptionContext,
  type: ObjectType | undefined,
  member: ScalarAttribute,
): Schema {
  // A query parameter cannot be null.
  const schema = requestScalar(context, type, { ...member, isRequired: true }, true);
  return { ...schema, ...defaultOf(member) };
}

function defaultOf({ kind, default: value }: ScalarAttribute): Schema {
  if (value === undefined) return {};
  return { default: kind === 'text' || kind === 'code' ? value : JSON.parse(value) };
}

function notesOn(
  context: DescriptionContext,
  type: ObjectType | undefined,
  attribute: ScalarAttribute | SelfAttribute,
): Schema {
  const example = scalarExample(context, type, attribute);
  return {
    description: describeAttribute(attribute),
    ...(attribute.isReadOnly && { readOnly: true }),
    ...deprecationOf(attribute),
    ...(example !== undefined && { examples: [example] }),
  };
}
