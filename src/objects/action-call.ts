// What can be done with an object besides reading and writing it. The model declares an action; the part of the service that
// is in charge of the type carries it out.

import type { Idempotency } from './answer-once.ts';
import type { Caller } from './caller.ts';
import type { StoredValue } from './check-scalar.ts';

export interface ActionCall {
  key: number;
  /** By name, as text; what was not sent has its default. */
  given: ReadonlyMap<string, StoredValue>;
  caller: Caller;
  idempotency: Idempotency | undefined;
}

/** Answers JSON of what the action declares. */
export type ActionHandler = (call: ActionCall) => Promise<string>;
