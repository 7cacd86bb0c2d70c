// Creates one object, or all objects of an array, or none. The bodies are checked before the transaction. In it, the
// change is looked up, resolved, written and read back. The rules of a type (`type-rules.ts`) take part in both. An
// object that depends on nothing else is created in one round trip.

import type { Row, Transaction } from '../database/database.ts';
import { ApiError } from '../errors.ts';
import type { JsonValue } from '../json/parse-json.ts';
import type { ObjectType } from '../model/object-type.ts';
import { compileReadCreated } from '../query/read-statement.ts';
import type { View } from '../query/view.ts';
import { answerOnce, type Idempotency, type Written } from './answer-once.ts';
import type { Caller } from './caller.ts';
import { type CheckedBody, checkBody } from './check-body.ts';
import { checkEdition } from './check-edition.ts';
import { createAndRead, onlyPlainChange } from './create-at-once.ts';
import type { CreatedAnswer } from './idempotency-table.ts';
import { type ObjectChange, withColumns } from './object-change.ts';
import { rejectViolations } from './object-errors.ts';
import type { ObjectsContext } from './objects-context.ts';
import { answerOf, longIfLarge, type ObjectAnswer, readStatement } from './read-object.ts';
import type { NewObject, NewObjects, PlacedBody } from './type-rules.ts';
import { type PreparedWrite, prepareWrite } from './write-changes.ts';

export interface CreateRequest {
  type: ObjectType;
  body: JsonValue;
  view: View;
  caller: Caller;
  idempotency: Idempotency | undefined;
}

export async function createObjects(context: ObjectsContext, request: CreateRequest): Promise<CreatedAnswer> {
  const { database, links } = context;
  const { type, body, caller, idempotency, view } = request;
  const newObjects = await checkNewObjects(context, request);
  const isArray = Array.isArray(body);
  const plain = isArray || idempotency ? undefined : onlyPlainChange(newObjects);
  if (plain) return createPlain(context, request, newObjects, plain);
  return longIfLarge(view, (isLong) =>
    answerOnce({ database, caller, idempotency, isLong }, async (transaction) => {
      const { keys, statements } = await prepareNewObjects(context, transaction, caller, newObjects);
      const read = isArray
        ? { text: compileReadCreated(view, links), values: [keys] }
        : readStatement(view, keys[0]!, links, isLong);
      const send = idempotency ? transaction.run : transaction.commitWith;
      const rows = (await send(...statements, read)).at(-1)!;
      return isArray ? writtenArray(rows, newObjects) : writtenObject(answerOf(type, keys[0]!, rows), newObjects);
    }),
  );
}

/** One object that depends on nothing else. */
async function createPlain(
  context: ObjectsContext,
  { view, caller, type }: CreateRequest,
  newObjects: NewObjects,
  change: ObjectChange,
): Promise<CreatedAnswer> {
  checkEdition(change, caller);
  rejectViolations(newObjects.objects[0]!.violations);
  return longIfLarge(view, async (isLong) => {
    const statements = createAndRead(change, view, context, isLong);
    const [keys, , rows] = await context.database.runTogether(caller, statements);
    return writtenObject(answerOf(type, Number(keys![0]!.key), rows), newObjects).shown;
  });
}

type NewObjectsRequest = Pick<CreateRequest, 'type' | 'body' | 'caller'>;

/** The steps before the transaction. */
export async function checkNewObjects(context: ObjectsContext, request: NewObjectsRequest): Promise<NewObjects> {
  const { type, body, caller } = request;
  const rules = context.rules.get(type.name);
  const bodies = placeBodies(body, context.arrayObjectsMax);
  const precheck = await rules?.beforeTransaction?.({ bodies, caller, key: undefined });
  const check = (sent: JsonValue, path: string) => checkNewObject(context, request, sent, path);
  const newObjects = rules?.create?.({ type, bodies, caller, prechecked: precheck?.prechecked, check }) ?? {
    objects: bodies.map((placed) => check(placed.body, placed.path)),
  };
  newObjects.objects[0]?.violations.push(...(precheck?.violations ?? []));
  return newObjects;
}

function placeBodies(body: JsonValue, arrayObjectsMax: number): PlacedBody[] {
  if (!Array.isArray(body)) return [{ body, path: '' }];
  if (body.length > arrayObjectsMax) {
    throw new ApiError(
      'invalidBody',
      `An array may have at most ${arrayObjectsMax} objects; this has ${body.length}. Send it in parts.`,
    );
  }
  return body.map((each, index) => ({ body: each, path: `[${index}]` }));
}

function checkNewObject(
  { arrayObjectsMax }: ObjectsContext,
  { type, caller }: NewObjectsRequest,
  body: JsonValue,
  path: string,
): CheckedBody {
  const checked = checkBody(body, { type, key: undefined, path, arrayObjectsMax });
  setDefaultOwner(checked.change, caller);
  return checked;
}

/** If the body of a user-owned object names no owner, the object belongs to the caller. */
function setDefaultOwner({ type, references }: ObjectChange, { userKey }: Caller): void {
  const { ownedBy } = type;
  if (!ownedBy || userKey === undefined || references.some(({ attribute }) => attribute === ownedBy)) return;
  references.push({ attribute: ownedBy, path: ownedBy.name, target: { kind: 'key', key: userKey }, sentBack: [] });
}

/** The steps in the transaction, up to the write. */
export async function prepareNewObjects(
  context: ObjectsContext,
  transaction: Transaction,
  caller: Caller,
  { objects, inTransaction }: NewObjects,
): Promise<PreparedWrite> {
  const alongside = await inTransaction?.(transaction);
  const changes = objects.map(({ change }, index) => ({
    ...withColumns(change, alongside?.columns[index]),
    carriedOver: alongside?.carriedOver?.[index],
  }));
  const mistakes = [...objects.flatMap(({ violations }) => violations), ...(alongside?.violations ?? [])];
  const prepared = await prepareWrite(transaction, changes, mistakes, context, caller);
  return { ...prepared, statements: [...prepared.statements, ...(alongside?.statements(prepared.keys) ?? [])] };
}

function writtenObject({ key, etag, body }: ObjectAnswer, { objects }: NewObjects): Written {
  const kept = { key, etag, body: body.toString() };
  return { kept, shown: { ...kept, body: withShownOnce(kept.body, objects[0]!) } };
}

function writtenArray(rows: Row[], { objects }: NewObjects): Written {
  const bodies = rows.map(({ object }) => object as string);
  const answerWith = (each: string[]) => ({ key: null, etag: null, body: `[${each.join(',')}]` });
  return {
    kept: answerWith(bodies),
    shown: answerWith(bodies.map((body, index) => withShownOnce(body, objects[index]!))),
  };
}

/** Appends the values that are shown once to the JSON object that the database rendered. */
function withShownOnce(object: string, { shownOnce = new Map() }: NewObject): string {
  const members = [...shownOnce].map(([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`);
  return members.length === 0 ? object : `${object.slice(0, -1)}${members.join('')}}`;
}
