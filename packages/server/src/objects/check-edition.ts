// Checks attributes that only some editions of the API have: a user of another edition cannot set them. If an object
// belongs to a user, the edition of that user decides, no matter who creates the object.

import type { Transaction } from '../database/database.ts';
import { ApiError } from '../errors.ts';
import { type Edition, includesEdition } from '../model/editions.ts';
import type { ReferenceAttribute, ScalarAttribute } from '../model/object-type.ts';
import type { Caller } from './caller.ts';
import { type Findings, keyOfTarget } from './look-up.ts';
import { type ObjectChange, withElements } from './object-change.ts';
import { selectEdition } from './object-table.ts';

export function checkEdition(change: ObjectChange, { edition }: Pick<Caller, 'edition'>): void {
  for (const one of withElements(change))
    for (const attribute of editionsSet(one)) rejectOtherEdition(attribute, edition);
}

/** Checks new objects, once their owners are known. */
export async function checkOwnersEdition(
  transaction: Transaction,
  changes: ObjectChange[],
  findings: Findings,
  caller: Caller,
): Promise<void> {
  for (const change of changes) {
    if (change.key !== undefined || ![...withElements(change)].some((one) => editionsSet(one).length > 0)) continue;
    checkEdition(change, { edition: (await ownersEdition(transaction, change, findings, caller)) ?? caller.edition });
  }
}

/** Undefined: the object does not belong to another user. */
async function ownersEdition(
  transaction: Transaction,
  { type, references }: ObjectChange,
  findings: Findings,
  { userKey, isAdmin }: Caller,
): Promise<Edition | undefined> {
  const owner = references.find(({ attribute }) => attribute === type.ownedBy);
  // Only administrators may name another user as the owner.
  if (!owner || !isAdmin) return undefined;
  const key = keyOfTarget(owner, findings);
  if (key === undefined || key === userKey) return undefined;
  const [rows] = await transaction.run(selectEdition(owner.attribute.target, key));
  return rows?.[0]?.edition as Edition | undefined;
}

function editionsSet({
  type,
  columns,
  references,
  carriedOver,
}: ObjectChange): (ScalarAttribute | ReferenceAttribute)[] {
  return [...type.scalars, ...type.references].filter((attribute) => {
    if (attribute.edition === undefined || carriedOver?.has(attribute.column)) return false;
    // Any edition may clear the attribute.
    const isSet = (columns.get(attribute.column) ?? null) !== null;
    return isSet || references.some((reference) => reference.attribute === attribute);
  });
}

function rejectOtherEdition({ name, edition: needed }: ScalarAttribute | ReferenceAttribute, edition: Edition): void {
  if (needed === undefined || includesEdition(edition, needed)) return;
  throw new ApiError('editionRequired', `${name} requires the edition ${needed}; this user has ${edition}.`);
}
