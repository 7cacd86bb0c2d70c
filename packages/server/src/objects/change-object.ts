// Changes one object in one transaction: locks it, checks the body, looks up and resolves the change, writes it and
// reads it back. A collection in the body replaces the collection of the object. A change that depends on nothing else
// is written in one round trip.

import type { Row, Statement, Transaction } from '../database/database.ts';
import type { JsonValue } from '../json/parse-json.ts';
import type { ObjectType } from '../model/object-type.ts';
import type { View } from '../query/view.ts';
import { type Caller, onlyUserFor } from './caller.ts';
import { checkBody } from './check-body.ts';
import { checkEdition } from './check-edition.ts';
import { lockForChange } from './lock-for-change.ts';
import { withColumns } from './object-change.ts';
import { rejectViolations } from './object-errors.ts';
import type { ObjectsContext } from './objects-context.ts';
import { answerOf, longIfLarge, type ObjectAnswer, readStatement } from './read-object.ts';
import type { CheckedChange, LockedRow, PrecheckResult } from './type-rules.ts';
import { isPlain, type PreparedWrite, plainStatements, prepareWrite } from './write-changes.ts';

export interface ChangeRequest {
  type: ObjectType;
  key: number;
  body: JsonValue;
  view: View;
  caller: Caller;
  ifMatch: string | undefined;
}

export async function changeObject(context: ObjectsContext, request: ChangeRequest): Promise<ObjectAnswer> {
  const { database, links } = context;
  const { type, key, view, caller } = request;
  const precheck = await precheckChange(context, request);
  return longIfLarge(view, async (isLong) => {
    const read = readStatement(view, key, links, isLong);
    const checked = context.rules.get(type.name)?.currentColumns ? undefined : checkChange(context, request, precheck);
    const answers =
      checked && isWrittenAtOnce(checked, request)
        ? await writeAtOnce(context, caller, checked, read)
        : await database.transaction(
            caller,
            async (transaction) => {
              const { statements } = await prepareChange(context, transaction, request, precheck, checked);
              return transaction.commitWith(...statements, read);
            },
            isLong,
          );
    return answerOf(type, key, answers.at(-1));
  });
}

type CheckedRequest = Omit<ChangeRequest, 'view'>;
type Precheck = PrecheckResult | undefined;

export async function precheckChange(
  { rules }: ObjectsContext,
  { type, key, body, caller }: CheckedRequest,
): Promise<Precheck> {
  return rules.get(type.name)?.beforeTransaction?.({ bodies: [{ body, path: '' }], caller, key });
}

function checkChange(
  { rules, arrayObjectsMax }: ObjectsContext,
  { type, key, body, caller }: CheckedRequest,
  precheck: Precheck,
  current: LockedRow = new Map(),
): CheckedChange {
  const check = (sent: JsonValue) => {
    const checked = checkBody(sent, { type, key, path: '', arrayObjectsMax });
    checkEdition(checked.change, caller);
    return checked;
  };
  const { prechecked, violations = [] } = precheck ?? {};
  const checked = rules.get(type.name)?.change?.({ type, key, body, current, prechecked, check }) ?? check(body);
  return { ...checked, violations: [...violations, ...checked.violations] };
}

/** Whether the change needs no lock and no lookup, and so takes one round trip. */
function isWrittenAtOnce({ change, statements, inTransaction }: CheckedChange, request: CheckedRequest): boolean {
  const { type, caller, ifMatch } = request;
  const isUnlocked = ifMatch === undefined && onlyUserFor(type, caller) === undefined;
  return isUnlocked && !statements && !inTransaction && isPlain(change);
}

function writeAtOnce(
  context: ObjectsContext,
  caller: Caller,
  { change, violations }: CheckedChange,
  read: Statement,
): Promise<Row[][]> {
  rejectViolations(violations);
  return context.database.runTogether(caller, [...plainStatements(change, context), read]);
}

/**
 * The steps in the transaction, up to the write. `checkedBefore`: the result of an earlier check, possible if the check
 * does not need the current object.
 */
export async function prepareChange(
  context: ObjectsContext,
  transaction: Transaction,
  request: CheckedRequest,
  precheck: Precheck,
  checkedBefore?: CheckedChange,
): Promise<PreparedWrite> {
  const { type, key, ifMatch, caller } = request;
  const columns = context.rules.get(type.name)?.currentColumns;
  const object = { type, key, onlyUser: onlyUserFor(type, caller), lockFor: 'change', columns } as const;
  const current = await lockForChange(transaction, object, ifMatch);
  const checked = checkedBefore ?? checkChange(context, request, precheck, current);
  const { change, violations, statements = [], inTransaction } = checked;
  const alongside = await inTransaction?.(transaction);
  const mistakes = [...violations, ...(alongside?.violations ?? [])];
  const prepared = await prepareWrite(
    transaction,
    [withColumns(change, alongside?.columns)],
    mistakes,
    context,
    caller,
  );
  return { ...prepared, statements: [...statements, ...prepared.statements] };
}
