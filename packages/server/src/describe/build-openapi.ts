// Builds the API description (OpenAPI 3.1) from the model. No type has handwritten content, so types that an operator
// adds are described like all others.

import type { Model } from '../model/object-type.ts';
import { guideTag, introduce } from './guide/introduction.ts';
import { createContext, type DescriptionOptions } from './openapi/description-context.ts';
import type { Schemas } from './openapi/json-schema.ts';
import { describeParameters, headers } from './openapi/parameters.ts';
import { actionPaths, serviceOperationPaths } from './openapi/paths/action-paths.ts';
import { errorResponses } from './openapi/paths/error-responses.ts';
import { objectPaths } from './openapi/paths/object-paths.ts';
import { operationPaths, operationsTag } from './openapi/paths/operation-paths.ts';
import { serviceTag } from './openapi/paths/resource-operation.ts';
import { tokenPaths, tokensTag } from './openapi/paths/token-paths.ts';
import { webhooks } from './openapi/paths/webhooks.ts';
import { pruneComponents } from './openapi/prune-components.ts';
import { actionSchemas, serviceOperationSchemas } from './openapi/schemas/action-schemas.ts';
import { nameNestedSchemas } from './openapi/schemas/name-nested-schemas.ts';
import { requestSchemas } from './openapi/schemas/request-schemas.ts';
import { responseSchemas } from './openapi/schemas/response-schemas.ts';
import { serviceSchemas } from './openapi/schemas/service-schemas.ts';
import { securitySchemes } from './openapi/security-schemes.ts';

export function buildOpenApi(model: Model, options: DescriptionOptions) {
  const context = createContext(model, options);
  const { types, settings } = context;
  const typeTags = types.map(({ name, description }) => ({ name, description: description || `A ${name}.` }));
  const paths = types.flatMap((type) => [objectPaths(context, type), actionPaths(context, type)]);
  // Of two schemas that could have the same name, the first one gets it: that of responses.
  const schemas: Schemas = Object.assign(
    {},
    ...types.map((type) => responseSchemas(context, type)),
    serviceSchemas(context),
    ...types.map((type) => requestSchemas(context, type)),
    ...types.map((type) => actionSchemas(context, type)),
    serviceOperationSchemas(context),
  );
  const messages = webhooks(context);
  return pruneComponents({
    openapi: '3.1.0',
    info: {
      title: 'Flaghoist',
      version: context.version,
      'x-api-version': context.apiVersion,
      summary: 'Shipping business objects over REST, and webhooks that never miss a change.',
      description: introduce(context),
      contact: { name: 'Documentation', url: `${options.baseUrl}/docs` },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: options.baseUrl }],
    tags: [
      guideTag(context),
      ...(settings.issuerUrl === undefined ? [tokensTag] : []),
      ...typeTags,
      serviceTag,
      operationsTag,
    ],
    paths: Object.assign(tokenPaths(context), ...paths, serviceOperationPaths(context), operationPaths(context)),
    // The messages that the service sends. Generators that would make methods of them skip references.
    webhooks: byReference(messages),
    components: {
      schemas: nameNestedSchemas(schemas, context.names),
      parameters: describeParameters(options),
      headers,
      responses: errorResponses(context),
      pathItems: messages,
      securitySchemes: securitySchemes(context),
    },
  });
}

function byReference(pathItems: Record<string, unknown>): Record<string, { $ref: string }> {
  return Object.fromEntries(Object.keys(pathItems).map((name) => [name, { $ref: `#/components/pathItems/${name}` }]));
}
