// Links of the docs page, which keep the API version that the page shows. They are relative, so that they work behind a
// proxy that adds a path prefix.

import { newestVersion } from '../../model/api-versions.ts';
import type { DescriptionContext } from '../openapi/description-context.ts';

export function documentLink({ apiVersion }: DescriptionContext): string {
  return `openapi.json${versionQuery(apiVersion)}`;
}

export function pageLink(version: string): string {
  return `docs${versionQuery(version)}`;
}

function versionQuery(version: string): string {
  return version === newestVersion ? '' : `?version=${version}`;
}
