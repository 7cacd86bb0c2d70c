// The subset of JSON Schema that the API description uses, and functions that build it.

export interface Schema {
  $ref?: string;
  /** The name of the component that a nested schema becomes (`name-nested-schemas.ts`). */
  title?: string;
  type?: string | string[];
  description?: string;
  readOnly?: boolean;
  writeOnly?: boolean;
  deprecated?: boolean;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  maxProperties?: number;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  enum?: (string | number | null)[];
  /** The values of today; later versions may have more. */
  'x-extensible-enum'?: string[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  not?: Schema;
  if?: Schema;
  then?: Schema;
  else?: Schema;
  format?: string;
  pattern?: string;
  contentEncoding?: string;
  contentMediaType?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  default?: unknown;
  examples?: unknown[];
  /** On the component of a whole object: the name of its type. */
  'x-flaghoist-type'?: string;
  /** The same on the components of minimized objects and of references. */
  'x-flaghoist-minimized'?: string;
  'x-flaghoist-reference'?: string;
  /** On an attribute of a whole object that not every answer has: when it is shown. */
  'x-flaghoist-shown'?: ShownWhen;
}

/** For one object and not in lists; only if `fields` selects it; only in the response to the create. */
export type ShownWhen = 'object' | 'fields' | 'create';

export type Schemas = Record<string, Schema>;

export const keySchema: Schema = { type: 'integer', format: 'int64', minimum: 1, maximum: Number.MAX_SAFE_INTEGER };
export const urlSchema: Schema = { type: 'string', format: 'uri' };
export const dateTimePattern = '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d$';
export const dateTimeSchema: Schema = { type: 'string', pattern: dateTimePattern };

const instantPattern = '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}Z$';
export const instantSchema: Schema = { type: 'string', format: 'date-time', pattern: instantPattern };

export function schemaRef(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

export function jsonContent(schema: Schema): { 'application/json': { schema: Schema } } {
  return { 'application/json': { schema } };
}

/** All members are required, unless `required` names those that are. */
export function objectSchema(
  description: string,
  properties: Schemas,
  required = Object.keys(properties),
): Schema & { properties: Schemas } {
  return { type: 'object', description, ...(required.length > 0 && { required }), properties };
}

/** An enum gets a separate branch, because generators drop a `null` among its values. */
export function orNull(schema: Schema): Schema {
  const { type, enum: values, ...rest } = schema;
  if (values !== undefined) return { ...rest, anyOf: [{ type, enum: values }, { type: 'null' }] };
  if (typeof type === 'string') return { ...rest, type: [type, 'null'] };
  if (rest.anyOf !== undefined) return { ...rest, anyOf: [...rest.anyOf, { type: 'null' }] };
  return { anyOf: [schema, { type: 'null' }] };
}

/** One entry per attribute, for example the properties of a schema. */
export function byName<Named extends { name: string }, Value>(
  attributes: Iterable<Named>,
  describe: (attribute: Named) => Value,
): Record<string, Value> {
  return Object.fromEntries([...attributes].map((attribute) => [attribute.name, describe(attribute)]));
}
