// What `flaghoist types` writes, of descriptions of any service.

import { describe, expect, test } from 'vitest';
import { renderCatalogue } from '../src/index.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: object) => ({ content: { 'application/json': { schema } } });

/** One type, Tug, with whatever a test adds. */
function describeTug(properties: object, more: { paths?: object; schemas?: object; headers?: object } = {}) {
  return {
    paths: {
      '/ws/rest/Tug': {
        get: { responses: { 200: json({ type: 'array', items: ref('TugRow') }) } },
        post: {
          requestBody: json(ref('TugCreate')),
          responses: { 201: json(ref('Tug')) },
        },
      },
      '/ws/rest/Tug/batch': {
        post: {
          requestBody: json({ type: 'array', items: ref('TugCreate') }),
          responses: { 201: json({ type: 'array' }) },
        },
      },
      '/ws/rest/Tug/{key}': { get: { responses: { 200: json(ref('Tug')), 404: {} } } },
      ...more.paths,
    },
    components: {
      schemas: {
        Tug: { 'x-flaghoist-type': 'Tug', description: 'A tug.', type: 'object', properties },
        TugCreate: { type: 'object', required: ['tugName'], properties: { tugName: { type: 'string' } } },
        ...more.schemas,
      },
      headers: more.headers,
    },
  };
}

test('scalars have their types, and null where they may be null', () => {
  const rendered = renderCatalogue(
    describeTug({
      key: { type: 'integer' },
      bollardPull: { type: ['number', 'null'] },
      kind: { anyOf: [{ type: 'string', enum: ['ASD', "VOITH'S"] }, { type: 'null' }] },
      tags: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
      settings: { type: 'object', additionalProperties: { type: 'string' } },
      anything: {},
    }),
  );
  for (const line of [
    'key: number;',
    'bollardPull: number | null;',
    "kind: 'ASD' | 'VOITH\\'S' | null;",
    "tags: ('a' | 'b')[];",
    'settings: Record<string, string>;',
    'anything: unknown;',
  ])
    expect(rendered).toContain(`      ${line}\n`);
});

test('references, collections, and when an attribute is shown', () => {
  const rendered = renderCatalogue(
    describeTug(
      {
        key: { type: 'integer' },
        sister: { anyOf: [ref('TugReference'), { type: 'null' }] },
        escorts: { type: 'array', items: ref('TugRow'), 'x-flaghoist-shown': 'fields' },
        photo: { type: 'string', 'x-flaghoist-shown': 'object' },
      },
      {
        schemas: {
          TugRow: { 'x-flaghoist-minimized': 'Tug', type: 'object' },
          TugReference: {
            'x-flaghoist-reference': 'Tug',
            type: 'object',
            properties: { key: {}, self: {}, photo: { type: 'string' } },
          },
        },
      },
    ),
  );
  expect(rendered).toContain("sister: 'Tug' | null;");
  expect(rendered).toContain("escorts: 'Tug';");
  expect(rendered).toContain("onlyInObject: 'photo';");
  expect(rendered).toContain("onlyByFields: 'escorts';");
  expect(rendered).toContain("shownBy: 'photo';");
});

test('bodies are declarations of their own; a type that only the service writes takes none', () => {
  const rendered = renderCatalogue(describeTug({ key: { type: 'integer' } }));
  expect(rendered).toContain('create: TugCreate;');
  expect(rendered).toContain('export interface TugCreate {\n  tugName: string;\n}');
  expect(rendered).toContain('change: never;');
});

test('actions: on an object, on the type or both, by body or by query', () => {
  const answer = {
    responses: { 200: json({ type: 'object', required: ['isMade'], properties: { isMade: { type: 'boolean' } } }) },
  };
  const rendered = renderCatalogue(
    describeTug(
      {},
      {
        paths: {
          '/ws/rest/Tug/{key}/fast': { post: { summary: 'Make fast', ...answer } },
          '/ws/rest/Tug/fast': { post: answer },
          '/ws/rest/Tug/tow': {
            get: {
              parameters: [{ name: 'limit', in: 'query', required: true, schema: { type: 'integer' } }],
              ...answer,
            },
          },
          '/ws/rest/Tug/{key}/stream': {
            get: { responses: { 200: { content: { 'text/event-stream': { schema: {} } } } } },
          },
        },
      },
    ),
  );
  expect(rendered).toContain(
    "/** Make fast */\n      fast: {\n        on: 'both';\n        method: 'POST';\n        takes: Record<never, never>;",
  );
  expect(rendered).toContain(
    "tow: {\n        on: 'type';\n        method: 'GET';\n        takes: {\n          limit: number;",
  );
  expect(rendered).not.toMatch(/stream|batch/);
});

test('the codes of errors are those of the header', () => {
  expect(renderCatalogue(describeTug({}))).toContain('export type ServiceErrorCode = string;');
  const headers = { 'flaghoist-error': { schema: { type: 'string', 'x-extensible-enum': ['stale', 'notFound'] } } };
  expect(renderCatalogue(describeTug({}, { headers }))).toContain(
    "export type ServiceErrorCode = 'stale' | 'notFound';",
  );
});

describe('whatever a model file says, the result is TypeScript', () => {
  test('a description cannot end its comment', () => {
    const rendered = renderCatalogue(describeTug({ a: { type: 'string', description: 'ends */ let x = 1; /*' } }));
    expect(rendered).toContain('/** ends * / let x = 1; /* */');
  });

  test('names that are no identifiers are quoted', () => {
    expect(renderCatalogue(describeTug({ 'a-b': { type: 'string' }, "c'd": {} }))).toContain("'a-b': string;");
  });

  test('a schema may refer to itself', () => {
    const Node = { type: 'object', properties: { next: ref('Node') } };
    const rendered = renderCatalogue(
      describeTug({ first: { type: 'array', items: ref('Node') } }, { schemas: { Node } }),
    );
    expect(rendered).toContain('first: Node[];');
    expect(rendered).toContain('export interface Node {\n  next?: Node;\n}');
  });

  test('a schema that is missing is an error that names it', () => {
    expect(() => renderCatalogue(describeTug({ a: ref('Lost') }))).toThrow('The description has no schema "Lost".');
  });
});

test.each([undefined, null, 1, 'x', {}, { paths: {} }, { openapi: '3.1.0', paths: {}, components: {} }])(
  'what is no description of a Flaghoist service is an error: %j',
  (document) => {
    expect(() => renderCatalogue(document)).toThrow('not the API description of a Flaghoist service');
  },
);
