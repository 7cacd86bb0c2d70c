// Finds the objects that are, or were, in the hierarchy of an object: its sub-objects all the way down, and what their
// followed references (▲) lead to, with the sub-objects of that. A reference is not followed a second time.

import type { Run, Statement } from '../database/database.ts';
import type { Model, ObjectType } from '../model/object-type.ts';
import { type MemberFound, selectElements, selectReferred } from './members-table.ts';

/** An object with more has a hierarchy whose changes are found by their types. */
export const membersMax = 1_000;

/** The keys, with that of the object itself; undefined if there are too many. */
export async function findMembers(
  model: Model,
  type: ObjectType,
  key: number,
  run: Run,
): Promise<number[] | undefined> {
  const found = new Set([key]);
  let level: Level[] = [{ type: model.types.get(type.name)!, keys: [key], hasFollowed: false }];
  while (level.length > 0) {
    const steps = level.flatMap(stepsDown);
    const rows = steps.length > 0 ? await run(...steps.map(({ statement }) => statement)) : [];
    level = steps.flatMap(({ to, hasFollowed }, index) => {
      const keys = (rows[index] as unknown as MemberFound[]).map((row) => Number(row.key));
      // An object that was reached before can be reached again before any reference was followed.
      for (const each of keys) found.add(each);
      return keys.length > 0 ? [{ type: to, keys, hasFollowed }] : [];
    });
    if (found.size > membersMax) return undefined;
  }
  return [...found];
}

interface Level {
  type: ObjectType;
  keys: number[];
  hasFollowed: boolean;
}

interface StepDown {
  statement: Statement;
  to: ObjectType;
  hasFollowed: boolean;
}

/** Ownership is never circular, and a reference is followed once, so there is a last level. */
function stepsDown({ type, keys, hasFollowed }: Level): StepDown[] {
  const elements = type.collections
    .filter(({ isOwned, of }) => isOwned && of.makesEvents)
    .map((collection) => ({
      statement: selectElements(collection, keys, membersMax),
      to: collection.of,
      hasFollowed,
    }));
  if (hasFollowed) return elements;
  const referred = type.references
    .filter(({ isFollowed, target }) => isFollowed && target.makesEvents)
    .map((reference) => ({
      statement: selectReferred(type, reference, keys, membersMax),
      to: reference.target,
      hasFollowed: true,
    }));
  return [...elements, ...referred];
}
