// The subset of JSON Schema that the API description uses, and functions that build it.

export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  readOnly?: boolean;
  writeOnly?: boolean;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  enum?: (string | number | null)[];
  const?: string | number | boolean;
  anyOf?: Schema[];
  allOf?: Schema[];
  format?: string;
  pattern?: string;
  contentEncoding?: string;
  contentMediaType?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  default?: unknown;
  examples?: unknown[];
}

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
  return { type: 'object', description, required, properties };
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
