// Carries out a create, a change or a delete of one object in a transaction that is rolled back. The checks are those of
// the real one, but for what the database checks at COMMIT. No number of a sequence is used up.

import { randomInt } from 'node:crypto';
import type { Run, Statement, Transaction } from '../database/database.ts';
import type { JsonValue } from '../json/parse-json.ts';
import type { ObjectType } from '../model/object-type.ts';
import { type Caller, onlyUserFor } from './caller.ts';
import { precheckChange, prepareChange } from './change-object.ts';
import { checkNewObjects, prepareNewObjects } from './create-objects.ts';
import { lockForChange } from './lock-for-change.ts';
import { deleteObjects } from './object-table.ts';
import type { ObjectsContext } from './objects-context.ts';
import type { Rows } from './resolve-changes.ts';
import { statementsOf } from './write-changes.ts';

/** Of a type without rules of its own. */
export interface Trial {
  type: ObjectType;
  /** Undefined: a new object. */
  key: number | undefined;
  /** An object, not an array. Undefined: the object is deleted. */
  body: JsonValue | undefined;
  caller: Caller;
}

/** `write`: sends the statements of the change. What is read before and after it is up to the caller. */
export type LookAtTrial<T> = (trial: { run: Run; write(): Promise<void> }) => Promise<T>;

export async function tryOutChange<T>(context: ObjectsContext, trial: Trial, look: LookAtTrial<T>): Promise<T> {
  const undone = { ...context, placeholderKeys };
  const prepare = await prepareTrial(undone, trial);
  return context.database.rehearse(trial.caller, async (transaction) => {
    const statements = await prepare(transaction);
    const { run } = transaction;
    return look({
      run,
      write: async () => {
        await run(...statements);
      },
    });
  });
}

/** The steps before the transaction. Returns those in it, up to the write. */
async function prepareTrial(
  context: ObjectsContext,
  { type, key, body, caller }: Trial,
): Promise<(transaction: Transaction) => Promise<Statement[]>> {
  if (key === undefined) {
    const newObjects = await checkNewObjects(context, { type, body: body!, caller });
    return async (transaction) => {
      const { rows } = await prepareNewObjects(context, transaction, caller, newObjects);
      return statementsOf(withPlaceholders(rows, context), context);
    };
  }
  if (body === undefined)
    return async (transaction) => {
      const onlyUser = onlyUserFor(type, caller);
      await lockForChange(transaction, { type, key, onlyUser, lockFor: 'delete' }, undefined);
      return [deleteObjects(type, [key])];
    };
  const request = { type, key, body, caller, ifMatch: undefined };
  const precheck = await precheckChange(context, request);
  return async (transaction) => {
    const { rows } = await prepareChange(context, transaction, request, precheck);
    return statementsOf(withPlaceholders(rows, context), context);
  };
}

/** Random, so that trials at the same time do not wait for each other, and far above every key in use. */
function placeholderKeys(count: number): number[] {
  const first = Number.MAX_SAFE_INTEGER - randomInt(2 ** 47);
  return Array.from({ length: count }, (_, index) => first - index);
}

/** Numbers that the database would assign from a sequence. */
function withPlaceholders(rows: Rows, { model }: ObjectsContext): Rows {
  for (const [{ name }, inserted] of rows.inserted) {
    const assigned = model.types.get(name)!.scalars.filter(({ isAssigned }) => isAssigned);
    for (const { column } of assigned)
      for (const row of inserted) row.set(column, String(2 ** 31 - 1 - randomInt(2 ** 30)));
  }
  return rows;
}
