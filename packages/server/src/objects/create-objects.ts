// Creates one object, or all objects of an array, or none.

import type { Row, Statement, Transaction } from '../database/database.ts';
import type { JsonValue } from '../json/parse-json.ts';
import type { ObjectType } from '../model/object-type.ts';
import { compileReadCreated } from '../query/read-statement.ts';
import type { View } from '../query/view.ts';
import { answerOnce, type Idempotency, type Written } from './answer-once.ts';
import type { Caller } from './caller.ts';
import type { CheckedBody } from './check-body.ts';
import type { StoredValue } from './check-scalar.ts';
import type { CreatedAnswer } from './idempotency-table.ts';
import { longIfLarge } from './long-if-large.ts';
import { checkNormalised } from './normalise-body.ts';
import type { ObjectChange } from './object-change.ts';
import type { ObjectsContext } from './objects-context.ts';
import { placeBodies } from './placed-bodies.ts';
import { precheck } from './precheck.ts';
import { answerOf, readStatement } from './read-object.ts';
import type { AlongsideCreate } from './type-rules.ts';
import { type PreparedWrite, prepareWrite } from './write-changes.ts';

export interface CreateRequest {
  type: ObjectType;
  body: JsonValue;
  view: View;
  caller: Caller;
  idempotency: Idempotency | undefined;
}

export async function createObjects(given: ObjectsContext, request: CreateRequest): Promise<CreatedAnswer> {
  const { caller, idempotency, type, body } = request;
  const { context, violations } = await precheck(given, { type, body, caller, key: undefined });
  const newObjects = checkNewObjects(context, request);
  newObjects[0]?.violations.push(...violations);
  const { database } = context;
  return longIfLarge(request.view, (isLong) =>
    answerOnce({ database, caller, idempotency, isLong }, (transaction) =>
      write(context, transaction, { ...request, isLong }, newObjects),
    ),
  );
}

type NewObjectRequest = Pick<CreateRequest, 'type' | 'body' | 'caller'>;

export function checkNewObjects(context: ObjectsContext, request: NewObjectRequest): NewObject[] {
  return checkBodies(context, request).map((checked) => complete(context, request, checked));
}

/** A complete new object, and the values that only this answer shows. */
interface NewObject extends CheckedBody {
  shownOnce: ReadonlyMap<string, string>;
}

function complete(
  { rules }: ObjectsContext,
  { type, caller }: NewObjectRequest,
  { change, violations }: CheckedBody,
): NewObject {
  setDefaultOwner(change, caller);
  const completion = rules.get(type.name)?.complete?.(change, caller);
  if (!completion) return { change, violations, shownOnce: new Map() };
  for (const [column, value] of completion.columns) change.columns.set(column, value);
  return { change, violations: [...violations, ...completion.violations], shownOnce: completion.shownOnce };
}

/** If the body of a user-owned object names no owner, the object belongs to the caller. */
function setDefaultOwner({ type, references }: ObjectChange, { userKey }: Caller): void {
  const { ownedBy } = type;
  if (!ownedBy || userKey === undefined || references.some(({ attribute }) => attribute === ownedBy)) return;
  references.push({ attribute: ownedBy, path: ownedBy.name, target: { kind: 'key', key: userKey }, sentBack: [] });
}

function checkBodies(context: ObjectsContext, { type, body }: NewObjectRequest): CheckedBody[] {
  return placeBodies({ body }, context.arrayObjectsMax).map((placed) =>
    checkNormalised(context, placed.body, { type, key: undefined, path: placed.path }),
  );
}

async function write(
  context: ObjectsContext,
  transaction: Transaction,
  request: CreateRequest & { isLong: boolean },
  newObjects: NewObject[],
): Promise<Written> {
  const { prepared, alongsideStatements } = await prepareNewObjects(context, transaction, request, newObjects);
  const { keys } = prepared;
  const statements = [...prepared.statements, ...alongsideStatements(keys)];
  const reading = readBack(request, keys, newObjects, context);
  const send = request.idempotency ? transaction.run : transaction.commitWith;
  return reading.answer((await send(...statements, reading.statement)).at(-1)!);
}

/** `alongsideStatements`: the statements that the type's rules run alongside the create. */
export async function prepareNewObjects(
  context: ObjectsContext,
  transaction: Transaction,
  { type, caller }: Pick<CreateRequest, 'type' | 'caller'>,
  newObjects: readonly NewObject[],
): Promise<{ prepared: PreparedWrite; alongsideStatements: AlongsideCreate['statements'] }> {
  const changesToWrite = newObjects.map(({ change }) => change);
  const alongside = await context.rules.get(type.name)?.alongsideCreate?.(changesToWrite, transaction, caller);
  const changes = changesToWrite.map((change, index) => withColumns(change, alongside?.columns[index]));
  const mistakes = [...newObjects.flatMap(({ violations }) => violations), ...(alongside?.violations ?? [])];
  const prepared = await prepareWrite(transaction, changes, mistakes, context, caller);
  return { prepared, alongsideStatements: alongside?.statements ?? (() => []) };
}

/** Returns a copy, because the transaction runs again after a deadlock. */
function withColumns(change: ObjectChange, columns: ReadonlyMap<string, StoredValue> | undefined): ObjectChange {
  return columns === undefined ? change : { ...change, columns: new Map([...change.columns, ...columns]) };
}

interface Reading {
  statement: Statement;
  answer(rows: Row[]): Written;
}

function readBack(
  { type, body, view, isLong }: CreateRequest & { isLong: boolean },
  keys: number[],
  newObjects: NewObject[],
  { links }: ObjectsContext,
): Reading {
  if (!Array.isArray(body)) {
    return {
      statement: readStatement(view, keys[0]!, links, isLong),
      answer: (rows) => {
        const answer = answerOf(type, keys[0]!, rows);
        const kept = { ...answer, body: answer.body.toString() };
        return { kept, shown: { ...kept, body: withShownOnce(kept.body, newObjects[0]!) } };
      },
    };
  }
  const arrayOf = (objects: string[]) => ({ key: null, etag: null, body: `[${objects.join(',')}]` });
  return {
    statement: { text: compileReadCreated(view, links), values: [keys] },
    answer: (rows) => {
      const objects = rows.map(({ object }) => object as string);
      const kept = arrayOf(objects);
      if (type.shownOnce.length === 0) return { kept, shown: kept };
      return { kept, shown: arrayOf(objects.map((object, index) => withShownOnce(object, newObjects[index]!))) };
    },
  };
}

/** Appends the values that are shown once to the JSON object that the database rendered. */
function withShownOnce(object: string, { shownOnce }: NewObject): string {
  const members = [...shownOnce].map(([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`);
  return members.length === 0 ? object : `${object.slice(0, -1)}${members.join('')}}`;
}
