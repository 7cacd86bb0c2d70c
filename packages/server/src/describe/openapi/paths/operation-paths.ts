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
    '/health': operation('getHealth', 'The same as `/health/ready`', readyText, ready),
    '/health/live': operation('getLiveness', 'Is the process alive?', 'Also answered while the service starts.', {
      200: { description: 'The process is alive.', content },
    }),
    '/health/ready': operation('getReadiness', 'Can the service handle requests?', readyText, ready),
    '/metrics': operation(
      'getMetrics',
      'Metrics for Prometheus',
      'Needs a token if FLAGHOIST_METRICS_TOKEN is set.',
      {
        200: { description: 'Prometheus text format.', content: { 'text/plain': { schema: { type: 'string' } } } },
        ...errorRefs(401),
      },
      { security: [{}, { metricsToken: [] }] },
    ),
    '/openapi.json': operation(
      'getDescription',
      'This description',
      'There is one for each API version.',
      {
        200: { description: 'OpenAPI 3.1.', headers: headerRefs('ETag'), content: jsonContent({ type: 'object' }) },
        304: { description: 'The description has not changed. The response has no body.', headers: headerRefs('ETag') },
      },
      { parameters: parameterRefs('describedVersion') },
    ),
  };
}

const readyText = 'For load balancers: 503 while the service starts or stops, or its database is away.';

/** Public, unless `more` says otherwise. */
function operation(
  operationId: string,
  summary: string,
  description: string,
  answers: Record<string, unknown>,
  more: object = {},
) {
  const responses = { ...answers, ...errorRefs(400, 408, 429, 431, 500) };
  return { get: { tags: [operationsTag.name], operationId, summary, description, security: [], responses, ...more } };
}
