// Parses `sort=<path>(AS|ASI|DS|DSI)`. Nulls come last ascending and first descending. The ascending key breaks ties.

import { didYouMean, quoteText } from '@flaghoist/source-text';
import { ApiError } from '../errors.ts';
import type { Attribute, ObjectType, ReferenceAttribute, ScalarAttribute } from '../model/object-type.ts';
import {
  type AttributePath,
  type ErrorAt,
  errorsIn,
  nameKind,
  parseAttributePath,
  type Step,
} from './attributes/attribute-path.ts';
import { isLookedUp } from './filter/operators.ts';

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
  const terms = texts.flatMap((text) => withAlternative(parseSort(text, type)));
  // The key decides every tie, so nothing after it can change the order.
  const keyAt = terms.findIndex(({ path, attribute }) => path.length === 0 && attribute.name === 'key');
  return keyAt < 0 ? terms : terms.slice(0, keyAt + 1);
}

function withAlternative(term: SortTerm): SortTerm[] {
  const { alternative } = term.attribute;
  return alternative ? [term, { ...term, attribute: alternative }] : [term];
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
  const errorAt = errorsIn('sort', text);
  const open = text.indexOf('(');
  if (open < 0 || !text.endsWith(')'))
    throw errorAt(text.length, 'a direction was expected, as in vessel.vesselName(AS).');
  const path = parseAttributePath(text.slice(0, open), type, errorAt);
  const direction = parseDirection(text.slice(open + 1, -1), open + 1, errorAt);
  const steps = path.end.kind === 'reference' ? [...path.steps, path.end] : path.steps;
  const attribute = sortedBy(path, errorAt);
  // Only text has upper and lower case.
  const ignoresCase = direction.ignoresCase && (attribute.kind === 'text' || attribute.kind === 'code');
  return { path: referencesOnly(steps, errorAt), attribute, ...direction, ignoresCase };
}

function parseDirection(name: string, at: number, errorAt: ErrorAt): Pick<SortTerm, 'isDescending' | 'ignoresCase'> {
  const direction = directions.get(name);
  if (direction) return direction;
  const known = [...directions.keys()];
  const problem = `unknown direction ${quoteText(name)}; expected one of ${known.join(', ')}.`;
  throw errorAt(at, `${problem}${didYouMean(name, known)}`);
}

/** A reference sorts by its key. */
function sortedBy({ end, endAt }: AttributePath, errorAt: ErrorAt): ScalarAttribute {
  if (!isSortable(end)) throw errorAt(endAt, `"${end.name}" is ${nameKind(end)} and cannot be sorted by.`);
  return end.kind === 'reference' ? (end.target.attributes.get('key') as ScalarAttribute) : end;
}

export function isSortable(attribute: Attribute): attribute is ScalarAttribute | ReferenceAttribute {
  return !unsortable.has(attribute.kind) && !isLookedUp(attribute);
}

const unsortable: ReadonlySet<Attribute['kind']> = new Set(['collection', 'self', 'binary', 'textList', 'json']);

function referencesOnly(steps: Step[], errorAt: ErrorAt): ReferenceAttribute[] {
  return steps.map((step) => {
    if (step.kind === 'reference') return step;
    throw errorAt(0, `"${step.name}" is ${nameKind(step)}, and sorting over a collection is not possible.`);
  });
}
