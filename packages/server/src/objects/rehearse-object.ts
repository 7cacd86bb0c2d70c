// Rehearses a POST or a PUT: checks everything as if it were carried out, and stores nothing.

import type { JsonValue } from '../json/parse-json.ts';
import type { ObjectType } from '../model/object-type.ts';
import type { Caller } from './caller.ts';
import { prepareChange } from './change-object.ts';
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
export function rehearseObject(
  context: ObjectsContext,
  { key, ...request }: RehearsalRequest,
): Promise<ReadonlyMap<string, StoredValue>> {
  const rehearsal = { ...context, isRehearsal: true };
  return key === undefined ? rehearseCreate(rehearsal, request) : rehearseChange(rehearsal, { ...request, key });
}

async function rehearseCreate(
  context: ObjectsContext,
  request: Omit<RehearsalRequest, 'key'>,
): Promise<ReadonlyMap<string, StoredValue>> {
  const newObjects = await checkNewObjects(context, request);
  return context.database.transaction(request.caller, async (transaction) => {
    const { rows } = await prepareNewObjects(context, transaction, request, newObjects);
    return rows.inserted.get(request.type)?.[0] ?? new Map();
  });
}

async function rehearseChange(
  context: ObjectsContext,
  rehearsed: RehearsalRequest & { key: number },
): Promise<ReadonlyMap<string, StoredValue>> {
  const { type, key, body, caller } = rehearsed;
  const rules = context.rules.get(type.name);
  const precheck = await rules?.beforeTransaction?.({ bodies: [{ body, path: '' }], caller, key });
  return context.database.transaction(caller, async (transaction) => {
    const request = { ...rehearsed, ifMatch: undefined };
    const { rows } = await prepareChange(context, transaction, request, precheck);
    return rows.updated[0]?.columns ?? new Map();
  });
}
