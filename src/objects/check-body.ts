// A request body against its object type: to a tree of changes and the list of all mistakes in it. Pure: whether keys and
// codes exist is asked later, all at once.

import type { Violation } from '../errors.ts';
import { joinPath } from '../json/join-path.ts';
import { type JsonObject, type JsonValue, NumberLiteral } from '../json/parse-json.ts';
import { mustBeSent } from '../model/must-be-sent.ts';
import type { Attribute, CollectionAttribute, ObjectType, ReferenceAttribute } from '../model/object-type.ts';
import { didYouMean } from '../query/nearest-name.ts';
import { cameLater } from '../query/newer-attribute.ts';
import { checkInteger, checkScalar, nameOf } from './check-scalar.ts';
import type { Echo, ObjectChange, ReferenceChange } from './object-change.ts';
import { violationsShown } from './refuse-change.ts';

export interface CheckedBody {
  change: ObjectChange;
  violations: Violation[];
}

export interface BodyPlace {
  type: ObjectType;
  /** Of the object that is changed; undefined when one is created. */
  key: number | undefined;
  /** Where the object stands: '' for the body itself. */
  path: string;
  arrayObjectsMax: number;
}

export function checkBody(body: JsonValue, place: BodyPlace): CheckedBody {
  const violations: Violation[] = [];
  const change = checkObject({ ...place, isElement: false, violations }, body);
  return { change, violations };
}

interface Place extends BodyPlace {
  isElement: boolean;
  violations: Violation[];
}

function checkObject(place: Place, body: JsonValue): ObjectChange {
  const { type, path, violations } = place;
  const change: ObjectChange = {
    type,
    path,
    key: place.key,
    columns: new Map(),
    references: [],
    collections: [],
    echoes: [],
    expected: [],
  };
  if (!(body instanceof Map)) {
    violations.push({ path, message: `must be an object, not ${nameOf(body)}.` });
    return change;
  }
  if (place.isElement) change.key = elementKey(place, body);
  for (const [name, value] of body) {
    const attribute = type.attributes.get(name) ?? type.writeOnly.get(name);
    const at = joinPath(path, name);
    if (!attribute) violations.push({ path: at, message: unknownAttribute(type, name, violations.length) });
    else if (!(place.isElement && name === 'key')) checkAttribute({ place, change, path: at }, attribute, value);
  }
  if (change.key === undefined) {
    requireAttributes(place, body);
    addDefaults(change);
  }
  return change;
}

/** One attribute of a body, and the change that it becomes part of. */
interface Spot {
  place: Place;
  change: ObjectChange;
  path: string;
}

function checkAttribute(spot: Spot, attribute: Attribute, value: JsonValue): void {
  const { change, path, place } = spot;
  if (attribute.kind === 'collection' && attribute.isReadOnly)
    place.violations.push({ path, message: `is written at its own resource, ${attribute.of.name}.` });
  else if (attribute.name === 'key' && change.key === undefined) refuseOwnKey(spot, value);
  else if (attribute.kind === 'self' || isEcho(change, attribute, value))
    change.echoes.push({ path, name: attribute.name, value });
  else if (attribute.kind === 'reference') checkReference(spot, attribute, value);
  else if (attribute.kind === 'collection') checkCollection(spot, attribute, value);
  else if (value === null && isLeftToService(change, attribute)) return;
  else if (attribute.isSequence && value === null && change.key !== undefined)
    place.violations.push({ path, message: 'cannot be null: only a new object is given the next number.' });
  else {
    const checked = checkScalar(attribute, value);
    if (checked.isGood) change.columns.set(attribute.column, checked.value);
    else place.violations.push({ path, message: checked.mistake });
  }
}

/** To ignore it would make a second object of one that was meant to be changed. Typed clients send null. */
function refuseOwnKey({ path, place }: Spot, value: JsonValue): void {
  if (value === null) return;
  const message = 'must be null or left out: the service gives a new object its key. To change an object, use PUT.';
  place.violations.push({ path, message });
}

/** In a new object, null where the service has a value is the same as nothing. */
function isLeftToService({ key }: ObjectChange, { isFilledIn, isRequired }: Attribute): boolean {
  return key === undefined && isFilledIn && isRequired;
}

/** A reference that stays as it is is looked up like any other, since it may be given in several ways. */
function isEcho({ key }: ObjectChange, attribute: Attribute, value: JsonValue): boolean {
  const isSettable = attribute.kind === 'reference' && value !== null;
  return attribute.isReadOnly || (attribute.isFixed && key !== undefined && !isSettable);
}

function checkReference({ change, path, place }: Spot, attribute: ReferenceAttribute, value: JsonValue): void {
  if (value === null) {
    if (attribute.isRequired) place.violations.push({ path, message: 'is required and cannot be null.' });
    else change.columns.set(attribute.column, null);
    return;
  }
  const reference = readReference(attribute, value, path);
  if (typeof reference === 'string') place.violations.push({ path, message: reference });
  else change.references.push(reference);
}

/** A key, `{"key": n}`, or the code of a coded type. */
function readReference(attribute: ReferenceAttribute, value: JsonValue, path: string): ReferenceChange | string {
  const { target } = attribute;
  if (typeof value === 'string' && target.code)
    return { attribute, path, target: { kind: 'code', code: value }, echoes: [] };
  const keyValue = value instanceof Map ? value.get('key') : value;
  const expected = `must be a key of ${target.name}, {"key": …}${target.code ? `, or a ${target.code.name}` : ''}`;
  if (!(keyValue instanceof NumberLiteral))
    return `${expected}, not ${value instanceof Map ? 'an object without a key' : nameOf(value)}.`;
  const checked = checkInteger(keyValue, 1, Number.MAX_SAFE_INTEGER);
  if (!checked.isGood) return `${expected}: the key ${checked.mistake}`;
  return {
    attribute,
    path,
    target: { kind: 'key', key: Number(checked.value) },
    echoes: value instanceof Map ? echoesOf(value, path) : [],
  };
}

function echoesOf(object: JsonObject, path: string): Echo[] {
  return [...object]
    .filter(([name]) => name !== 'key')
    .map(([name, value]) => ({ path: joinPath(path, name), name, value }));
}

function checkCollection({ change, path, place }: Spot, attribute: CollectionAttribute, value: JsonValue): void {
  const { violations, arrayObjectsMax } = place;
  if (!Array.isArray(value)) {
    violations.push({ path, message: `must be an array of ${attribute.of.name}, not ${nameOf(value)}.` });
    return;
  }
  const least = Math.max(attribute.minItems, attribute.isRequired && change.key === undefined ? 1 : 0);
  if (value.length < least)
    violations.push({ path, message: `must have at least ${least} element${least > 1 ? 's' : ''}.` });
  if (value.length > arrayObjectsMax) {
    violations.push({ path, message: `may have at most ${arrayObjectsMax} elements; this has ${value.length}.` });
    return;
  }
  const elements = value.map((element, index) => {
    const inside = { type: attribute.of, path: `${path}[${index}]`, key: undefined, isElement: true };
    return checkObject({ ...place, ...inside }, element);
  });
  refuseRepeatedKeys(elements, violations);
  change.collections.push({ attribute, path, elements });
}

function elementKey({ path, violations }: Place, body: JsonObject): number | undefined {
  const value = body.get('key');
  if (value === undefined || value === null) return undefined;
  const checked = checkInteger(value, 1, Number.MAX_SAFE_INTEGER);
  if (checked.isGood) return Number(checked.value);
  violations.push({ path: joinPath(path, 'key'), message: checked.mistake });
  return undefined;
}

function refuseRepeatedKeys(elements: ObjectChange[], violations: Violation[]): void {
  const seen = new Set<number>();
  for (const { key, path } of elements) {
    if (key === undefined) continue;
    if (seen.has(key)) violations.push({ path: joinPath(path, 'key'), message: `${key} stands in the array twice.` });
    seen.add(key);
  }
}

/** The owner of an element is the object it stands in. */
function requireAttributes({ type, path, isElement, violations }: Place, body: JsonObject): void {
  for (const attribute of type.attributes.values()) {
    const isGivenByPlace = isElement && attribute.kind === 'reference' && attribute.isOwner;
    if (mustBeSent(attribute) && !isGivenByPlace && !body.has(attribute.name)) {
      violations.push({ path: joinPath(path, attribute.name), message: 'is required.' });
    }
  }
}

/** Written out, because the objects of an array are inserted together: what one of them names, none may leave out. */
function addDefaults({ type, columns }: ObjectChange): void {
  for (const { column, default: value } of type.scalars)
    if (value !== undefined && !columns.has(column)) columns.set(column, value);
}

/** A hint costs time, and 80,000 of them, of which nobody is shown more than the first, would cost seconds. */
function unknownAttribute(type: ObjectType, name: string, mistakesBefore: number): string {
  const later = cameLater(type, name);
  if (later) return later;
  if (type.shownOnce.some((shown) => shown.name === name))
    return 'is shown once, when the service has made it, and cannot be sent.';
  const hint =
    mistakesBefore < violationsShown ? didYouMean(name, [...type.attributes.keys(), ...type.writeOnly.keys()]) : '';
  return `is not an attribute of ${type.name}.${hint}`;
}
