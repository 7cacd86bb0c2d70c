// Parses a field selection into a view. A field selection is JSON that mirrors an object and says what to show of it.
// All mistakes are reported at once, each with its path. Only attributes of the model can be picked.
//
//   selection = { name: pick, … }
//   pick      = "*"          a scalar, a whole reference or a whole collection (objects minimized)
//             | selection    inside a reference or, for each element, inside a collection

import { didYouMean, quoteText } from '@flaghoist/source-text';
import { ApiError, type Violation } from '../errors.ts';
import { joinPath } from '../json/join-path.ts';
import { type JsonObject, JsonSyntaxError, type JsonValue, parseJson } from '../json/parse-json.ts';
import type { Attribute, CollectionAttribute, ObjectType, ReferenceAttribute } from '../model/object-type.ts';
import { whyUnavailable } from './attributes/attribute-path.ts';
import { buildView, elementView, minimizedView, showScalar, type View, type ViewItem } from './view.ts';

export function parseFieldSelectionText(text: string, type: ObjectType): View {
  if (Buffer.byteLength(text) > bytesMax)
    throw invalidSelection(`The field selection is longer than ${bytesMax} bytes.`);
  return parseFieldSelection(parseSelectionJson(text), type);
}

export function parseFieldSelection(selection: JsonValue, type: ObjectType): View {
  if (!(selection instanceof Map)) {
    throw invalidSelection(
      `The field selection must be a JSON object of ${type.name} attributes, but it is ${nameKind(selection)}.`,
    );
  }
  const reading: Reading = { violations: [], pickedCount: 0 };
  const view = readSelection(reading, selection, type, { path: '', depth: 1, collections: [] });
  if (reading.violations.length > 0) throw invalidSelections(reading.violations);
  return view;
}

const bytesMax = 65_536;
const depthMax = 64;
const pickedMax = 1000;
const violationsMax = 20;

interface Reading {
  violations: Violation[];
  pickedCount: number;
}

interface SelectionPosition {
  /** Empty at the top level. */
  path: string;
  depth: number;
  /** The collections that the path goes through. */
  collections: readonly CollectionAttribute[];
}

function parseSelectionJson(text: string): JsonValue {
  try {
    return parseJson(text, { depthMax });
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw invalidSelection(`The field selection is not JSON. ${error.message}`);
    throw error;
  }
}

function readSelection(reading: Reading, selection: JsonObject, type: ObjectType, place: SelectionPosition): View {
  countPicked(reading, selection);
  for (const name of selection.keys()) {
    if (!type.attributes.has(name)) report(reading, place, name, unknownAttribute(name, type));
  }
  return buildView(type, (attribute) => {
    const pick = selection.get(attribute.name);
    return pick === undefined ? undefined : readPick(reading, pick, attribute, place);
  });
}

function readPick(
  reading: Reading,
  pick: JsonValue,
  attribute: Attribute,
  place: SelectionPosition,
): ViewItem | undefined {
  const isTree = attribute.kind === 'reference' || attribute.kind === 'collection';
  if (pick === '*' || (isTree && pick instanceof Map)) {
    return isTree ? readTree(reading, pick, attribute, place) : showScalar(attribute);
  }
  const expected = isTree ? '"*" or an object' : '"*"';
  report(reading, place, attribute.name, `takes ${expected}, but it is ${nameKind(pick)}`);
  return undefined;
}

function readTree(
  reading: Reading,
  pick: '*' | JsonObject,
  attribute: ReferenceAttribute | CollectionAttribute,
  place: SelectionPosition,
): ViewItem | undefined {
  const isCollection = attribute.kind === 'collection';
  const inside: SelectionPosition = {
    path: joinPath(place.path, attribute.name),
    depth: place.depth + 1,
    collections: isCollection ? [...place.collections, attribute] : place.collections,
  };
  const mistake = findNesting(attribute, place, inside);
  if (mistake !== undefined) {
    report(reading, place, attribute.name, mistake);
    return undefined;
  }
  if (attribute.kind === 'collection') {
    const view = pick === '*' ? elementView(attribute.of) : readSelection(reading, pick, attribute.of, inside);
    return { kind: 'collection', attribute, view };
  }
  const view = pick === '*' ? minimizedView(attribute.target) : readSelection(reading, pick, attribute.target, inside);
  return { kind: 'reference', attribute, view };
}

/** A path up to the owner and down again (portCalls.voyage.portCalls) repeats data and multiplies the rows read. */
function findNesting(attribute: Attribute, place: SelectionPosition, inside: SelectionPosition): string | undefined {
  if (inside.depth > depthMax) return `is too deep: more than ${depthMax} levels are not allowed`;
  if (attribute.kind !== 'collection' || !place.collections.includes(attribute)) return undefined;
  return 'is nested inside itself: a path goes through each collection once';
}

/** Throws at once: a selection this large is not a typing error, and parsing the rest would only cost time. */
function countPicked(reading: Reading, selection: JsonObject): void {
  reading.pickedCount += selection.size;
  if (reading.pickedCount > pickedMax)
    throw invalidSelection(`The field selection picks more than ${pickedMax} attributes.`);
}

function report(reading: Reading, place: SelectionPosition, name: string, message: string): void {
  reading.violations.push({ path: joinPath(place.path, name), message });
}

function unknownAttribute(name: string, type: ObjectType): string {
  const unknown = `is not an attribute of ${type.name}.${didYouMean(name, type.attributes.keys())}`;
  return whyUnavailable(type, name) ?? unknown;
}

function nameKind(value: JsonValue): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return `the text ${quoteText(value)}`;
  if (typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return 'a list';
  return value instanceof Map ? 'an object' : 'a number';
}

function invalidSelections(violations: Violation[]): ApiError {
  const shown = violations.slice(0, violationsMax);
  const sentences = shown.map(({ path, message }) => `${quotePath(path)} ${message.replace(/(?<![.?])$/, '.')}`);
  if (shown.length < violations.length) sentences.push(`There are ${violations.length - shown.length} more mistakes.`);
  return invalidSelection(`The field selection has mistakes. ${sentences.join(' ')}`, shown);
}

/** A path that ends with an empty name already has quotes. */
function quotePath(path: string): string {
  return path.endsWith('""') ? path : `"${path}"`;
}

function invalidSelection(message: string, violations?: Violation[]): ApiError {
  return new ApiError('invalidFields', message, violations ? { violations } : {});
}
