// Rehearses a POST or a PUT: checks everything as if it were carried out, and stores nothing.

import type { JsonValue } from '../json/parse-json.ts';
import type { ObjectType } from '../model/object-type.ts';
import type { Caller } from './caller.ts';
import { prepareChange } from './change-object.ts';
import type { StoredValue } from './check-scalar.ts';
import { checkNewObjects, prepareNewObjects } from './create-objects.ts';
import type { ObjectsContext } from './objects-context.ts';
import { precheck } from './precheck.ts';

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
  given: ObjectsContext,
  { key, ...request }: RehearsalRequest,
): Promise<ReadonlyMap<string, StoredValue>> {
  const { context, violations: precheckViolations } = await precheck(given, { ...request, key });
  const rehearsal = { ...context, isRehearsal: true };
  const { type, caller } = request;
  return context.database.transaction(caller, async (transaction) => {
    if (key !== undefined) {
      const { prepared } = await prepareChange(rehearsal, transaction, {
        ...request,
        key,
        ifMatch: undefined,
        precheckViolations,
      });
      return prepared.rows.updated[0]?.columns ?? new Map();
    }
    const newObjects = checkNewObjects(rehearsal, request);
    newObjects[0]?.violations.push(...precheckViolations);
    const { prepared } = await prepareNewObjects(rehearsal, transaction, request, newObjects);
    return prepared.rows.inserted.get(type)?.[0] ?? new Map();
  });
}
