// Compares a response with the API description: the status is listed, and the body and the headers match the schemas of
// that status.

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { type Document, follow, type Operation, responseOf, type SchemaNode } from './api-document.ts';

export interface GivenAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

export interface AnswerChecker {
  /** What is wrong with the answer; nothing if it is as described. */
  check(operation: Operation, answer: GivenAnswer): string | undefined;
  /** The same for one that no operation describes, by the schema of its body. */
  checkBody(answer: GivenAnswer, schemaName: string): string | undefined;
  /** Nothing where the operation takes no body. */
  isBodyAllowed(operation: Operation, body: unknown): boolean | undefined;
}

export function createAnswerChecker(document: Document): AnswerChecker {
  const ajv = openSchemas(closeAnswers(document));
  const compiled = new Map<string, ValidateFunction>();
  // By what the schema says: hundreds of operations share the schemas of their errors and headers.
  const validator = (schema: SchemaNode): ValidateFunction => {
    const text = JSON.stringify(schema);
    const known = compiled.get(text) ?? ajv.compile(pointIntoDocument(text));
    compiled.set(text, known);
    return known;
  };
  const describe = (validate: ValidateFunction, value: unknown): string | undefined =>
    validate(value) ? undefined : ajv.errorsText(validate.errors);

  const check = (operation: Operation, answer: GivenAnswer): string | undefined => {
    const response = responseOf(document, operation, answer.status);
    if (!response) return `${answer.status} is not documented`;
    for (const [header, ref] of Object.entries(response.headers ?? {})) {
      const value = answer.headers[header.toLowerCase()];
      if (value === undefined) continue;
      const { schema } = follow<{ schema: SchemaNode }>(document, ref);
      const problem = describe(validator(schema), readHeader(schema, String(value)));
      if (problem) return `header ${header}: ${problem}`;
    }
    if (!response.content) return answer.text === '' ? undefined : 'there is a body, and none is documented';
    const [[mediaType, { schema }]] = Object.entries(response.content) as [[string, { schema: SchemaNode }]];
    if (!String(answer.headers['content-type']).startsWith(mediaType)) return `it is not ${mediaType}`;
    const value = mediaType.endsWith('json') ? JSON.parse(answer.text) : answer.text;
    return describe(validator(schema), value);
  };

  return {
    check,
    checkBody: ({ text }, name) => describe(validator({ $ref: `#/components/schemas/${name}` }), JSON.parse(text)),
    isBodyAllowed: (operation, body) => {
      const schema = operation.node.requestBody?.content['application/json']?.schema;
      // An action takes no object, so nothing of one can be sent back to it.
      const isAction = /\/(?!batch$)[a-z]\w*$/.test(operation.path);
      const checked = isAction ? body : withoutEchoes(body);
      const described = takesArray(document, operation, checked) ?? schema;
      return described && validator(described)(checked);
    },
  };
}

/** A POST of one object takes an array as well, as its description says: that of the operation for arrays. */
function takesArray(document: Document, { path, method }: Operation, body: unknown): SchemaNode | undefined {
  if (method !== 'post' || !Array.isArray(body)) return undefined;
  return document.paths[`${path}/batch`]?.post?.requestBody?.content['application/json']?.schema;
}

/** Schemas that refer to `document#/components/…` can be compiled with it. */
export function openSchemas({ components }: Document): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addFormat('decimal', true);
  ajv.addSchema({ $id: 'document', components });
  return ajv;
}

/**
 * A later version may answer more; this one must not. A minimized object or a reference may have whatever the whole
 * object has.
 */
function closeAnswers(document: Document): Document {
  const copy = structuredClone(document);
  const { schemas } = copy.components;
  const wholes = new Map(Object.entries(schemas).map(([name, schema]) => [schema['x-flaghoist-type'], name]));
  for (const [name, schema] of Object.entries(schemas)) {
    const type = schema['x-flaghoist-minimized'] ?? schema['x-flaghoist-reference'];
    if (type !== undefined) schemas[name] = { allOf: [schema, { $ref: `#/components/schemas/${wholes.get(type)}` }] };
    else if (schema.type === 'object') schema.additionalProperties = false;
  }
  return copy;
}

function pointIntoDocument(schema: string): SchemaNode {
  return JSON.parse(schema.replaceAll('"#/', '"document#/')) as SchemaNode;
}

/** What the service sets, but for keys, is ignored where there is nothing yet to compare it with. So is a null key. */
function withoutEchoes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEchoes);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(
    ([name, member]) => !echoes.has(name) && !(name === 'key' && member === null),
  );
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutEchoes(inner)]));
}

const echoes = new Set(['self', 'createdDate', 'modifiedDate', 'createdById', 'changedById', 'referenceNo']);

function readHeader(schema: SchemaNode, value: string): unknown {
  return schema.type === 'integer' ? Number(value) : value;
}
