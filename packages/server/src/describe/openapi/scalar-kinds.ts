// The table of scalar kinds: the schema of each kind in responses and in requests, and its example value.

import type { ScalarAttribute, ScalarKind } from '../../model/object-type.ts';
import { textFormats } from '../../model/text-formats.ts';
import { listItemsMax, listTextLengthMax } from '../../objects/check-scalar.ts';
import { spellOut } from './describe-attribute.ts';
import { dateTimePattern, dateTimeSchema, instantSchema, keySchema, type Schema, type Schemas } from './json-schema.ts';

interface KindDescription {
  response: (attribute: ScalarAttribute) => Schema;
  /** Set if requests differ from responses: for example, they accept more date formats and limit numbers. */
  request?: (attribute: ScalarAttribute) => Schema;
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
    // Values are below 10^16, but the largest ones round to 10^16 when they are read as doubles.
    request: () => ({ type: 'number', format: 'decimal', minimum: -1e16, maximum: 1e16 }),
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
    response: ({ schema }) => ({ ...schema }),
    // Responses always contain the required members. A request may omit them; they then get their defaults.
    request: ({ schema }) => {
      const { required: _, ...rest }: Schema = { ...schema };
      return rest;
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
