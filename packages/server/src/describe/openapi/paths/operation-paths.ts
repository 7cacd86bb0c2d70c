// Describes the paths outside of the resources: health, metrics, and the API description itself.

import type { DescriptionContext } from '../description-context.ts';
import { jsonContent, schemaRef } from '../json-schema.ts';
import { headerRefs, parameterRefs } from '../parameters.ts';
import { errorRefs } from './error-responses.ts';

export const operationsTag = {
  name: 'Operations',
  description: 'Health checks, metrics and this description, for operators and their tools.',
};

export function operationPaths({ names }: DescriptionContext): Record<string, unknown> {
  const content = jsonContent(schemaRef(names.shared.health));
  const ready = {
    200: { description: 'The service can handle requests, and the database responds.', content },
    ...errorRefs(503),
  };
  return {
    '/health': operation('checkHealth', 'The same as `/health/ready`', ready),
    '/health/live': operation('checkLive', 'Is the process alive?', {
      200: { description: 'The process is alive.', content },
    }),
    '/health/ready': operation('checkReady', 'Can the service handle requests?', ready),
    '/metrics': operation(
      'readMetrics',
      'Metrics for Prometheus',
      {
        200: { description: 'Prometheus text format.', content: { 'text/plain': { schema: { type: 'string' } } } },
        ...errorRefs(401),
      },
      { security: [{}, { metricsToken: [] }] },
    ),
    '/openapi.json': operation(
      'readDescription',
      'This description',
      {
        200: { description: 'OpenAPI 3.1.', headers: headerRefs('ETag'), content: jsonContent({ type: 'object' }) },
        304: { description: 'The description has not changed. The response has no body.', headers: headerRefs('ETag') },
      },
      { parameters: parameterRefs('describedVersion') },
    ),
  };
}

function operation(operationId: string, summary: string, responses: Record<string, unknown>, more: object = {}) {
  const errors = errorRefs(400, 408, 429, 431, 500);
  return {
    get: { tags: [operationsTag.name], operationId, summary, responses: { ...responses, ...errors }, ...more },
  };
}
