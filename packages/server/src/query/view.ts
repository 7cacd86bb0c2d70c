// What is shown of an object: which attributes, and what of the objects behind its references and collections. Defines
// the default views; views from `fields` come from `field-selection.ts`.

import { entryOf } from '../entry-of.ts';
import type {
  Attribute,
  CollectionAttribute,
  ObjectType,
  ReferenceAttribute,
  ScalarAttribute,
  SelfAttribute,
} from '../model/object-type.ts';

export interface View {
  readonly type: ObjectType;
  /** In the model's order, which puts `key` and `self` first. */
  readonly items: readonly ViewItem[];
}

export type ViewItem =
  | { readonly kind: 'scalar'; readonly attribute: SelfAttribute | ScalarAttribute }
  | { readonly kind: 'reference'; readonly attribute: ReferenceAttribute; readonly view: View }
  | { readonly kind: 'collection'; readonly attribute: CollectionAttribute; readonly view: View };

/** How a single object is shown: scalars, references with code and name, and its sub-objects. */
export function wholeView(type: ObjectType): View {
  return entryOf(wholeViews, type, () => buildView(type, showInWhole));
}

/** How an object is shown in a list: scalars, references with key and self, no collections. */
export function minimizedView(type: ObjectType): View {
  return entryOf(minimizedViews, type, () => buildView(type, showInMinimized));
}

/** How a sub-object is shown in its owner: scalars, references with code and name, its owner with key and self. */
export function elementView(type: ObjectType): View {
  return entryOf(elementViews, type, () => buildView(type, showInElement));
}

/** What a reference shows of the object that it leads to: what identifies it to a person, such as code and name. */
export function referenceView(type: ObjectType): View {
  return entryOf(referenceViews, type, () =>
    buildView(type, (attribute) => (isShownBy(type, attribute) ? showInReference(attribute) : undefined)),
  );
}

/** The view that an object sent back by a caller is compared with: the minimized view, and all fixed attributes. */
export function sentBackView(type: ObjectType): View {
  return buildView(type, (attribute) => (attribute.isFixed && showScalar(attribute)) || showInMinimized(attribute));
}

/** Everything that at least one of two views of the same type shows. */
export function mergeViews(one: View, other: View): View {
  const others = new Map(other.items.map((item) => [item.attribute.name, item]));
  const both = new Map(
    one.items.map((item) => [item.attribute.name, mergeItems(item, others.get(item.attribute.name))]),
  );
  return buildView(one.type, ({ name }) => both.get(name) ?? others.get(name));
}

function mergeItems(one: ViewItem, other: ViewItem | undefined): ViewItem {
  if (one.kind === 'scalar' || other === undefined || other.kind === 'scalar') return one;
  return { ...one, view: mergeViews(one.view, other.view) };
}

/** The minimum that is shown of any object. */
export function keyAndSelfView(type: ObjectType): View {
  return entryOf(keyAndSelfViews, type, () => buildView(type, () => undefined));
}

function isKeyOrSelf(attribute: Attribute): boolean {
  return attribute.name === 'key' || attribute.name === 'self';
}

/** A reference that shows only key and self is read from the referring row. */
export function isInColumn(item: ViewItem): boolean {
  return item.kind === 'reference' && item.view.items.every(({ attribute }) => isKeyOrSelf(attribute));
}

/** Calls `show` for each attribute; `key` and `self` are always included. */
export function buildView(type: ObjectType, show: (attribute: Attribute) => ViewItem | undefined): View {
  const items: ViewItem[] = [];
  for (const attribute of type.attributes.values()) {
    const item = show(attribute) ?? (isKeyOrSelf(attribute) ? showScalar(attribute) : undefined);
    if (item) items.push(item);
  }
  return { type, items };
}

export function showScalar(attribute: Attribute): ViewItem | undefined {
  return attribute.kind === 'reference' || attribute.kind === 'collection' ? undefined : { kind: 'scalar', attribute };
}

function showInWhole(attribute: Attribute): ViewItem | undefined {
  if (attribute.isOnDemand) return undefined;
  if (attribute.kind === 'reference') return { kind: 'reference', attribute, view: referenceView(attribute.target) };
  if (attribute.kind !== 'collection') return showScalar(attribute);
  return attribute.isOwned ? { kind: 'collection', attribute, view: elementView(attribute.of) } : undefined;
}

function showInMinimized(attribute: Attribute): ViewItem | undefined {
  if (attribute.isOnDemand || attribute.isLarge) return undefined;
  if (attribute.kind === 'reference') return { kind: 'reference', attribute, view: keyAndSelfView(attribute.target) };
  return showScalar(attribute);
}

function showInElement(attribute: Attribute): ViewItem | undefined {
  if (attribute.kind !== 'reference' || attribute.isOwner) return showInMinimized(attribute);
  return showInWhole(attribute);
}

function showInReference(attribute: Attribute): ViewItem | undefined {
  if (attribute.kind !== 'reference') return showScalar(attribute);
  return { kind: 'reference', attribute, view: plainReferenceView(attribute.target) };
}

/** Shows no further reference. Each one is another row to load, and references may be circular. */
function plainReferenceView(type: ObjectType): View {
  return entryOf(plainReferenceViews, type, () =>
    buildView(type, (attribute) => (isShownBy(type, attribute) ? showScalar(attribute) : undefined)),
  );
}

function isShownBy({ shownBy }: ObjectType, { name }: Attribute): boolean {
  return shownBy.some((shown) => shown.name === name);
}

/** Cached, because the default views of a type never change and every plain request uses one of them. */
const wholeViews = new WeakMap<ObjectType, View>();
const minimizedViews = new WeakMap<ObjectType, View>();
const elementViews = new WeakMap<ObjectType, View>();
const referenceViews = new WeakMap<ObjectType, View>();
const plainReferenceViews = new WeakMap<ObjectType, View>();
const keyAndSelfViews = new WeakMap<ObjectType, View>();
