// The API description as a test reads it: from a running service, with references to be followed.

export interface Document {
  info: { description: string; 'x-api-version': string };
  tags: { name: string; description: string }[];
  paths: Record<string, PathItem>;
  components: {
    schemas: Record<string, SchemaNode>;
    parameters: Record<string, ParameterNode>;
    headers: Record<string, { schema: SchemaNode }>;
    responses: Record<string, ResponseNode>;
    // biome-ignore lint/suspicious/noExplicitAny: schemes have many shapes.
    securitySchemes: Record<string, any>;
  };
}

export type PathItem = { parameters?: Ref[] } & Partial<Record<Method, OperationNode>>;
export type Method = 'get' | 'post' | 'put' | 'delete';

interface Ref {
  $ref: string;
}

export interface OperationNode {
  operationId: string;
  description?: string;
  security?: Record<string, string[]>[];
  parameters?: Ref[];
  requestBody?: { required?: boolean; content: Record<string, { schema: SchemaNode }> };
  responses: Record<string, ResponseNode | Ref>;
}

export interface ParameterNode {
  name: string;
  in: 'path' | 'query' | 'header';
  schema: SchemaNode;
}

export interface ResponseNode {
  headers?: Record<string, Ref>;
  content?: Record<string, { schema: SchemaNode; examples?: Record<string, { value: unknown }> }>;
}

export interface SchemaNode {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, SchemaNode>;
  required?: string[];
  additionalProperties?: boolean | SchemaNode;
  items?: SchemaNode;
  anyOf?: SchemaNode[];
  oneOf?: SchemaNode[];
  allOf?: SchemaNode[];
  enum?: unknown[];
  pattern?: string;
  format?: string;
  contentEncoding?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  minItems?: number;
  uniqueItems?: boolean;
  readOnly?: boolean;
  writeOnly?: boolean;
  deprecated?: boolean;
  'x-flaghoist-type'?: string;
  'x-flaghoist-minimized'?: string;
  'x-flaghoist-reference'?: string;
  'x-flaghoist-shown'?: string;
  default?: unknown;
  examples?: unknown[];
}

export interface Operation {
  path: string;
  method: Method;
  node: OperationNode;
  parameters: ParameterNode[];
}

export function operationsOf(document: Document): Operation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const node = item[method];
      const refs = [...(item.parameters ?? []), ...(node?.parameters ?? [])];
      const parameters = refs.map((ref) => follow<ParameterNode>(document, ref));
      return node ? [{ path, method, node, parameters }] : [];
    }),
  );
}

export const methods: readonly Method[] = ['get', 'post', 'put', 'delete'];

/** What a reference stands for; anything else is itself. */
export function follow<T>(document: Document, node: T | Ref): T {
  if (typeof node !== 'object' || node === null || !('$ref' in node) || typeof node.$ref !== 'string') return node as T;
  const steps = node.$ref.replace(/^#\//, '').split('/');
  const target = steps.reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], document);
  if (target === undefined) throw new Error(`${node.$ref} leads nowhere`);
  return follow(document, target as T | Ref);
}

export function responseOf(document: Document, operation: Operation, status: number): ResponseNode | undefined {
  const response = operation.node.responses[String(status)];
  return response && follow<ResponseNode>(document, response);
}
