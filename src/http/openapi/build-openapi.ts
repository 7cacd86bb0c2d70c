// The API description, OpenAPI 3.1, made from the model: nothing in it is written for a single type by hand, so a type
// that an operator adds is described like any other.

import type { Model } from '../../model/object-type.ts';
import { sharedSchemaName } from './component-names.ts';
import { type DescriptionContext, type DescriptionOptions, describe } from './description-context.ts';
import { errorResponses, errorSchemas } from './error-responses.ts';
import { sentSchemas } from './input-schemas.ts';
import { introduce } from './introduction.ts';
import type { Schema } from './json-schema.ts';
import { objectPaths } from './object-paths.ts';
import { answeredSchemas } from './object-schemas.ts';
import { healthSchema, metricsSecurity, operationPaths, operationsTag } from './operation-paths.ts';
import { describeParameters, type Header, headers, type Parameter } from './parameters.ts';

export interface OpenApi {
  openapi: string;
  info: Record<string, unknown>;
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, unknown>;
  components: {
    schemas: Record<string, Schema>;
    parameters: Record<string, Parameter>;
    headers: Record<string, Header>;
    responses: Record<string, unknown>;
    securitySchemes: Record<string, unknown>;
  };
}

export function buildOpenApi(model: Model, options: DescriptionOptions): OpenApi {
  const context = describe(model, options);
  const shared = { error: sharedSchemaName(model, 'error'), violation: sharedSchemaName(model, 'violation') };
  const health = sharedSchemaName(model, 'health');
  return {
    openapi: '3.1.0',
    info: describeService(context),
    servers: [{ url: options.baseUrl }],
    tags: [...context.types.map(({ name, description }) => ({ name, description })), operationsTag],
    paths: {
      ...merge(context.types.map((type) => objectPaths(context, type))),
      ...operationPaths(health),
    },
    components: {
      schemas: {
        ...merge(context.types.flatMap((type) => [answeredSchemas(context, type), sentSchemas(context, type)])),
        ...errorSchemas(shared),
        [health]: healthSchema(),
      },
      parameters: describeParameters(options.limits),
      headers,
      responses: errorResponses(context, shared),
      securitySchemes: metricsSecurity,
    },
  };
}

function describeService(context: DescriptionContext): Record<string, unknown> {
  return {
    title: 'Flaghoist',
    version: context.version,
    summary: 'Shipping business objects over REST.',
    description: introduce(context),
    license: { name: 'MIT', identifier: 'MIT' },
  };
}

function merge<T>(parts: Record<string, T>[]): Record<string, T> {
  return Object.assign({}, ...parts);
}
