// The getters of an object type: which attribute each reads, and as what type of Java. Looked up by name in a map made
// from the model, so nothing else can ever be reached.

import type { Attribute, ObjectType } from '../../../model/object-type.ts';
import { boxed, generic, type JavaType, plain } from './java-type.ts';
import { placeOf, type ReadPlace } from './read-place.ts';

export interface Getter {
  name: string;
  attribute: Attribute;
}

/** Every getter by its name: `getVesselName`; for a boolean `getArrivalFixed`, `isArrivalFixed`, and `isTc` for `isTc`. */
export function gettersOf(type: ObjectType): ReadonlyMap<string, Getter> {
  const known = made.get(type);
  if (known) return known;
  const getters = new Map<string, Getter>();
  for (const attribute of type.attributes.values()) {
    for (const name of getterNames(attribute)) if (!getters.has(name)) getters.set(name, { name, attribute });
  }
  made.set(type, getters);
  return getters;
}

/** A model lives as long as its process, and its types never change. */
const made = new WeakMap<ObjectType, ReadonlyMap<string, Getter>>();

function getterNames({ name, kind }: Attribute): string[] {
  if (kind === 'binary' || kind === 'json') return [];
  const capitalised = name.charAt(0).toUpperCase() + name.slice(1);
  if (kind !== 'boolean') return [`get${capitalised}`];
  return [`get${capitalised}`, /^is[A-Z]/.test(name) ? name : `is${capitalised}`];
}

/** What a getter answers on an object that comes from these places. */
export function typeOfAttribute(attribute: Attribute, places: readonly ReadPlace[]): JavaType {
  const reached = places.map((place) => placeOf(place, attribute));
  switch (attribute.kind) {
    case 'decimal':
      return boxed('Double');
    case 'integer':
      return boxed('Integer');
    case 'key':
      return boxed('Long');
    case 'boolean':
      return boxed('Boolean');
    case 'dateTime':
      return plain('Date');
    case 'reference':
      return { kind: 'object', type: attribute.target, places: reached };
    case 'collection':
      return generic('List', { kind: 'object', type: attribute.of, places: reached });
    case 'textList':
      return generic('List', plain('String'));
    default:
      return plain('String');
  }
}
