// Records what an expression reads, as a tree of attributes that mirrors a field selection. The caller can then load
// the attributes of many expressions over many objects at once. The checker fills in the tree, getter by getter.

import type { AttributeShape, CollectionShape, ObjectShape } from '../input/object-shape.ts';

export interface ReadPlace {
  readonly children: Map<string, ReadPlace>;
  readonly depth: number;
  /** The collections on the path to this place. */
  readonly collections: readonly CollectionShape[];
  readonly isScalar: boolean;
}

/** Maps an attribute to `*`, or to what is read from the objects that it refers to. */
export type FieldTree = Map<string, '*' | FieldTree>;

export function startPlace(): ReadPlace {
  return { children: new Map(), depth: 0, collections: [], isScalar: false };
}

export function placeOf(from: ReadPlace, attribute: AttributeShape): ReadPlace {
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

/** Where an object is read if it has this type. The fields of an object of several types are recorded by type. */
export function placeOfType(from: ReadPlace, { name }: ObjectShape): ReadPlace {
  const known = from.children.get(name);
  if (known) return known;
  const place = startPlace();
  from.children.set(name, place);
  return place;
}

/** The reason why an attribute cannot be read from here. The rules are those of the field selection that loads it. */
export function whyUnreadable(from: ReadPlace, attribute: AttributeShape): string | undefined {
  if (from.depth >= stepsMax) return `A path has at most ${stepsMax} attributes.`;
  if (attribute.kind === 'collection' && from.collections.includes(attribute))
    return `A path goes through each collection once, and ${attribute.name} is already in it.`;
  return undefined;
}

// The same limit as for the path of a filter.
const stepsMax = 10;

/** A reference or collection from which nothing is read has an empty tree. */
export function fieldTree(place: ReadPlace): FieldTree {
  return new Map([...place.children].map(([name, child]) => [name, child.isScalar ? '*' : fieldTree(child)]));
}
