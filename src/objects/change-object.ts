// Changes one object with what the body carries; its collections become what the body says. All in one transaction.

import type { Transaction } from '../database/database.ts';
import type { JsonValue } from '../json/parse-json.ts';
import type { ObjectType } from '../model/object-type.ts';
import type { View } from '../query/view.ts';
import { type Caller, userSeen } from './caller.ts';
import { type CheckedBody, checkBody } from './check-body.ts';
import { checkEdition } from './check-edition.ts';
import { holdObject } from './hold-object.ts';
import type { ObjectsContext } from './objects-context.ts';
import { answerOf, type ObjectAnswer, readStatement } from './read-object.ts';
import { refuseViolations } from './refuse-change.ts';
import { isPlain, plainStatements, prepareWrite } from './write-changes.ts';

export interface ChangeRequest {
  type: ObjectType;
  key: number;
  body: JsonValue;
  view: View;
  caller: Caller;
  ifMatch: string | undefined;
}

export async function changeObject(context: ObjectsContext, request: ChangeRequest): Promise<ObjectAnswer> {
  const { type, key, view, caller } = request;
  const checked = checkBody(request.body, { type, key, path: '', arrayObjectsMax: context.arrayObjectsMax });
  checkEdition(checked.change, caller);
  checked.violations.push(...(context.rules.get(type.name)?.check?.(checked.change, caller) ?? []));
  const read = readStatement(view, key, context.links);
  if (request.ifMatch === undefined && userSeen(type, caller) === undefined && isPlain(checked.change)) {
    refuseViolations(checked.violations);
    const answers = await context.database.runTogether(caller, [...plainStatements(checked.change), read]);
    return answerOf(type, key, answers.at(-1));
  }
  return context.database.transaction(caller, async (transaction) => {
    const statements = await settleHeld(context, transaction, request, checked);
    const answers = await transaction.commitWith(...statements, read);
    return answerOf(type, key, answers.at(-1));
  });
}

async function settleHeld(
  context: ObjectsContext,
  transaction: Transaction,
  { type, key, ifMatch, caller }: ChangeRequest,
  { change, violations }: CheckedBody,
) {
  await holdObject(transaction, { type, key, onlyUser: userSeen(type, caller) }, ifMatch);
  const { statements } = await prepareWrite(transaction, [change], violations, context, caller);
  return statements;
}
