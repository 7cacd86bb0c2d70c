// Builds the API description (OpenAPI 3.1) from the model. No type has handwritten content, so types that an operator
// adds are described like all others.

import type { Model } from '../model/object-type.ts';
import { introduce } from './guide/introduction.ts';
import { createContext, type DescriptionOptions } from './openapi/description-context.ts';
import type { Schemas } from './openapi/json-schema.ts';
import { describeParameters, headers } from './openapi/parameters.ts';
import { actionPaths } from './openapi/paths/action-paths.ts';
import { errorResponses } from './openapi/paths/error-responses.ts';
import { objectPaths } from './openapi/paths/object-paths.ts';
import { operationPaths, operationsTag } from './openapi/paths/operation-paths.ts';
import { tokenPaths, tokensTag } from './openapi/paths/token-paths.ts';
import { webhooks } from './openapi/paths/webhooks.ts';
import { actionSchemas } from './openapi/schemas/action-schemas.ts';
import { requestSchemas } from './openapi/schemas/request-schemas.ts';
import { responseSchemas } from './openapi/schemas/response-schemas.ts';
import { serviceSchemas } from './openapi/schemas/service-schemas.ts';
import { securitySchemes } from './openapi/security-schemes.ts';

export function buildOpenApi(model: Model, options: DescriptionOptions) {
  const context = createContext(model, options);
  const { types, settings } = context;
  const typeTags = types.map(({ name, description }) => ({ name, description }));
  const paths = types.flatMap((type) => [objectPaths(context, type), actionPaths(context, type)]);
  const typeSchemas = types.flatMap((type) => [
    responseSchemas(context, type),
    requestSchemas(context, type),
    actionSchemas(context, type),
  ]);
  const schemas: Schemas = Object.assign({}, ...typeSchemas, serviceSchemas(context));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Flaghoist',
      version: context.version,
      'x-api-version': context.apiVersion,
      summary: 'Shipping business objects over REST, and webhooks that never miss a change.',
      description: introduce(context),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: options.baseUrl }],
    tags: [...(settings.issuerUrl === undefined ? [tokensTag] : []), ...typeTags, operationsTag],
    paths: Object.assign(tokenPaths(context), ...paths, operationPaths(context)),
    // The messages that the service sends.
    webhooks: webhooks(context),
    components: {
      schemas,
      parameters: describeParameters(options),
      headers,
      responses: errorResponses(context),
      securitySchemes: securitySchemes(context),
    },
  };
}
