// The getters of an object type: the attribute that each reads, and its Java type. Getters are looked up by name in a
// map made from the model, so nothing else can be reached.

import type { AttributeShape, ObjectShape } from '../input/object-shape.ts';
import { boxed, generic, type JavaType, plain, textType } from '../typing/java-type.ts';
import { placeOf, type ReadPlace } from '../typing/read-place.ts';

export interface Getter {
  name: string;
  attribute: AttributeShape;
}

/** All getters by name: `getVesselName`; for booleans also `isArrivalFixed`, and `isTc` for the attribute `isTc`. */
export function gettersOf(type: ObjectShape): ReadonlyMap<string, Getter> {
  const known = cache.get(type);
  if (known) return known;
  const getters = new Map<string, Getter>();
  for (const attribute of type.attributes.values()) {
    for (const name of getterNames(attribute)) if (!getters.has(name)) getters.set(name, { name, attribute });
  }
  cache.set(type, getters);
  return getters;
}

export interface OwnedGetter extends Getter {
  type: ObjectShape;
}

/** The getter of this name of each type that has one. */
export function ownersOf(types: readonly ObjectShape[], name: string): OwnedGetter[] {
  return types.flatMap((type) => {
    const getter = gettersOf(type).get(name);
    return getter ? [{ ...getter, type }] : [];
  });
}

/** The name of the getter that reads the attribute. */
export function getterOf(type: ObjectShape, attribute: string): string | undefined {
  return [...gettersOf(type).values()].find((getter) => getter.attribute.name === attribute)?.name;
}

/** A model lives as long as the process and its types never change, so entries never become outdated. */
const cache = new WeakMap<ObjectShape, ReadonlyMap<string, Getter>>();

function getterNames({ name, kind }: AttributeShape): string[] {
  if (kind === 'binary' || kind === 'json') return [];
  const capitalised = name.charAt(0).toUpperCase() + name.slice(1);
  if (kind !== 'boolean') return [`get${capitalised}`];
  return [`get${capitalised}`, /^is[A-Z]/.test(name) ? name : `is${capitalised}`];
}

/** The type that a getter returns for an object that is read from these places. */
export function typeOfAttribute(attribute: AttributeShape, places: readonly ReadPlace[]): JavaType {
  const reached = places.map((place) => placeOf(place, attribute));
  if (attribute.kind === 'reference') return { kind: 'object', type: attribute.target, places: reached };
  if (attribute.kind === 'collection') return generic('List', { kind: 'object', type: attribute.of, places: reached });
  return scalarTypes[attribute.kind] ?? textType;
}

const scalarTypes: Partial<Record<AttributeShape['kind'], JavaType>> = {
  decimal: boxed('Double'),
  integer: boxed('Integer'),
  key: boxed('Long'),
  boolean: boxed('Boolean'),
  dateTime: plain('Date'),
  textList: generic('List', textType),
};
