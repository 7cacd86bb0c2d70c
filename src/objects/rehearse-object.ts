// What a POST or a PUT would write: everything is checked as if it were carried out, and nothing is stored.

import type { JsonValue } from '../json/parse-json.ts';
import type { ObjectType } from '../model/object-type.ts';
import type { Caller } from './caller.ts';
import { prepareHeld } from './change-object.ts';
import type { StoredValue } from './check-scalar.ts';
import { draftObjects, prepareDrafts } from './create-objects.ts';
import { foresee } from './foresee.ts';
import type { ObjectsContext } from './objects-context.ts';

export interface RehearsalRequest {
  type: ObjectType;
  /** Undefined: of a new object. */
  key: number | undefined;
  /** An object, no array. */
  body: JsonValue;
  caller: Caller;
}

/** Column → value: all that is said of a new object, or what would change of one that is there. */
export async function rehearseObject(
  given: ObjectsContext,
  { key, ...request }: RehearsalRequest,
): Promise<ReadonlyMap<string, StoredValue>> {
  const { context, violations: foreseen } = await foresee(given, { ...request, key });
  const rehearsal = { ...context, isRehearsal: true };
  const { type, caller } = request;
  return context.database.transaction(caller, async (transaction) => {
    if (key !== undefined) {
      const { prepared } = await prepareHeld(rehearsal, transaction, { ...request, key, ifMatch: undefined, foreseen });
      return prepared.rows.updated[0]?.columns ?? new Map();
    }
    const drafts = draftObjects(rehearsal, request);
    drafts[0]?.violations.push(...foreseen);
    const { prepared } = await prepareDrafts(rehearsal, transaction, request, drafts);
    return prepared.rows.inserted.get(type)?.[0] ?? new Map();
  });
}
