// Where the page leads to, in the version that it shows. Relative, so that the links hold behind a proxy that puts a path
// before ours.

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
