// Checks a request body against its object type and returns a tree of changes with the list of all mistakes. This is
// pure: whether keys and codes exist is looked up later, all at once.

import { didYouMean } from '@flaghoist/source-text';
import type { Violation } from '../errors.ts';
import { joinPath } from '../json/join-path.ts';
import { type JsonObject, type JsonValue, NumberLiteral } from '../json/parse-json.ts';
import { mustBeSent } from '../model/must-be-sent.ts';
import type { Attribute, CollectionAttribute, ObjectType, ReferenceAttribute } from '../model/object-type.ts';
import { cameLater } from '../query/attributes/newer-attribute.ts';
import { checkKey, checkScalar, nameOf } from './check-scalar.ts';
import type { ObjectChange, ReferenceChange, SentBack } from './object-change.ts';
import { violationsShown } from './object-errors.ts';

export interface CheckedBody {
  change: ObjectChange;
  violations: Violation[];
}

export interface CheckedPosition {
  type: ObjectType;
  /** The key of the object to change; undefined when an object is created. */
  key: number | undefined;
  /** The path of the object in the body: '' for the body itself. */
  path: string;
  arrayObjectsMax: number;
}

export function checkBody(body: JsonValue, place: CheckedPosition): CheckedBody {
  const violations: Violation[] = [];
  const change = checkObject({ ...place, isElement: false, violations }, body);
  return { change, violations };
}

interface BodyPosition extends CheckedPosition {
  isElement: boolean;
  violations: Violation[];
}

function checkObject(place: BodyPosition, body: JsonValue): ObjectChange {
  const { type, path, violations } = place;
  const change: ObjectChange = {
    type,
    path,
    key: place.key,
    columns: new Map(),
    references: [],
    collections: [],
    sentBack: [],
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

/** One attribute of a body, and the change it contributes to. */
interface AttributePosition {
  place: BodyPosition;
  change: ObjectChange;
  path: string;
}

function checkAttribute(position: AttributePosition, attribute: Attribute, value: JsonValue): void {
  const { change, path, place } = position;
  if (attribute.kind === 'collection' && attribute.isReadOnly)
    place.violations.push({ path, message: `is written at its own resource, ${attribute.of.name}.` });
  else if (attribute.name === 'key' && change.key === undefined) checkOwnKey(position, value);
  else if (attribute.kind === 'self' || isSentBack(change, attribute, value))
    change.sentBack.push({ path, name: attribute.name, value });
  else if (attribute.kind === 'reference') checkReference(position, attribute, value);
  else if (attribute.kind === 'collection') checkCollection(position, attribute, value);
  else if (value === null && isLeftToService(change, attribute)) return;
  else if (attribute.isSequence && value === null && change.key !== undefined)
    place.violations.push({ path, message: 'cannot be null: only a new object is given the next number.' });
  else {
    const checked = checkScalar(attribute, value);
    if (checked.isGood) change.columns.set(attribute.column, checked.value);
    else place.violations.push({ path, message: checked.mistake });
  }
}

/**
 * Ignoring the key would create a second object when the caller meant to change an existing one. Null is accepted,
 * because typed clients send it.
 */
function checkOwnKey({ path, place }: AttributePosition, value: JsonValue): void {
  if (value === null) return;
  const message = 'must be null or left out: the service gives a new object its key. To change an object, use PUT.';
  place.violations.push({ path, message });
}

/** In a new object, null means "not sent" for a required attribute that the service fills in. */
function isLeftToService({ key }: ObjectChange, { isFilledIn, isRequired }: Attribute): boolean {
  return key === undefined && isFilledIn && isRequired;
}

/** A reference that cannot change is looked up like any other, because it can be written in several ways. */
function isSentBack({ key }: ObjectChange, attribute: Attribute, value: JsonValue): boolean {
  const isSettable = attribute.kind === 'reference' && value !== null;
  return attribute.isReadOnly || (attribute.isFixed && key !== undefined && !isSettable);
}

function checkReference(
  { change, path, place }: AttributePosition,
  attribute: ReferenceAttribute,
  value: JsonValue,
): void {
  if (value === null) {
    if (attribute.isRequired) place.violations.push({ path, message: 'is required and cannot be null.' });
    else change.columns.set(attribute.column, null);
    return;
  }
  const reference = readReference(attribute, value, path);
  if (typeof reference === 'string') place.violations.push({ path, message: reference });
  else change.references.push(reference);
}

/** A reference is a key, `{"key": n}`, or the code of a coded type. */
function readReference(attribute: ReferenceAttribute, value: JsonValue, path: string): ReferenceChange | string {
  const { target } = attribute;
  if (typeof value === 'string' && target.code)
    return { attribute, path, target: { kind: 'code', code: value }, sentBack: [] };
  const keyValue = value instanceof Map ? value.get('key') : value;
  const expected = `must be a key of ${target.name}, {"key": …}${target.code ? `, or a ${target.code.name}` : ''}`;
  if (!(keyValue instanceof NumberLiteral))
    return `${expected}, not ${value instanceof Map ? 'an object without a key' : nameOf(value)}.`;
  const checked = checkKey(keyValue);
  if (!checked.isGood) return `${expected}: the key ${checked.mistake}`;
  return {
    attribute,
    path,
    target: { kind: 'key', key: Number(checked.value) },
    sentBack: value instanceof Map ? sentBackIn(value, path) : [],
  };
}

function sentBackIn(object: JsonObject, path: string): SentBack[] {
  return [...object]
    .filter(([name]) => name !== 'key')
    .map(([name, value]) => ({ path: joinPath(path, name), name, value }));
}

function checkCollection(
  { change, path, place }: AttributePosition,
  attribute: CollectionAttribute,
  value: JsonValue,
): void {
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
  checkRepeatedKeys(elements, violations);
  change.collections.push({ attribute, path, elements });
}

function elementKey({ path, violations }: BodyPosition, body: JsonObject): number | undefined {
  const value = body.get('key');
  if (value === undefined || value === null) return undefined;
  const checked = checkKey(value);
  if (checked.isGood) return Number(checked.value);
  violations.push({ path: joinPath(path, 'key'), message: checked.mistake });
  return undefined;
}

function checkRepeatedKeys(elements: ObjectChange[], violations: Violation[]): void {
  const seen = new Set<number>();
  for (const { key, path } of elements) {
    if (key === undefined) continue;
    if (seen.has(key)) violations.push({ path: joinPath(path, 'key'), message: `${key} is in the array twice.` });
    seen.add(key);
  }
}

/** An element does not have to name its owner: the owner is the object that contains the element. */
function requireAttributes({ type, path, isElement, violations }: BodyPosition, body: JsonObject): void {
  for (const attribute of type.attributes.values()) {
    const isGivenByPlace = isElement && attribute.kind === 'reference' && attribute.isOwner;
    if (mustBeSent(attribute) && !isGivenByPlace && !body.has(attribute.name)) {
      violations.push({ path: joinPath(path, attribute.name), message: 'is required.' });
    }
  }
}

/**
 * Defaults are written out, because one statement inserts all objects of an array. A column that one object sets has
 * to be set for every object.
 */
function addDefaults({ type, columns }: ObjectChange): void {
  for (const { column, default: value } of type.scalars)
    if (value !== undefined && !columns.has(column)) columns.set(column, value);
}

/** Computing a hint takes time, and 80,000 hints would take seconds. Only violations that are shown get a hint. */
function unknownAttribute(type: ObjectType, name: string, mistakesBefore: number): string {
  const later = cameLater(type, name);
  if (later) return later;
  if (type.shownOnce.some((shown) => shown.name === name))
    return 'is created by the service and shown once; it cannot be sent.';
  const hint =
    mistakesBefore < violationsShown ? didYouMean(name, [...type.attributes.keys(), ...type.writeOnly.keys()]) : '';
  return `is not an attribute of ${type.name}.${hint}`;
}
