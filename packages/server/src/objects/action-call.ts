// The call of an action: an operation on an object, or on a type as a whole, other than reading and writing.
// The model declares an action; the part of the service that owns the type implements it.

import type { ObjectType } from '../model/object-type.ts';
import type { Idempotency } from './answer-once.ts';
import type { Caller } from './caller.ts';
import type { StoredValue } from './check-scalar.ts';

export interface ActionCall {
  /** The type as the caller sees it. */
  type: ObjectType;
  /** The key of the object; undefined for an action on the type as a whole. */
  key: number | undefined;
  /** Parameter values by name, as text, also for JSON. A parameter that was not sent has its default. */
  given: ReadonlyMap<string, StoredValue>;
  caller: Caller;
  /** Always undefined for a GET. */
  idempotency: Idempotency | undefined;
}

export interface ObjectCall extends ActionCall {
  key: number;
}

/** Returns the JSON that the action declares. */
export type ActionHandler = (call: ActionCall) => Promise<string>;

/** For actions on objects only. No route calls such an action without a key. */
export function onObject(handle: (call: ObjectCall) => Promise<string>): ActionHandler {
  return async ({ key, ...call }) => {
    if (key === undefined) throw new Error(`An action on a ${call.type.name} was called without its key.`);
    return handle({ ...call, key });
  };
}
