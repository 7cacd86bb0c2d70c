// How an object looks around one change of the reference model: the changed object before or after that change,
// everything else as it is when the change is matched, which is after its transaction.

import {
  type Change,
  type ModelObject,
  type Transaction,
  type TypeName,
  typeTable,
  type Value,
} from './reference-model.ts';

/** An object with its references and collections. */
export interface Seen {
  readonly mark: string;
  value(name: string): Value;
  /** `portCall`, or the name of the owner; null if that no longer exists, whatever the row contains. */
  reference(name: string): Seen | null;
  elements(collection: string): Seen[];
}

interface Sight {
  find(mark: string): ModelObject | undefined;
  owned(mark: string, type: TypeName): ModelObject[];
}

export function seenAfter({ end }: Transaction, change: Change, mark: string): Seen | null {
  const world = new Map(end);
  if (change.after) world.set(change.mark, change.after);
  else world.delete(change.mark);
  return see(mark, {
    find: (wanted) => world.get(wanted),
    owned: (owner, type) => [...world.values()].filter((object) => object.owner === owner && object.type === type),
  });
}

/** Objects that the transaction deleted are restored from its deletes. */
export function seenBefore({ end, changes }: Transaction, change: Change, mark: string): Seen | null {
  const deleted = new Map(
    changes.filter(({ operation }) => operation === 'D').map((gone) => [gone.mark, gone.before!]),
  );
  const world = new Map(end);
  if (change.before) world.set(change.mark, change.before);
  else world.delete(change.mark);
  const isGone = (wanted: string) => !end.has(wanted) && deleted.has(wanted);
  return see(mark, {
    find: (wanted) => world.get(wanted) ?? deleted.get(wanted),
    owned: (owner, type) =>
      [...(isGone(owner) ? deleted : world).values()].filter(
        (object) => object.owner === owner && object.type === type,
      ),
  });
}

function see(mark: string, sight: Sight): Seen | null {
  const object = sight.find(mark);
  if (!object) return null;
  const { owner, collections } = typeTable[object.type];
  return {
    mark,
    value: (name) => object.values[name]!,
    reference: (name) => {
      const target = owner?.name === name ? object.owner : object.portCall;
      return target === null ? null : see(target, sight);
    },
    elements: (name) => sight.owned(mark, collections[name]!).map((element) => see(element.mark, sight)!),
  };
}
