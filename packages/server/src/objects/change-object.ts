// Changes one object in one transaction. A collection in the body replaces the collection of the object.

import type { Row, Statement, Transaction } from '../database/database.ts';
import type { Violation } from '../errors.ts';
import type { JsonValue } from '../json/parse-json.ts';
import type { ObjectType } from '../model/object-type.ts';
import type { View } from '../query/view.ts';
import { type Caller, onlyUserFor } from './caller.ts';
import type { CheckedBody } from './check-body.ts';
import { checkEdition } from './check-edition.ts';
import { lockForChange } from './lock-for-change.ts';
import { longIfLarge } from './long-if-large.ts';
import { checkNormalised } from './normalise-body.ts';
import type { ObjectsContext } from './objects-context.ts';
import { precheck } from './precheck.ts';
import { answerOf, type ObjectAnswer, readStatement } from './read-object.ts';
import { refuseViolations } from './refuse-change.ts';
import type { LockedRow } from './type-rules.ts';
import { isPlain, type PreparedWrite, plainStatements, prepareWrite } from './write-changes.ts';

export interface ChangeRequest {
  type: ObjectType;
  key: number;
  body: JsonValue;
  view: View;
  caller: Caller;
  ifMatch: string | undefined;
}

export async function changeObject(given: ObjectsContext, request: ChangeRequest): Promise<ObjectAnswer> {
  const { type, key, view } = request;
  const { context, violations: precheckViolations } = await precheck(given, request);
  const hasLockedRules = context.rules.get(type.name)?.locked !== undefined;
  return longIfLarge(view, async (isLong) => {
    const checked = hasLockedRules ? undefined : checkChange(context, request);
    const read = readStatement(view, key, context.links, isLong);
    const answers = await write(context, { precheckViolations, ...request }, checked, read);
    return answerOf(type, key, answers.at(-1));
  });
}

async function write(
  context: ObjectsContext,
  request: ChangeRequest & { precheckViolations: readonly Violation[] },
  checked: CheckedBody | undefined,
  read: Statement,
): Promise<Row[][]> {
  const { type, caller, ifMatch } = request;
  if (checked && ifMatch === undefined && onlyUserFor(type, caller) === undefined && isPlain(checked.change)) {
    refuseViolations(checked.violations);
    return context.database.runTogether(caller, [...plainStatements(checked.change, context), read]);
  }
  return context.database.transaction(
    caller,
    async (transaction) => {
      const { first, prepared } = await prepareChange(context, transaction, request, checked);
      return transaction.commitWith(...first, ...prepared.statements, read);
    },
    read.isLong,
  );
}

function checkChange(context: ObjectsContext, request: Omit<ChangeRequest, 'view'>, present?: LockedRow): CheckedBody {
  const { type, key, body, caller } = request;
  const checked = checkNormalised(context, body, { type, key, path: '' }, present);
  checkEdition(checked.change, caller);
  checked.violations.push(...(context.rules.get(type.name)?.check?.(checked.change, caller) ?? []));
  return checked;
}

export interface PreparedChange {
  /** Statements of the type's rules, which run before all others. */
  first: Statement[];
  prepared: PreparedWrite;
}

/** `checkedBefore`: the result of an earlier check, possible if the check does not need the current object. */
export async function prepareChange(
  context: ObjectsContext,
  transaction: Transaction,
  request: Omit<ChangeRequest, 'view'> & { precheckViolations?: readonly Violation[] },
  checkedBefore?: CheckedBody,
): Promise<PreparedChange> {
  const { type, key, ifMatch, caller, precheckViolations = [] } = request;
  const lockedRules = context.rules.get(type.name)?.locked;
  const object = {
    type,
    key,
    onlyUser: onlyUserFor(type, caller),
    lockFor: 'change',
    columns: lockedRules?.columns,
  } as const;
  const present = await lockForChange(transaction, object, ifMatch);
  const { change, violations } = checkedBefore ?? checkChange(context, request, present);
  const lockedChange = lockedRules?.change(change, present, caller);
  for (const [column, value] of lockedChange?.columns ?? []) change.columns.set(column, value);
  const examined = (await lockedRules?.examine?.(change, present, transaction)) ?? [];
  const mistakes = [...precheckViolations, ...violations, ...(lockedChange?.violations ?? []), ...examined];
  const prepared = await prepareWrite(transaction, [change], mistakes, context, caller);
  return { first: lockedChange?.statements ?? [], prepared };
}
