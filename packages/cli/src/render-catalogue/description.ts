// What is read of an API description (OpenAPI 3.1), and how to find one's way in it.

export interface Description {
  paths: Record<string, PathItem>;
  components: { schemas: Record<string, Schema>; headers?: Record<string, { schema?: Schema }> };
}

interface PathItem {
  get?: Operation;
  post?: Operation;
  put?: Operation;
}

export interface Operation {
  summary?: string;
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
}

interface Parameter {
  name?: string;
  in?: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
}

type Content = Record<string, { schema: Schema } | undefined>;

export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  deprecated?: boolean;
  readOnly?: boolean;
  enum?: unknown[];
  'x-extensible-enum'?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  /** The type of an object: on the schema of the whole object, of an object in a list, and of a reference. */
  'x-flaghoist-type'?: string;
  'x-flaghoist-minimized'?: string;
  'x-flaghoist-reference'?: string;
  /** On a property: shown only for one object, only if `fields` selects it, or only when the object is created. */
  'x-flaghoist-shown'?: 'object' | 'fields' | 'create';
}

/** `#/components/schemas/Voyage` → `Voyage` */
export function componentName({ $ref }: Schema): string | undefined {
  return $ref?.slice($ref.lastIndexOf('/') + 1);
}

/** The schema behind a `$ref`. */
export function resolve(description: Description, schema: Schema): Schema {
  const name = componentName(schema);
  if (name === undefined) return schema;
  const found = description.components.schemas[name];
  if (!found) throw new Error(`The description has no schema "${name}".`);
  return resolve(description, found);
}

/** The properties of an object schema, with those of all its parts. */
export function propertiesOf(description: Description, schema: Schema): Record<string, Schema> {
  const { allOf = [], properties = {} } = resolve(description, schema);
  return Object.assign({}, ...allOf.map((part) => propertiesOf(description, part)), properties);
}

/** The alternatives of a schema but null, and whether null is one. */
export function withoutNull(schema: Schema): { schema: Schema; isNullable: boolean } {
  const { anyOf, oneOf, ...rest } = schema;
  const choices = anyOf ?? oneOf;
  if (!choices) return { schema, isNullable: false };
  const others = choices.filter(({ type }) => type !== 'null');
  const isNullable = others.length < choices.length;
  return { schema: others.length === 1 ? { ...rest, ...others[0] } : { ...rest, anyOf: others }, isNullable };
}

/** The schema of the request, if there is one. */
export function requestOf(operation: Operation | undefined): Schema | undefined {
  return operation?.requestBody?.content['application/json']?.schema;
}

/** The schema of the successful response, if it is JSON. */
export function responseOf(operation: Operation | undefined): Schema | undefined {
  const success = Object.entries(operation?.responses ?? {}).find(([status]) => /^2\d\d$/.test(status));
  return success?.[1].content?.['application/json']?.schema;
}
