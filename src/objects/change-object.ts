// Changes one object with what the body carries; its collections become what the body says. All in one transaction.

import type { Row, Statement, Transaction } from '../database/database.ts';
import type { Violation } from '../errors.ts';
import type { JsonValue } from '../json/parse-json.ts';
import type { ObjectType } from '../model/object-type.ts';
import type { View } from '../query/view.ts';
import { type Caller, userSeen } from './caller.ts';
import type { CheckedBody } from './check-body.ts';
import { checkEdition } from './check-edition.ts';
import { foresee } from './foresee.ts';
import { holdObject } from './hold-object.ts';
import { longIfLarge } from './long-if-large.ts';
import { checkNormalised } from './normalise-body.ts';
import type { ObjectsContext } from './objects-context.ts';
import { answerOf, type ObjectAnswer, readStatement } from './read-object.ts';
import { refuseViolations } from './refuse-change.ts';
import type { HeldRow } from './type-rules.ts';
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
  const { context, violations: foreseen } = await foresee(given, request);
  const isHeld = context.rules.get(type.name)?.held !== undefined;
  return longIfLarge(view, async (isLong) => {
    const checked = isHeld ? undefined : checkChange(context, request);
    const read = readStatement(view, key, context.links, isLong);
    const answers = await write(context, { foreseen, ...request }, checked, read);
    return answerOf(type, key, answers.at(-1));
  });
}

async function write(
  context: ObjectsContext,
  request: ChangeRequest & { foreseen: readonly Violation[] },
  checked: CheckedBody | undefined,
  read: Statement,
): Promise<Row[][]> {
  const { type, caller, ifMatch } = request;
  if (checked && ifMatch === undefined && userSeen(type, caller) === undefined && isPlain(checked.change)) {
    refuseViolations(checked.violations);
    return context.database.runTogether(caller, [...plainStatements(checked.change, context), read]);
  }
  return context.database.transaction(
    caller,
    async (transaction) => {
      const { first, prepared } = await prepareHeld(context, transaction, request, checked);
      return transaction.commitWith(...first, ...prepared.statements, read);
    },
    read.isLong,
  );
}

function checkChange(context: ObjectsContext, request: Omit<ChangeRequest, 'view'>, present?: HeldRow): CheckedBody {
  const { type, key, body, caller } = request;
  const checked = checkNormalised(context, body, { type, key, path: '' }, present);
  checkEdition(checked.change, caller);
  checked.violations.push(...(context.rules.get(type.name)?.check?.(checked.change, caller) ?? []));
  return checked;
}

export interface HeldWrite {
  /** Of the rules of the type, before all others. */
  first: Statement[];
  prepared: PreparedWrite;
}

/** `checkedBefore`: where the check needs nothing of the object as it is now. */
export async function prepareHeld(
  context: ObjectsContext,
  transaction: Transaction,
  request: Omit<ChangeRequest, 'view'> & { foreseen?: readonly Violation[] },
  checkedBefore?: CheckedBody,
): Promise<HeldWrite> {
  const { type, key, ifMatch, caller, foreseen = [] } = request;
  const held = context.rules.get(type.name)?.held;
  const object = { type, key, onlyUser: userSeen(type, caller), lockFor: 'change', columns: held?.columns } as const;
  const present = await holdObject(transaction, object, ifMatch);
  const { change, violations } = checkedBefore ?? checkChange(context, request, present);
  const heldChange = held?.change(change, present, caller);
  for (const [column, value] of heldChange?.columns ?? []) change.columns.set(column, value);
  const examined = (await held?.examine?.(change, present, transaction)) ?? [];
  const mistakes = [...foreseen, ...violations, ...(heldChange?.violations ?? []), ...examined];
  const prepared = await prepareWrite(transaction, [change], mistakes, context, caller);
  return { first: heldChange?.statements ?? [], prepared };
}
