// What an expression reads, as a tree of attributes that mirrors a field selection, so that whoever evaluates many
// expressions over many objects can load all of it at once. Filled in by the checker, getter by getter.

import type { Attribute, CollectionAttribute } from '../../../model/object-type.ts';

export interface ReadPlace {
  readonly children: Map<string, ReadPlace>;
  readonly depth: number;
  /** Those on the way here. */
  readonly collections: readonly CollectionAttribute[];
  readonly isScalar: boolean;
}

export type Variable = 'new' | 'old';

/** A field selection as `query/field-selection.ts` takes it. */
export type FieldTree = Map<string, '*' | FieldTree>;

export function startPlace(): ReadPlace {
  return { children: new Map(), depth: 0, collections: [], isScalar: false };
}

export function placeOf(from: ReadPlace, attribute: Attribute): ReadPlace {
  const known = from.children.get(attribute.name);
  if (known) return known;
  const isCollection = attribute.kind === 'collection';
  const place: ReadPlace = {
    children: new Map(),
    depth: from.depth + 1,
    collections: isCollection ? [...from.collections, attribute] : from.collections,
    isScalar: !isCollection && attribute.kind !== 'reference',
  };
  from.children.set(attribute.name, place);
  return place;
}

/** Why an attribute cannot be read from here: the rules of a field selection, which loads it. */
export function refuseStep(from: ReadPlace, attribute: Attribute): string | undefined {
  if (from.depth >= stepsMax) return `A path has at most ${stepsMax} attributes.`;
  if (attribute.kind === 'collection' && from.collections.includes(attribute))
    return `A path goes through each collection once, and ${attribute.name} is there already.`;
  return undefined;
}

// As long as the path of a filter may be.
const stepsMax = 10;

/** A reference or collection of which nothing is read has an empty tree. */
export function fieldTree(place: ReadPlace): FieldTree {
  return new Map([...place.children].map(([name, child]) => [name, child.isScalar ? '*' : fieldTree(child)]));
}
