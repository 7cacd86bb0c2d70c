// Builds the API description (OpenAPI 3.1) from the model. No type has handwritten content, so types that an operator
// adds are described like all others.

import type { Model, ObjectType } from '../../model/object-type.ts';
import { actionPaths, actionSchemas } from './action-paths.ts';
import { nameShared } from './component-names.ts';
import { type DescriptionContext, type DescriptionOptions, describe } from './description-context.ts';
import { errorResponses, errorSchemas } from './error-responses.ts';
import { requestSchemas } from './input-schemas.ts';
import { introduce } from './introduction.ts';
import type { Schema } from './json-schema.ts';
import { objectPaths } from './object-paths.ts';
import { responseSchemas } from './object-schemas.ts';
import { healthSchema, operationPaths, operationsTag } from './operation-paths.ts';
import { describeParameters, type Header, headers, type Parameter } from './parameters.ts';
import { securitySchemes } from './security.ts';
import { tokenPaths, tokenSchemas, tokensTag } from './token-paths.ts';
import { notificationSchemas, webhooksPart } from './webhooks-part.ts';

export interface OpenApi {
  openapi: string;
  info: Record<string, unknown>;
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, unknown>;
  /** The messages that the service sends. */
  webhooks: Record<string, unknown>;
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
  const shared = nameShared(model);
  const types = context.types.map(({ name, description }) => ({ name, description }));
  return {
    openapi: '3.1.0',
    info: describeService(context),
    servers: [{ url: options.baseUrl }],
    tags: [...(context.tokens.issuerUrl === undefined ? [tokensTag] : []), ...types, operationsTag],
    paths: {
      ...tokenPaths(context, shared),
      ...merge(context.types.flatMap((type) => [objectPaths(context, type), actionPaths(context, type)])),
      ...operationPaths(shared.health),
    },
    webhooks: webhooksPart(context, shared),
    components: {
      schemas: {
        ...merge(context.types.flatMap((type) => schemasOf(context, type))),
        ...errorSchemas(shared),
        ...tokenSchemas(context, shared),
        ...notificationSchemas(context, shared, options.wireNames),
        [shared.health]: healthSchema(),
      },
      parameters: describeParameters(options),
      headers,
      responses: errorResponses(context, shared),
      securitySchemes: securitySchemes(context),
    },
  };
}

function schemasOf(context: DescriptionContext, type: ObjectType): Record<string, Schema>[] {
  return [responseSchemas(context, type), requestSchemas(context, type), actionSchemas(context, type)];
}

function describeService(context: DescriptionContext): Record<string, unknown> {
  return {
    title: 'Flaghoist',
    version: context.version,
    'x-api-version': context.apiVersion,
    summary: 'Shipping business objects over REST, and webhooks that never miss a change.',
    description: introduce(context),
    license: { name: 'MIT', identifier: 'MIT' },
  };
}

function merge<T>(parts: Record<string, T>[]): Record<string, T> {
  return Object.assign({}, ...parts);
}
