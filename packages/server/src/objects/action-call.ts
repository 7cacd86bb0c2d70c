// The call of an action: an operation on an object, or on a type as a whole, other than reading and writing.
// The model declares an action; the part of the service that owns the type implements it.

import type { Model, ObjectType } from '../model/object-type.ts';
import type { Scope } from '../model/scopes.ts';
import type { Idempotency } from './answer-once.ts';
import type { Caller } from './caller.ts';
import type { StoredValue } from './check-scalar.ts';

export interface ActionCall {
  /** The type as the caller sees it. */
  type: ObjectType;
  /** All types as the caller sees them. */
  model: Model;
  /** The key of the object; undefined for an action on the type as a whole. */
  key: number | undefined;
  /** Parameter values by name, as text, also for JSON. A parameter that was not sent has its default. */
  given: ReadonlyMap<string, StoredValue>;
  caller: Caller;
  /** Always undefined for a GET. */
  idempotency: Idempotency | undefined;
  /** Aborted when the client has gone, or has its response. */
  signal?: AbortSignal;
}

export interface ObjectCall extends ActionCall {
  key: number;
}

/** Returns the JSON that the action declares. */
export type ActionHandler = (call: ActionCall) => Promise<string>;

/** The call of an operation that belongs to no type. */
export interface OperationCall extends Omit<ActionCall, 'type' | 'key'> {
  /** The model as the caller sees it. */
  model: Model;
  /** Of the caller's token, with all that they include. */
  scopes: ReadonlySet<Scope>;
}

/** Returns the JSON that the operation declares. */
export type OperationHandler = (call: OperationCall) => Promise<string>;

/** For actions on objects only. No route calls such an action without a key. */
export function onObject(handle: (call: ObjectCall) => Promise<string>): ActionHandler {
  return async ({ key, ...call }) => {
    if (key === undefined) throw new Error(`An action on a ${call.type.name} was called without its key.`);
    return handle({ ...call, key });
  };
}

/** Answers with server-sent events. Throws before it opens the response if the request is rejected. */
export type StreamHandler = (call: StreamCall, openResponse: () => EventResponse) => Promise<void>;

export interface StreamCall extends ObjectCall {
  /** The header `Last-Event-ID`. */
  lastEventId: string | undefined;
}

/** The same for operations that belong to no type. */
export type OperationStreamHandler = (call: OperationCall, openResponse: () => EventResponse) => Promise<void>;

/** The response that events are written to. */
export interface EventResponse {
  /** Returns false if the client reads too slowly; `onDrain` is called when it has caught up. */
  write(text: string): boolean;
  /** What the client has not read yet. */
  unreadBytes(): number;
  end(): void;
  onDrain(listener: () => void): void;
  onClose(listener: () => void): void;
  /** Whether the token is still valid. */
  isStillAllowed(): Promise<boolean>;
}
