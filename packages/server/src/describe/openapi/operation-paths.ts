// Describes the paths outside of the resources: health, metrics, and the API description itself.

import { errorRefs } from './error-responses.ts';
import { jsonContent, objectSchema, type Schema, schemaRef } from './json-schema.ts';
import { headerRefs, parameterRefs } from './parameters.ts';

export const operationsTag = {
  name: 'Operations',
  description: 'Health checks, metrics and this description, for operators and their tools.',
};

export function healthSchema(): Schema {
  return objectSchema('The result of a health check.', {
    status: { type: 'string', enum: ['live', 'ready'], description: 'The state that was checked.' },
  });
}

export function operationPaths(healthName: string): Record<string, unknown> {
  const content = jsonContent(schemaRef(healthName));
  const metrics = { 'text/plain': { schema: { type: 'string' } } };
  const document = {
    description: 'OpenAPI 3.1.',
    headers: headerRefs('ETag'),
    content: jsonContent({ type: 'object' }),
  };
  return {
    '/health': operation('checkHealth', 'The same as `/health/ready`', {
      200: { description: 'The service can handle requests, and the database responds.', content },
      ...errorRefs(...anytime, 503),
    }),
    '/health/live': operation('checkLive', 'Is the process alive?', {
      200: { description: 'The process is alive.', content },
      ...errorRefs(...anytime),
    }),
    '/health/ready': operation('checkReady', 'Can the service handle requests?', {
      200: { description: 'The service can handle requests, and the database responds.', content },
      ...errorRefs(...anytime, 503),
    }),
    '/metrics': operation(
      'readMetrics',
      'Metrics for Prometheus',
      { 200: { description: 'Prometheus text format.', content: metrics }, ...errorRefs(...anytime, 401) },
      { security: [{}, { metricsToken: [] }] },
    ),
    '/openapi.json': operation(
      'readDescription',
      'This description',
      {
        200: document,
        304: { description: 'The description has not changed. The response has no body.', headers: headerRefs('ETag') },
        ...errorRefs(...anytime),
      },
      { parameters: parameterRefs('describedVersion') },
    ),
  };
}

const anytime = [400, 408, 429, 431, 500] as const;

function operation(operationId: string, summary: string, responses: Record<string, unknown>, more: object = {}) {
  return { get: { tags: [operationsTag.name], operationId, summary, responses, ...more } };
}
