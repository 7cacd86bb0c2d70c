// What every part of the API description is made from.

import type { Model, ObjectType } from '../../model/object-type.ts';
import type { WireNames } from '../../payload/render-envelope.ts';
import { restPath } from '../routes/object-routes.ts';
import { type ComponentNames, nameComponents, type TypeNames } from './component-names.ts';

export interface DescriptionOptions {
  /** Where the service is reached from outside. */
  baseUrl: string;
  /** Of the service. */
  version: string;
  /** A row of the version table; the model has been narrowed to it. */
  apiVersion: string;
  tokens: DescribedTokens;
  limits: DescribedLimits;
  /** Of notifications; `service` where nothing is said. */
  wireNames?: WireNames;
}

export interface DescribedTokens {
  audience: string;
  lifetimeSeconds: number;
  /** Undefined: the built-in issuer's. */
  issuerUrl: string | undefined;
}

export interface DescribedLimits {
  bodyBytesMax: number;
  fileBodyBytesMax: number;
  bodyDepthMax: number;
  filtersMax: number;
  arrayObjectsMax: number;
  /** How often a notification is tried, how far apart, and how long a receiver may take. */
  deliveryAttempts: number;
  deliveryIntervalMs: number;
  deliveryTimeoutMs: number;
}

export interface DescriptionContext extends DescriptionOptions {
  types: readonly ObjectType[];
  names: ComponentNames;
  restUrl: string;
}

export function describe(model: Model, options: DescriptionOptions): DescriptionContext {
  return {
    ...options,
    types: [...model.types.values()],
    names: nameComponents(model),
    restUrl: `${options.baseUrl}${restPath}`,
  };
}

/** Where an external issuer says what it has (OpenID Connect Discovery §4). */
export function metadataUrl(issuerUrl: string): string {
  return `${issuerUrl.replace(/\/$/, '')}/.well-known/openid-configuration`;
}

export function namesOf({ names }: DescriptionContext, type: ObjectType): TypeNames {
  return names.get(type)!;
}

/** Each type has one key in all examples, so that they tell one story. */
export function exampleKey({ types }: DescriptionContext, type: ObjectType): number {
  return 1001 + types.indexOf(type);
}
