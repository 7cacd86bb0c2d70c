// The input of every part of the API description and of the docs page.

import { audienceOf } from '../../config/audience-of.ts';
import type { Settings } from '../../config/settings-table.ts';
import { newestVersion } from '../../model/api-versions.ts';
import type { Model, ObjectType } from '../../model/object-type.ts';
import { restPath } from '../../paths.ts';
import { type ComponentNames, nameComponents, type TypeNames } from './component-names.ts';

export interface DescriptionOptions {
  /** The URL of the service as seen from outside. */
  baseUrl: string;
  /** The version of the service. */
  version: string;
  /** A row of the version table. The model is already limited to this version. */
  apiVersion: string;
  settings: Settings;
}

export interface DescriptionContext extends DescriptionOptions {
  types: readonly ObjectType[];
  names: ComponentNames;
  restUrl: string;
  /** The audience of tokens. */
  audience: string;
  /** Whether the model has anything deprecated, so that answers may have headers that say so. */
  hasDeprecations: boolean;
}

export function createContext(model: Model, options: DescriptionOptions): DescriptionContext {
  return {
    ...options,
    types: [...model.types.values()],
    names: nameComponents(model),
    restUrl: `${options.baseUrl}${restPath}`,
    audience: audienceOf(options.settings),
    hasDeprecations: [...model.types.values()].some(isPartlyDeprecated),
  };
}

function isPartlyDeprecated({ deprecated, attributes, writeOnly, actions }: ObjectType): boolean {
  const isDeprecated = (part: { deprecated?: unknown }) => part.deprecated !== undefined;
  return (
    deprecated !== undefined ||
    [...attributes.values(), ...writeOnly.values(), ...actions.values()].some(isDeprecated) ||
    [...actions.values()].some(({ takes, answers }) => [...takes, ...answers].some(isDeprecated))
  );
}

/** The metadata URL of an external issuer (OpenID Connect Discovery §4). */
export function metadataUrl(issuerUrl: string): string {
  return `${issuerUrl.replace(/\/$/, '')}/.well-known/openid-configuration`;
}

export function namesOf({ names }: DescriptionContext, type: ObjectType): TypeNames {
  return names.types.get(type)!;
}

/** The types whose changes are sent to subscribers. */
export function notifiedTypes({ types }: DescriptionContext): ObjectType[] {
  return types.filter(({ makesEvents }) => makesEvents);
}

/** A link to the API description in the same version, relative to the base URL. */
export function documentLink({ apiVersion }: DescriptionContext): string {
  return `openapi.json${versionQuery(apiVersion)}`;
}

/** A link to the docs page, relative to the base URL. */
export function pageLink(version: string): string {
  return `docs${versionQuery(version)}`;
}

function versionQuery(version: string): string {
  return version === newestVersion ? '' : `?version=${version}`;
}
