// The input of every part of the API description.

import type { Model, ObjectType } from '../../model/object-type.ts';
import { restPath } from '../../paths.ts';
import type { WireNames } from '../../render/render-envelope.ts';
import { type ComponentNames, nameComponents, type TypeNames } from './component-names.ts';

export interface DescriptionOptions {
  /** The URL of the service as seen from outside. */
  baseUrl: string;
  /** The version of the service. */
  version: string;
  /** A row of the version table. The model is already limited to this version. */
  apiVersion: string;
  tokens: DescribedTokens;
  limits: DescribedLimits;
  /** The naming of members in notifications; `service` if not set. */
  wireNames?: WireNames;
}

export interface DescribedTokens {
  audience: string;
  lifetimeSeconds: number;
  /** Undefined: tokens come from the built-in issuer. */
  issuerUrl: string | undefined;
}

export interface DescribedLimits {
  bodyBytesMax: number;
  fileBodyBytesMax: number;
  bodyDepthMax: number;
  filtersMax: number;
  arrayObjectsMax: number;
  /** Number of attempts per notification, the interval between attempts, and the time limit of a receiver. */
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

/** The metadata URL of an external issuer (OpenID Connect Discovery §4). */
export function metadataUrl(issuerUrl: string): string {
  return `${issuerUrl.replace(/\/$/, '')}/.well-known/openid-configuration`;
}

export function namesOf({ names }: DescriptionContext, type: ObjectType): TypeNames {
  return names.get(type)!;
}

/** Each type has the same key in all examples, so that the examples are consistent. */
export function exampleKey({ types }: DescriptionContext, type: ObjectType): number {
  return 1001 + types.indexOf(type);
}
