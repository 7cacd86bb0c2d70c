// The options of a description that is built without a running service.

import { loadSettings } from '../../src/config/load-settings.ts';
import type { DescriptionOptions } from '../../src/describe/openapi/description-context.ts';
import { newestVersion } from '../../src/model/api-versions.ts';

export const descriptionOptions: DescriptionOptions = {
  baseUrl: 'http://127.0.0.1:8080',
  version: '0.1.0',
  apiVersion: newestVersion,
  settings: loadSettings({}).settings,
};

export function withSettings(environment: Record<string, string>): DescriptionOptions {
  return { ...descriptionOptions, settings: loadSettings(environment).settings };
}
