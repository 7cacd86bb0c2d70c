// Creates one object, or all of an array or none.

import type { Row, Statement, Transaction } from '../database/database.ts';
import type { JsonValue } from '../json/parse-json.ts';
import type { ObjectType } from '../model/object-type.ts';
import { compileReadCreated } from '../query/read-statement.ts';
import type { View } from '../query/view.ts';
import { answerOnce, type Idempotency, type Written } from './answer-once.ts';
import type { Caller } from './caller.ts';
import type { CheckedBody } from './check-body.ts';
import type { StoredValue } from './check-scalar.ts';
import { foresee } from './foresee.ts';
import type { CreatedAnswer } from './idempotency-table.ts';
import { longIfLarge } from './long-if-large.ts';
import { checkNormalised } from './normalise-body.ts';
import type { ObjectChange } from './object-change.ts';
import type { ObjectsContext } from './objects-context.ts';
import { placeBodies } from './placed-bodies.ts';
import { answerOf, readStatement } from './read-object.ts';
import type { Accompaniment } from './type-rules.ts';
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
  const { context, violations } = await foresee(given, { type, body, caller, key: undefined });
  const drafts = draftObjects(context, request);
  drafts[0]?.violations.push(...violations);
  const { database } = context;
  return longIfLarge(request.view, (isLong) =>
    answerOnce({ database, caller, idempotency, isLong }, (transaction) =>
      write(context, transaction, { ...request, isLong }, drafts),
    ),
  );
}

type DraftRequest = Pick<CreateRequest, 'type' | 'body' | 'caller'>;

export function draftObjects(context: ObjectsContext, request: DraftRequest): Draft[] {
  return checkBodies(context, request).map((checked) => complete(context, request, checked));
}

/** A new object, complete, and what of it is shown in this answer alone. */
interface Draft extends CheckedBody {
  shownOnce: ReadonlyMap<string, string>;
}

function complete(
  { rules }: ObjectsContext,
  { type, caller }: DraftRequest,
  { change, violations }: CheckedBody,
): Draft {
  takeUser(change, caller);
  const completion = rules.get(type.name)?.complete?.(change, caller);
  if (!completion) return { change, violations, shownOnce: new Map() };
  for (const [column, value] of completion.columns) change.columns.set(column, value);
  return { change, violations: [...violations, ...completion.violations], shownOnce: completion.shownOnce };
}

/** An object of a user's own is the caller's where it does not say whose it is. */
function takeUser({ type, references }: ObjectChange, { userKey }: Caller): void {
  const { ownedBy } = type;
  if (!ownedBy || userKey === undefined || references.some(({ attribute }) => attribute === ownedBy)) return;
  references.push({ attribute: ownedBy, path: ownedBy.name, target: { kind: 'key', key: userKey }, echoes: [] });
}

function checkBodies(context: ObjectsContext, { type, body }: DraftRequest): CheckedBody[] {
  return placeBodies({ body }, context.arrayObjectsMax).map((placed) =>
    checkNormalised(context, placed.body, { type, key: undefined, path: placed.path }),
  );
}

async function write(
  context: ObjectsContext,
  transaction: Transaction,
  request: CreateRequest & { isLong: boolean },
  drafts: Draft[],
): Promise<Written> {
  const { prepared, beside } = await prepareDrafts(context, transaction, request, drafts);
  const { keys } = prepared;
  const statements = [...prepared.statements, ...beside(keys)];
  const reading = readBack(request, keys, drafts, context);
  const send = request.idempotency ? transaction.run : transaction.commitWith;
  return reading.answer((await send(...statements, reading.statement)).at(-1)!);
}

/** `beside`: what else the transaction does. */
export async function prepareDrafts(
  context: ObjectsContext,
  transaction: Transaction,
  { type, caller }: Pick<CreateRequest, 'type' | 'caller'>,
  drafts: readonly Draft[],
): Promise<{ prepared: PreparedWrite; beside: Accompaniment['statements'] }> {
  const drafted = drafts.map(({ change }) => change);
  const company = await context.rules.get(type.name)?.accompany?.(drafted, transaction, caller);
  const changes = drafted.map((change, index) => withColumns(change, company?.columns[index]));
  const mistakes = [...drafts.flatMap(({ violations }) => violations), ...(company?.violations ?? [])];
  const prepared = await prepareWrite(transaction, changes, mistakes, context, caller);
  return { prepared, beside: company?.statements ?? (() => []) };
}

/** A copy: after a deadlock everything is done again. */
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
  drafts: Draft[],
  { links }: ObjectsContext,
): Reading {
  if (!Array.isArray(body)) {
    return {
      statement: readStatement(view, keys[0]!, links, isLong),
      answer: (rows) => {
        const answer = answerOf(type, keys[0]!, rows);
        const kept = { ...answer, body: answer.body.toString() };
        return { kept, shown: { ...kept, body: withShownOnce(kept.body, drafts[0]!) } };
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
      return { kept, shown: arrayOf(objects.map((object, index) => withShownOnce(object, drafts[index]!))) };
    },
  };
}

/** Behind what the database has rendered. */
function withShownOnce(object: string, { shownOnce }: Draft): string {
  const members = [...shownOnce].map(([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`);
  return members.length === 0 ? object : `${object.slice(0, -1)}${members.join('')}}`;
}
