// How an object looks to the notifications of one change of the reference model: as its transaction left it, and as its
// transaction found it.

import {
  type Change,
  type ModelObject,
  type Transaction,
  type TypeName,
  typeTable,
  type Value,
  type World,
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

/** As the transaction left it. An object that it has deleted since is as this change left it. */
export function seenAfter({ end }: Transaction, { mark: changed, after }: Change, mark: string): Seen | null {
  return see(mark, sightOf(end, changed, after));
}

/** As the transaction found it. An object that it has created before is as this change found it, if that deletes it. */
export function seenBefore(
  { start }: Transaction,
  { mark: changed, before, operation }: Change,
  mark: string,
): Seen | null {
  return see(mark, sightOf(start, changed, operation === 'D' ? before : undefined));
}

function sightOf(world: World, changed: string, otherwise: ModelObject | undefined): Sight {
  return {
    find: (wanted) => world.get(wanted) ?? (wanted === changed ? otherwise : undefined),
    owned: (owner, type) => [...world.values()].filter((object) => object.owner === owner && object.type === type),
  };
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
