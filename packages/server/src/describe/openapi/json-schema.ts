// The subset of JSON Schema that the API description uses, and helpers to build it.

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
  const?: string | boolean;
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

export function schemaRef(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

export function jsonContent(schema: Schema): { 'application/json': { schema: Schema } } {
  return { 'application/json': { schema } };
}

/** All members are required, unless `required` names those that are. */
export function objectSchema(
  description: string,
  properties: Record<string, Schema>,
  required = Object.keys(properties),
): Schema {
  return { type: 'object', description, required, properties };
}

/** An enum gets a separate branch, because generators drop a `null` among its values. */
export function orNull(schema: Schema): Schema {
  const { type, enum: values, ...rest } = schema;
  if (values !== undefined) return { ...rest, anyOf: [{ type, enum: values }, { type: 'null' }] };
  if (typeof type === 'string') return { ...rest, type: [type, 'null'] };
  return { anyOf: [schema, { type: 'null' }] };
}
