// The types that can be subscribed to: those whose changes become events, and that every subscriber can read. A
// wildcard covers exactly these.

import type { Model, ObjectType } from '../model/object-type.ts';
import { scopesNeeded } from '../model/scopes.ts';
import { subscriberModel } from '../model/subscriber-model.ts';

/** As subscribers see them. */
export function subscribableTypes(model: Model): Model['types'] {
  return new Map([...subscriberModel(model).types].filter(([, type]) => type.makesEvents && isReadable(type)));
}

/** Notifications show what `read` shows. Subscribers must not learn that other types exist. */
export function isReadable({ access }: ObjectType): boolean {
  return scopesNeeded(access.read).every((scope) => scope === 'read' || scope === 'webhook');
}
