// The schema of one scalar attribute, in responses and in requests. Requests accept more date formats and limit the
// number of digits.

import { isNotNull } from '../../database/tables/object-table-ddl.ts';
import type { ObjectType, ScalarAttribute, SelfAttribute } from '../../model/object-type.ts';
import { textFormats } from '../../model/text-formats.ts';
import { listItemsMax, listTextLengthMax } from '../../objects/check-scalar.ts';
import { describeAttribute } from './describe-attribute.ts';
import type { DescriptionContext } from './description-context.ts';
import { scalarExample } from './example-objects.ts';
import { orNull, type Schema } from './json-schema.ts';

export interface SchemaPosition {
  context: DescriptionContext;
  type: ObjectType;
}

export function answeredScalar(place: SchemaPosition, attribute: ScalarAttribute | SelfAttribute): Schema {
  const schema = { ...answeredKind(attribute), ...notesOn(place, attribute) };
  const isAlwaysThere = attribute.kind === 'self' || isAnyJson(attribute) || isNotNull(attribute);
  return isAlwaysThere ? schema : orNull(schema);
}

/**
 * `null` clears the attribute. In a new object, `null` lets the service fill in the value, for example the next number
 * of a sequence.
 */
export function sentScalar(place: SchemaPosition, attribute: ScalarAttribute, isCreated = false): Schema {
  const schema = { ...sentKind(attribute), ...notesOn(place, attribute), ...(isCreated ? defaultOf(attribute) : {}) };
  const isNullable = !isAnyJson(attribute) && (!isNotNull(attribute) || (isCreated && isFilledIn(attribute)));
  return isNullable ? orNull(schema) : schema;
}

function isFilledIn(attribute: ScalarAttribute): boolean {
  return attribute.isSequence || attribute.isFilledIn;
}

/** JSON without a schema may also be null. */
function isAnyJson(attribute: ScalarAttribute | SelfAttribute): boolean {
  return attribute.kind === 'json' && attribute.schema === undefined;
}

export const dateTimePattern = '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d$';
const sentDateTimePattern = '^\\d{4}-\\d\\d-\\d\\d(T\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,9})?)?(Z|[+-]\\d\\d:?\\d\\d)?)?$';

export const keySchema: Schema = { type: 'integer', format: 'int64', minimum: 1, maximum: Number.MAX_SAFE_INTEGER };

/** Requires padding, and requires that unused bits are zero. */
const base64Pattern = '^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$';

const base64: Schema = { type: 'string', contentEncoding: 'base64' };

function answeredKind(attribute: ScalarAttribute | SelfAttribute): Schema {
  switch (attribute.kind) {
    case 'self':
      return { type: 'string', format: 'uri' };
    case 'key':
      return keySchema;
    case 'text':
      return { type: 'string', ...lengthOf(attribute) };
    case 'code':
      return { type: 'string', enum: [...attribute.values] };
    case 'decimal':
      return { type: 'number', format: 'decimal' };
    case 'integer':
      return { type: 'integer', format: 'int32' };
    case 'boolean':
      return { type: 'boolean' };
    case 'dateTime':
      return { type: 'string', pattern: dateTimePattern };
    case 'binary':
      return base64;
    case 'textList':
      return listOf(attribute);
    case 'json':
      return { ...attribute.schema };
  }
}

function listOf({ values, minItems }: ScalarAttribute): Schema {
  const text: Schema = { type: 'string', minLength: 1, maxLength: listTextLengthMax };
  return {
    type: 'array',
    items: values.length > 0 ? { type: 'string', enum: [...values] } : text,
    uniqueItems: true,
    maxItems: listItemsMax,
    ...(minItems > 0 ? { minItems } : {}),
  };
}

function sentKind(attribute: ScalarAttribute): Schema {
  switch (attribute.kind) {
    case 'text':
      return { type: 'string', ...leastLengthOf(attribute), ...lengthOf(attribute), ...formatOf(attribute) };
    case 'decimal':
      // Values are below 10^16, but the largest ones become 10^16 when they are read as doubles.
      return { type: 'number', format: 'decimal', minimum: -1e16, maximum: 1e16 };
    case 'integer':
      return { type: 'integer', format: 'int32', minimum: attribute.minimum, maximum: attribute.maximum };
    case 'dateTime':
      return { type: 'string', pattern: sentDateTimePattern };
    case 'binary':
      return { ...base64, pattern: base64Pattern };
    case 'json': {
      // A member that responses always contain may be left out of a request. It then has its default.
      const { required: _, ...schema } = answeredKind(attribute);
      return schema;
    }
    default:
      return answeredKind(attribute);
  }
}

function lengthOf({ maxLength }: ScalarAttribute): Schema {
  return maxLength === undefined ? {} : { maxLength };
}

function leastLengthOf({ isUnique, isRequired }: ScalarAttribute): Schema {
  return isUnique && isRequired ? { minLength: 1 } : {};
}

function formatOf({ format }: ScalarAttribute): Schema {
  return format ? { pattern: textFormats[format].pattern } : {};
}

/** The value of an attribute that is left out of a new object. A change leaves the attribute as it is. */
function defaultOf({ kind, default: value }: ScalarAttribute): Schema {
  if (value === undefined) return {};
  return { default: kind === 'text' || kind === 'code' ? value : JSON.parse(value) };
}

function notesOn(place: SchemaPosition, attribute: ScalarAttribute | SelfAttribute): Schema {
  const example = scalarExample(place.context, place.type, attribute);
  return {
    description: describeAttribute(attribute),
    ...(attribute.isReadOnly ? { readOnly: true } : {}),
    ...(example === undefined ? {} : { examples: [example] }),
  };
}
