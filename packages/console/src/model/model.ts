// The object types as the caller sees them, for forms, trees and links. Loaded once for each user.

import { signal } from '@preact/signals';
import { request } from '../service/request.ts';
import { session } from '../session/session.ts';
import { viewedUser } from '../session/viewed-user.ts';

export type AttributeKind =
  | 'self'
  | 'key'
  | 'text'
  | 'decimal'
  | 'integer'
  | 'dateTime'
  | 'boolean'
  | 'code'
  | 'binary'
  | 'textList'
  | 'json'
  | 'reference'
  | 'collection';

/** Flags that do not apply are left out. */
export interface ModelAttribute {
  name: string;
  /** Its name in words. */
  label: string;
  kind: AttributeKind;
  description: string;
  isRequired: boolean;
  isReadOnly: boolean;
  isFixed?: boolean;
  isLarge?: boolean;
  isOnDemand?: boolean;
  isWriteOnly?: boolean;
  isOwner?: boolean;
  isFollowed?: boolean;
  isOwned?: boolean;
  minItems?: number;
  values?: string[];
  /** The type that a reference leads to. */
  reference?: string;
  /** The type of the elements of a collection. */
  element?: string;
  elementOwner?: string;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  default?: unknown;
  /** Those of filters; left out if it cannot be filtered by. */
  operators?: string[];
  isSortable?: boolean;
  edition?: string;
}

export interface ModelAction {
  name: string;
  on: 'object' | 'type' | 'both';
  method: 'GET' | 'POST';
  summary: string;
}

export interface ModelType {
  name: string;
  label: string;
  description: string;
  access: { canCreate: boolean; canUpdate: boolean; canDelete: boolean };
  isMain: boolean;
  makesEvents: boolean;
  isServiceOwn: boolean;
  shownBy: string[];
  /** The types whose changes a subscription to this type also matches. */
  below: string[];
  owner?: string;
  ownerAttribute?: string;
  code?: string;
  attributes: ModelAttribute[];
  actions: ModelAction[];
}

export interface Model {
  types: ModelType[];
  byName: ReadonlyMap<string, ModelType>;
}

const loading = signal<{ owner: string; model: Promise<Model> } | undefined>(undefined);

export function loadModel(): Promise<Model> {
  const owner = `${session.peek()?.user.key} ${viewedUser.peek()?.key ?? ''}`;
  const current = loading.peek();
  if (current?.owner === owner) return current.model;
  const model = request<{ types: ModelType[] }>('/model').then(({ types }) => ({
    types,
    byName: new Map(types.map((type) => [type.name, type])),
  }));
  loading.value = { owner, model };
  model.catch(() => {
    loading.value = undefined;
  });
  return model;
}
