// Rehearses a POST or a PUT: checks everything as if it were carried out, and stores nothing.

import type { JsonValue } from '../json/parse-json.ts';
import type { ObjectType } from '../model/object-type.ts';
import type { Caller } from './caller.ts';
import { precheckChange, prepareChange } from './change-object.ts';
import type { StoredValue } from './check-scalar.ts';
import { checkNewObjects, prepareNewObjects } from './create-objects.ts';
import type { ObjectsContext } from './objects-context.ts';

export interface RehearsalRequest {
  type: ObjectType;
  /** Undefined: a new object. */
  key: number | undefined;
  /** An object, not an array. */
  body: JsonValue;
  caller: Caller;
}

/** Column → value: all values of a new object, or the values that would change in an existing object. */
export async function rehearseObject(
  context: ObjectsContext,
  { key, type, body, caller }: RehearsalRequest,
): Promise<ReadonlyMap<string, StoredValue>> {
  const rehearsal = { ...context, placeholderKeys: (count: number) => Array<number>(count).fill(0) };
  if (key === undefined) {
    const newObjects = await checkNewObjects(rehearsal, { type, body, caller });
    const { rows } = await context.database.transaction(caller, (transaction) =>
      prepareNewObjects(rehearsal, transaction, caller, newObjects),
    );
    return rows.inserted.get(type)?.[0] ?? new Map();
  }
  const request = { type, key, body, caller, ifMatch: undefined };
  const precheck = await precheckChange(rehearsal, request);
  const { rows } = await context.database.transaction(caller, (transaction) =>
    prepareChange(rehearsal, transaction, request, precheck),
  );
  return rows.updated[0]?.columns ?? new Map();
}
