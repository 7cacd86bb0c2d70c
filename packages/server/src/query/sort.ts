// Parses `sort=<path>(AS|ASI|DS|DSI)`. Nulls come last ascending and first descending. The ascending key breaks ties.

import { didYouMean, printable, quoteText } from '@flaghoist/source-text';
import { ApiError } from '../errors.ts';
import type { ObjectType, ReferenceAttribute, ScalarAttribute } from '../model/object-type.ts';
import {
  type AttributePath,
  nameKind,
  parseAttributePath,
  type Refuse,
  type Step,
} from './attributes/attribute-path.ts';

export interface SortTerm {
  path: readonly ReferenceAttribute[];
  attribute: ScalarAttribute;
  isDescending: boolean;
  ignoresCase: boolean;
}

export function parseSorts(texts: readonly string[], type: ObjectType): SortTerm[] {
  if (texts.length > sortsMax) {
    throw new ApiError('invalidSort', `At most ${sortsMax} sorts are allowed, here are ${texts.length}.`);
  }
  const terms = texts.map((text) => parseSort(text, type));
  // The key decides every tie, so nothing after it can change the order.
  const keyAt = terms.findIndex(({ path, attribute }) => path.length === 0 && attribute.name === 'key');
  return keyAt < 0 ? terms : terms.slice(0, keyAt + 1);
}

// A cursor carries one value per sort, and must fit into a URL.
const sortsMax = 10;

const directions = new Map([
  ['AS', { isDescending: false, ignoresCase: false }],
  ['ASI', { isDescending: false, ignoresCase: true }],
  ['DS', { isDescending: true, ignoresCase: false }],
  ['DSI', { isDescending: true, ignoresCase: true }],
]);

function parseSort(text: string, type: ObjectType): SortTerm {
  const refuse: Refuse = (offset, problem) => sortMistake(text, offset, problem);
  const open = text.indexOf('(');
  if (open < 0 || !text.endsWith(')'))
    throw refuse(text.length, 'a direction was expected, as in vessel.vesselName(AS).');
  const path = parseAttributePath(text.slice(0, open), type, refuse);
  const name = text.slice(open + 1, -1);
  const direction = directions.get(name);
  if (direction === undefined) {
    const known = [...directions.keys()];
    throw refuse(
      open + 1,
      `${quoteText(name)} is no direction; it is one of ${known.join(', ')}.${didYouMean(name, known)}`,
    );
  }
  const steps = path.end.kind === 'reference' ? [...path.steps, path.end] : path.steps;
  const attribute = sortedBy(path, refuse);
  return {
    path: referencesOnly(steps, refuse),
    attribute,
    ...direction,
    ignoresCase: direction.ignoresCase && isWritten(attribute),
  };
}

/** Only text has upper and lower case. */
function isWritten(attribute: ScalarAttribute): boolean {
  return attribute.kind === 'text' || attribute.kind === 'code';
}

/** A reference sorts by its key. */
function sortedBy({ end, endAt }: AttributePath, refuse: Refuse): ScalarAttribute {
  if (end.kind === 'reference') return end.target.attributes.get('key') as ScalarAttribute;
  switch (end.kind) {
    case 'collection':
    case 'self':
    case 'binary':
    case 'textList':
    case 'json':
      throw refuse(endAt, `"${end.name}" is ${nameKind(end)} and cannot be sorted by.`);
    default:
      return end;
  }
}

function referencesOnly(steps: Step[], refuse: Refuse): ReferenceAttribute[] {
  return steps.map((step) => {
    if (step.kind === 'reference') return step;
    throw refuse(0, `"${step.name}" is ${nameKind(step)}, and sorting over a collection is not possible.`);
  });
}

function sortMistake(text: string, offset: number, problem: string): ApiError {
  const shown = text.length > 160 ? `${text.slice(0, 160)}…` : text;
  return new ApiError('invalidSort', `In sort "${printable(shown)}" at position ${offset + 1}: ${problem}`);
}
