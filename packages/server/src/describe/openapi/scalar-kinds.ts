// The table of scalar kinds: the schema of each kind in responses and in requests, and its example value.

import { decimalLimit } from '../../model/build-attribute.ts';
import type { ScalarAttribute, ScalarKind } from '../../model/object-type.ts';
import { textFormats } from '../../model/text-formats.ts';
import { listItemsMax, listTextLengthMax } from '../../objects/check-scalar.ts';
import { spellOut } from './describe-attribute.ts';
import { dateTimePattern, dateTimeSchema, instantSchema, keySchema, type Schema, type Schemas } from './json-schema.ts';

interface KindDescription {
  response: (attribute: ScalarAttribute) => Schema;
  /** Set if requests differ from responses: for example, they accept more date formats and limit numbers. */
  request?: (attribute: ScalarAttribute, isCreated: boolean) => Schema;
  /** Used if the model has no usable example. */
  example: (attribute: ScalarAttribute) => unknown;
  /** Whether the example in the model is usable. A model file may contain any text, number or boolean. */
  fits?: (example: unknown, attribute: ScalarAttribute) => boolean;
  /** Whether examples show a value even if the attribute may be empty. */
  hasObviousValue?: (attribute: ScalarAttribute) => boolean;
}

const requestDateTimePattern = '^\\d{4}-\\d\\d-\\d\\d(T\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,9})?)?(Z|[+-]\\d\\d:?\\d\\d)?)?$';

/** Requires padding, and requires that unused bits are zero. */
const base64Pattern = '^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$';
const base64: Schema = { type: 'string', contentEncoding: 'base64' };

export const scalarKinds: Record<ScalarKind, KindDescription> = {
  key: {
    response: () => keySchema,
    example: () => 1,
    fits: (example) => Number.isSafeInteger(example) && (example as number) > 0,
    hasObviousValue: ({ name, isObjectKey }) => name === 'key' || isObjectKey,
  },
  text: {
    response: ({ maxLength }) => ({ type: 'string', ...(maxLength !== undefined && { maxLength }) }),
    request: ({ isUnique, isRequired, maxLength, format }) => ({
      type: 'string',
      ...(isUnique && isRequired && { minLength: 1 }),
      ...(maxLength !== undefined && { maxLength }),
      ...(format && { pattern: textFormats[format].pattern }),
    }),
    example: ({ format, name, maxLength }) =>
      format ? textFormats[format].example : spellOut(name).slice(0, maxLength),
    fits: (example, { maxLength = Number.POSITIVE_INFINITY }) =>
      typeof example === 'string' && example.length <= maxLength,
  },
  code: {
    response: ({ values }) => ({ type: 'string', enum: [...values] }),
    example: (attribute) => attribute.default ?? attribute.values[0],
    fits: (example, { values }) => values.includes(example as string),
    hasObviousValue: () => true,
  },
  decimal: {
    response: () => ({ type: 'number', format: 'decimal' }),
    request: ({ minimum, maximum }) => ({
      type: 'number',
      format: 'decimal',
      ...(maximum === decimalLimit ? { exclusiveMinimum: minimum, exclusiveMaximum: maximum } : { minimum, maximum }),
    }),
    example: () => 1250.75,
    fits: (example) => typeof example === 'number',
  },
  integer: {
    response: () => ({ type: 'integer', format: 'int32' }),
    request: ({ minimum, maximum }) => ({ type: 'integer', format: 'int32', minimum, maximum }),
    example: () => 1,
    fits: (example) => Number.isInteger(example),
    hasObviousValue: ({ isAssigned, isSequence }) => isAssigned || isSequence,
  },
  boolean: {
    response: () => ({ type: 'boolean' }),
    example: (attribute) => attribute.default === 'true',
    fits: (example) => typeof example === 'boolean',
    hasObviousValue: () => true,
  },
  dateTime: {
    response: ({ isInstant }) => (isInstant ? instantSchema : dateTimeSchema),
    request: () => ({ type: 'string', pattern: requestDateTimePattern }),
    example: ({ isInstant }) => (isInstant ? '2026-11-15T08:30:00.123456Z' : '2026-11-15T08:30:00'),
    fits: (example) => typeof example === 'string' && new RegExp(dateTimePattern).test(example),
    hasObviousValue: () => true,
  },
  binary: {
    response: () => base64,
    request: () => ({ ...base64, pattern: base64Pattern }),
    example: () => 'SGVsbG8sIHdvcmxkIQ==',
  },
  textList: {
    response: ({ values, minItems, isOrdered }) => ({
      type: 'array',
      items:
        values.length > 0
          ? { type: 'string', enum: [...values] }
          : { type: 'string', minLength: 1, maxLength: listTextLengthMax },
      ...(!isOrdered && { uniqueItems: true }),
      maxItems: listItemsMax,
      ...(minItems > 0 && { minItems }),
    }),
    example: ({ name, values, minItems }) => {
      const [length, text] = [Math.max(1, minItems), spellOut(name)];
      if (values.length > 0) return values.slice(0, length);
      return Array.from({ length }, (_, at) => (at === 0 ? text : `${text} ${at + 1}`));
    },
    fits: (example, { values }) =>
      Array.isArray(example) && (values.length === 0 || example.every((text) => values.includes(text))),
  },
  json: {
    response: ({ schema }) => withoutSecrets({ ...schema }),
    request: ({ schema }, isCreated) => {
      // Responses always contain the required members. A request may omit them; they then get their defaults.
      const { required: _, ...rest }: Schema = { ...schema };
      return isCreated ? withSecretsRequired(rest) : rest;
    },
    example: ({ schema }) => {
      const [schemaExample] = (schema?.examples ?? []) as unknown[];
      if (schemaExample !== undefined) return schemaExample;
      const members = Object.entries((schema?.properties ?? {}) as Schemas);
      return Object.fromEntries(
        members.map(([name, member]) => [name, member.examples?.[0] ?? member.default ?? null]),
      );
    },
  },
};

/** Write-only members are secrets: no response has them. */
function withoutSecrets(schema: Schema): Schema {
  return mapObjects(schema, ({ properties, ...rest }) => ({
    ...rest,
    properties: Object.fromEntries(Object.entries(properties).filter(([, { writeOnly }]) => !writeOnly)),
  }));
}

/** A change may leave a secret out and keeps it; something new cannot. */
function withSecretsRequired(schema: Schema): Schema {
  return mapObjects(schema, (object) => {
    const secrets = Object.entries(object.properties).filter(([, { writeOnly }]) => writeOnly);
    if (secrets.length === 0) return object;
    return { ...object, required: [...(object.required ?? []), ...secrets.map(([name]) => name)] };
  });
}

type ObjectSchema = Schema & { properties: Schemas };

/** Applies a function to each object with properties inside a schema, innermost first. */
function mapObjects(schema: Schema, map: (object: ObjectSchema) => Schema): Schema {
  const inner = (each: Schema) => mapObjects(each, map);
  const { properties, items, anyOf, oneOf } = schema;
  const mapped: Schema = {
    ...schema,
    ...(items && { items: inner(items) }),
    ...(anyOf && { anyOf: anyOf.map(inner) }),
    ...(oneOf && { oneOf: oneOf.map(inner) }),
  };
  if (!properties) return mapped;
  const members = Object.entries(properties).map(([name, member]) => [name, inner(member)]);
  return map({ ...mapped, properties: Object.fromEntries(members) });
}
