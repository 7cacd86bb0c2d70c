// What a description is made with where no service runs.

import type { DescriptionOptions } from '../../src/describe/openapi/description-context.ts';
import { newestVersion } from '../../src/model/api-versions.ts';

export const descriptionOptions: DescriptionOptions = {
  baseUrl: 'http://127.0.0.1:8080',
  version: '0.1.0',
  apiVersion: newestVersion,
  tokens: { audience: 'https://flaghoist.dev', lifetimeSeconds: 86_400, issuerUrl: undefined },
  limits: {
    bodyBytesMax: 1_048_576,
    fileBodyBytesMax: 16_777_216,
    bodyDepthMax: 64,
    filtersMax: 100,
    arrayObjectsMax: 1000,
    deliveryAttempts: 5,
    deliveryIntervalMs: 60_000,
    deliveryTimeoutMs: 10_000,
  },
};
