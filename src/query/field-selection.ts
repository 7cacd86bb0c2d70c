// Reads a field selection, the JSON that mirrors an object and says what to show of it, into a view. Every mistake is
// told at once, each with its path; nothing that is not in the model can be picked.
//
//   selection = { name: pick, … }
//   pick      = "*"          a scalar, a whole reference or a whole collection (objects minimized)
//             | selection    inside a reference or, for each element, inside a collection

import { ApiError, type Violation } from '../errors.ts';
import { joinPath } from '../json/join-path.ts';
import { type JsonObject, JsonSyntaxError, type JsonValue, parseJson } from '../json/parse-json.ts';
import { quoteText } from '../json/printable.ts';
import type { Attribute, CollectionAttribute, ObjectType, ReferenceAttribute } from '../model/object-type.ts';
import { didYouMean } from './nearest-name.ts';
import { cameLater } from './newer-attribute.ts';
import { buildView, minimizedView, showScalar, type View, type ViewItem } from './view.ts';
import { neverShown } from './write-only-attribute.ts';

export function parseFieldSelectionText(text: string, type: ObjectType): View {
  if (Buffer.byteLength(text) > bytesMax) throw refuse(`The field selection is longer than ${bytesMax} bytes.`);
  return parseFieldSelection(parseSelectionJson(text), type);
}

export function parseFieldSelection(selection: JsonValue, type: ObjectType): View {
  if (!(selection instanceof Map)) {
    throw refuse(
      `The field selection must be a JSON object of ${type.name} attributes, but it is ${nameKind(selection)}.`,
    );
  }
  const reading: Reading = { violations: [], pickedCount: 0 };
  const view = readSelection(reading, selection, type, { path: '', depth: 1, collections: [] });
  if (reading.violations.length > 0) throw refuseAll(reading.violations);
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

interface Place {
  /** Empty at the top. */
  path: string;
  depth: number;
  /** Those that the path has come through. */
  collections: readonly CollectionAttribute[];
}

function parseSelectionJson(text: string): JsonValue {
  try {
    return parseJson(text, { depthMax });
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw refuse(`The field selection is not JSON. ${error.message}`);
    throw error;
  }
}

function readSelection(reading: Reading, selection: JsonObject, type: ObjectType, place: Place): View {
  countPicked(reading, selection);
  for (const name of selection.keys()) {
    if (!type.attributes.has(name)) report(reading, place, name, unknownAttribute(name, type));
  }
  return buildView(type, (attribute) => {
    const pick = selection.get(attribute.name);
    return pick === undefined ? undefined : readPick(reading, pick, attribute, place);
  });
}

function readPick(reading: Reading, pick: JsonValue, attribute: Attribute, place: Place): ViewItem | undefined {
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
  place: Place,
): ViewItem | undefined {
  const isCollection = attribute.kind === 'collection';
  const inside: Place = {
    path: joinPath(place.path, attribute.name),
    depth: place.depth + 1,
    collections: isCollection ? [...place.collections, attribute] : place.collections,
  };
  const mistake = findNesting(attribute, place, inside);
  if (mistake !== undefined) {
    report(reading, place, attribute.name, mistake);
    return undefined;
  }
  const type = isCollection ? attribute.of : attribute.target;
  const view = pick === '*' ? minimizedView(type) : readSelection(reading, pick, type, inside);
  return isCollection ? { kind: 'collection', attribute, view } : { kind: 'reference', attribute, view };
}

/** Up to the owner and down again (portCalls.voyage.portCalls) shows nothing new, and multiplies what is read. */
function findNesting(attribute: Attribute, place: Place, inside: Place): string | undefined {
  if (inside.depth > depthMax) return `is too deep: more than ${depthMax} levels are not allowed`;
  if (attribute.kind !== 'collection' || !place.collections.includes(attribute)) return undefined;
  return 'stands inside itself: a path goes through each collection once';
}

/** Throws at once: a selection that large is no typing error, and reading on would only cost time. */
function countPicked(reading: Reading, selection: JsonObject): void {
  reading.pickedCount += selection.size;
  if (reading.pickedCount > pickedMax) throw refuse(`The field selection picks more than ${pickedMax} attributes.`);
}

function report(reading: Reading, place: Place, name: string, message: string): void {
  reading.violations.push({ path: joinPath(place.path, name), message });
}

function unknownAttribute(name: string, type: ObjectType): string {
  return (
    cameLater(type, name) ??
    neverShown(type, name) ??
    `is no attribute of ${type.name}.${didYouMean(name, type.attributes.keys())}`
  );
}

function nameKind(value: JsonValue): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return `the text ${quoteText(value)}`;
  if (typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return 'a list';
  return value instanceof Map ? 'an object' : 'a number';
}

function refuseAll(violations: Violation[]): ApiError {
  const shown = violations.slice(0, violationsMax);
  const sentences = shown.map(({ path, message }) => `${quotePath(path)} ${message.replace(/(?<![.?])$/, '.')}`);
  if (shown.length < violations.length) sentences.push(`There are ${violations.length - shown.length} more mistakes.`);
  return refuse(`The field selection has mistakes. ${sentences.join(' ')}`, shown);
}

/** An empty name at its end has quotes already. */
function quotePath(path: string): string {
  return path.endsWith('""') ? path : `"${path}"`;
}

function refuse(message: string, violations?: Violation[]): ApiError {
  return new ApiError('invalidFields', message, violations ? { violations } : {});
}
