// The request parameters and response headers. Each is described once and referenced elsewhere.

import { errorTable } from '../../errors.ts';
import { newestVersion, oldestVersion } from '../../model/api-versions.ts';
import { versionPattern } from '../../model/version-pattern.ts';
import { operatorNames } from '../../query/filter/operators.ts';
import { objectsMax, pageNumberMax } from '../../query/page.ts';
import type { DescriptionOptions } from './description-context.ts';
import { keySchema, type Schema, urlSchema } from './json-schema.ts';

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  deprecated?: boolean;
  description: string;
  schema: Schema;
  style?: string;
  explode?: boolean;
  examples?: Record<string, { summary: string; value: unknown }>;
}

export interface Header {
  description: string;
  schema: Schema;
}

type ParameterName = keyof ReturnType<typeof describeParameters>;
export type HeaderName = keyof typeof headers;

export function parameterRefs(...names: ParameterName[]): { $ref: string }[] {
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

export function headerRefs(...names: HeaderName[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

export function describeParameters({ settings, apiVersion }: DescriptionOptions) {
  return {
    ...fixedParameters,
    filter: {
      ...repeatable('filter', `^(\\(OR\\)|${pathPattern}\\((${operatorNames.join('|')})\\)[\\s\\S]*)$`),
      description:
        `\`<path>(<OP>)<value>\`, repeatable, at most ${settings.filtersMax} times; all filters must match. \`(OR)\` ` +
        `between other filters separates groups. Operators: ${operatorNames.join(', ')}.`,
      examples: {
        two: { summary: 'Both must match', value: ['createdDate(GTE)2026-01-01', 'externalObjectKey(NOTNULL)'] },
        either: { summary: 'One of the two', value: ['key(EQ)1001', '(OR)', 'externalObjectKey(ILIKE)"acme-%"'] },
      },
    },
    apiVersion: {
      name: 'API-Version',
      in: 'header',
      description:
        `The API version of the request, from ${oldestVersion} to ${newestVersion}. Default: the \`apiVersion\` of ` +
        `the user, or the newest if there is none. This document describes ${apiVersion}.`,
      schema: versionSchema,
      examples: { described: { summary: 'The version of this document', value: apiVersion } },
    },
  } satisfies Record<string, Parameter>;
}

const versionSchema: Schema = { type: 'string', pattern: versionPattern };
const pathPattern = '[A-Za-z][A-Za-z0-9.]*';

const fieldsText = 'JSON that mirrors the object and selects what to show, or `"*"` for whole objects.';
const fields = {
  name: 'fields',
  schema: { type: 'string', contentMediaType: 'application/json' },
  examples: {
    some: { summary: 'Two attributes', value: '{"createdDate":"*","externalObjectKey":"*"}' },
    whole: { summary: 'The whole object', value: '"*"' },
  },
} as const;

const fixedParameters = {
  key: { name: 'key', in: 'path', required: true, description: 'Key of the object.', schema: keySchema },
  fieldsQuery: { ...fields, in: 'query', description: fieldsText },
  fieldsHeader: {
    ...fields,
    in: 'header',
    description: `${fieldsText} If both the header and the query parameter are sent, they must be equal.`,
  },
  sort: {
    ...repeatable('sort', `^${pathPattern}\\((AS|ASI|DS|DSI)\\)$`, 10),
    description:
      '`<path>(AS|ASI|DS|DSI)`, repeatable: ascending or descending, `I` ignores case. Ties are broken by `key`.',
    examples: { newest: { summary: 'Newest first', value: ['modifiedDate(DS)'] } },
  },
  pageNumber: query('pageNumber', 'The number of the page, from 1.', {
    type: 'integer',
    format: 'int64',
    minimum: 1,
    maximum: pageNumberMax,
  }),
  limit: query(
    'limit',
    `Objects per page. Without it, a list of more than ${objectsMax} objects is rejected with 400.`,
    { type: 'integer', minimum: 1, maximum: objectsMax },
  ),
  after: query('after', 'The cursor of the `next` link: the page starts after the last object of the previous page.', {
    type: 'string',
    pattern: '^[\\w-]+$',
  }),
  noCount: header('noCount', '`YES` omits `totalObjectsNumber`, which saves the time to count.', {
    type: 'string',
    enum: ['YES', 'NO'],
    default: 'NO',
  }),
  ifMatch: header(
    'If-Match',
    'An `ETag` of the object: the request is rejected with 412 if the object has changed since. `*` matches any state.',
  ),
  ifNoneMatch: header(
    'If-None-Match',
    'An `ETag`: if the response would be the same, a 304 without a body is returned.',
  ),
  describedVersion: {
    name: 'version',
    in: 'query',
    description: `The API version to describe, from ${oldestVersion} to ${newestVersion}. Default: the newest.`,
    schema: versionSchema,
    examples: { oldest: { summary: 'The oldest', value: oldestVersion } },
  },
  idempotencyKey: header(
    'Idempotency-Key',
    'Chosen by the caller. A repeat within 24 hours returns the first response and creates nothing.',
    { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
  ),
} as const satisfies Record<string, Parameter>;

function query(name: string, description: string, schema: Schema): Parameter {
  return { name, in: 'query', description, schema };
}

function header(name: string, description: string, schema: Schema = { type: 'string' }): Parameter {
  return { name, in: 'header', description, schema };
}

function repeatable(name: string, pattern: string, maxItems?: number) {
  const schema: Schema = {
    type: 'array',
    ...(maxItems !== undefined && { maxItems }),
    items: { type: 'string', pattern },
  };
  return { name, in: 'query' as const, style: 'form', explode: true, schema };
}

export const headers = {
  totalObjectsNumber: {
    description: 'The number of matching objects on all pages. Omitted with `noCount: YES`.',
    schema: { type: 'integer', minimum: 0 },
  },
  Link: textHeader('The `first`, `prev`, `next` and `last` page (RFC 8288), if the request asks for a page.'),
  ETag: textHeader(
    'Identifies the state of the object with its sub-objects and, after a dot, the bytes of this response.',
  ),
  Location: { description: 'URL of the new object.', schema: urlSchema },
  Vary: textHeader('Request headers that the response depends on.'),
  Allow: textHeader('The methods that the resource supports.'),
  'Retry-After': { description: 'Seconds to wait before a retry.', schema: { type: 'integer', minimum: 0 } },
  'Cache-Control': textHeader('Whether and how long the response may be cached.'),
  'WWW-Authenticate': textHeader('How to authenticate.'),
  'flaghoist-request-id': textHeader('The id of the request in the log of the service. Under `/ws/rest`.'),
  'flaghoist-error': {
    description: 'The name of the error, for programs. `docs/reference/errors.md` lists all of them.',
    // An `enum` would make clients reject the errors of later versions.
    schema: { type: 'string', 'x-extensible-enum': Object.keys(errorTable) },
  },
  Deprecation: textHeader('Only if the request or the answer has something deprecated: since when, `@<unix time>`.'),
  Sunset: textHeader('From when on it may be removed, if that is known (RFC 8594).'),
} satisfies Record<string, Header>;

function textHeader(description: string): Header {
  return { description, schema: { type: 'string' } };
}
