// Describes the paths outside of the resources: health, metrics, and the API description itself.

import { errorRefs } from './error-responses.ts';
import { jsonContent, type Schema, schemaRef } from './json-schema.ts';
import { headerRefs, parameterRef } from './parameters.ts';

export const operationsTag = {
  name: 'Operations',
  description: 'What operators and their tools ask: is it alive, is it ready, what are the numbers.',
};

export function healthSchema(): Schema {
  return {
    type: 'object',
    description: 'A sign of life.',
    required: ['status'],
    properties: { status: { type: 'string', enum: ['live', 'ready'], description: 'What was asked for, and is so.' } },
  };
}

export function operationPaths(healthName: string): Record<string, unknown> {
  const health = jsonContent(schemaRef(healthName));
  return {
    '/health': {
      get: operation('checkHealth', 'The same as `/health/ready`', {
        200: { description: 'It can serve requests; the database answers.', content: health },
        ...errorRefs(...anytime, 503),
      }),
    },
    '/health/live': {
      get: operation('checkLive', 'Is the process alive?', {
        200: { description: 'It is.', content: health },
        ...errorRefs(...anytime),
      }),
    },
    '/health/ready': {
      get: operation('checkReady', 'Can it serve requests?', {
        200: { description: 'It can; the database answers.', content: health },
        ...errorRefs(...anytime, 503),
      }),
    },
    '/metrics': {
      get: {
        ...operation('readMetrics', 'Numbers for Prometheus', {
          200: { description: 'Prometheus text format.', content: { 'text/plain': { schema: { type: 'string' } } } },
          ...errorRefs(...anytime, 401),
        }),
        security: [{}, { metricsToken: [] }],
      },
    },
    '/openapi.json': {
      get: {
        ...operation('readDescription', 'This description', {
          200: {
            description: 'OpenAPI 3.1.',
            headers: headerRefs('ETag'),
            content: jsonContent({ type: 'object' }),
          },
          304: { description: 'It is as it was; there is no body.', headers: headerRefs('ETag') },
          ...errorRefs(...anytime),
        }),
        parameters: [parameterRef('describedVersion')],
      },
    },
  };
}

const anytime = [400, 408, 429, 431, 500] as const;

function operation(operationId: string, summary: string, responses: Record<string, unknown>) {
  return { tags: [operationsTag.name], operationId, summary, responses };
}
