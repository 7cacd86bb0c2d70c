// What can be done with an object, or with a type as a whole, besides reading and writing. The model declares an action; the
// part of the service that is in charge of the type carries it out.

import type { ObjectType } from '../model/object-type.ts';
import type { Idempotency } from './answer-once.ts';
import type { Caller } from './caller.ts';
import type { StoredValue } from './check-scalar.ts';

export interface ActionCall {
  /** As the caller sees it. */
  type: ObjectType;
  /** Of the object; undefined where the type as a whole is asked. */
  key: number | undefined;
  /** By name, as text, JSON too; what was not sent has its default. */
  given: ReadonlyMap<string, StoredValue>;
  caller: Caller;
  /** Never of a GET. */
  idempotency: Idempotency | undefined;
}

export interface ObjectCall extends ActionCall {
  key: number;
}

/** Answers JSON of what the action declares. */
export type ActionHandler = (call: ActionCall) => Promise<string>;

/** For actions on objects alone: no route calls them without a key. */
export function onObject(handle: (call: ObjectCall) => Promise<string>): ActionHandler {
  return async ({ key, ...call }) => {
    if (key === undefined) throw new Error(`An action on a ${call.type.name} was called without its key.`);
    return handle({ ...call, key });
  };
}
