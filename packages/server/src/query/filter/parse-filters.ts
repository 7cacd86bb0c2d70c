// Parses the `filter` parameters of a request against the model, into groups that can be compiled to SQL. A bad path,
// operator or value is rejected with a message that quotes the filter and gives the position.

import { printable } from '@flaghoist/source-text';
import { ApiError } from '../../errors.ts';
import type { ObjectType, ReferenceAttribute, ScalarAttribute } from '../../model/object-type.ts';
import {
  type AttributePath,
  nameKind,
  parseAttributePath,
  type Refuse,
  type Step,
} from '../attributes/attribute-path.ts';
import { isKeyText, readValue } from '../attributes/attribute-value.ts';
import { findUnusableCharacter } from '../attributes/unusable-character.ts';
import { addFilter, type FilterGroup, type ParsedFilter } from './filter-group.ts';
import { type FilterText, splitFilter, type WrittenValue } from './filter-text.ts';
import { escapePattern } from './like-pattern.ts';
import { operatorsOf } from './operators.ts';

/** One group per side of an `(OR)`; no group if there is no filter. */
export function parseFilters(texts: readonly string[], type: ObjectType, filtersMax: number): FilterGroup[] {
  const count = texts.filter((text) => text !== separator).length;
  if (count > filtersMax)
    throw new ApiError('invalidFilter', `At most ${filtersMax} filters are allowed, here are ${count}.`);
  const groups: FilterGroup[] = [];
  let group: FilterGroup | undefined;
  for (const text of texts) {
    if (text === separator) {
      if (group === undefined) throw emptyGroup('before');
      group = undefined;
      continue;
    }
    if (group === undefined) {
      group = { tests: [], elements: [] };
      groups.push(group);
    }
    addFilter(group, parseFilter(text, type));
  }
  if (group === undefined && texts.length > 0) throw emptyGroup('after');
  return groups;
}

const separator = '(OR)';
const lengthMax = 8000;

function emptyGroup(where: string): ApiError {
  return new ApiError(
    'invalidFilter',
    `"filter=(OR)" separates groups of filters, but there is no filter ${where} it.`,
  );
}

function parseFilter(text: string, type: ObjectType): ParsedFilter {
  const refuse: Refuse = (offset, problem) => filterMistake(text, offset, problem);
  if (text === '')
    throw new ApiError(
      'invalidFilter',
      'A filter is empty; one like vessel.vesselName(EQ)Northern Light was expected.',
    );
  if (text.length > lengthMax) throw refuse(lengthMax, `a filter has at most ${lengthMax} characters.`);
  const unusable = findUnusableCharacter(text);
  if (unusable >= 0) throw refuse(unusable, 'a NUL or half of a surrogate pair cannot stand in a filter.');
  const filter = splitFilter(text, refuse);
  const path = parseAttributePath(filter.path, type, refuse);
  checkOperator(filter, path, refuse);
  return readFilter(filter, path, refuse);
}

function checkOperator({ operator, operatorAt }: FilterText, { end, endAt }: AttributePath, refuse: Refuse): void {
  const allowed = operatorsOf(end);
  if (allowed.includes(operator)) return;
  const what = `"${end.name}" is ${nameKind(end)}`;
  if (allowed.length === 0) throw refuse(endAt, `${what} and cannot be filtered by.`);
  throw refuse(operatorAt, `${what} and takes ${allowed.join(', ')}, not ${operator}.`);
}

function readFilter(filter: FilterText, { steps, end, endAt }: AttributePath, refuse: Refuse): ParsedFilter {
  switch (end.kind) {
    case 'self':
      throw refuse(endAt, 'a URL cannot be filtered by.');
    case 'collection':
      return { kind: 'emptiness', steps, collection: end, isEmpty: filter.operator === 'NULL' };
    case 'reference':
      return readValueFilter(filter, [...steps, end], comparedOf(filter, end, refuse), refuse);
    default:
      return readValueFilter(filter, steps, end, refuse);
  }
}

function readValueFilter(filter: FilterText, steps: Step[], attribute: ScalarAttribute, refuse: Refuse): ParsedFilter {
  const values = readValues(filter, attribute, refuse);
  return { kind: 'value', steps, attribute, operator: filter.operator, values };
}

/** `currency(EQ)USD` is short for `currency.currencyCode(EQ)USD`, `currency(EQ)17` for `currency.key(EQ)17`. */
function comparedOf(filter: FilterText, reference: ReferenceAttribute, refuse: Refuse): ScalarAttribute {
  const { code } = reference.target;
  const firstCode = filter.values.find(isCodeLike);
  if (code === undefined || firstCode === undefined) return keyOf(reference.target);
  if (filter.values.every(isCodeLike)) return code;
  throw refuse(firstCode.at, 'keys and codes cannot be mixed; a code of digits must stand in double quotes.');
}

function isCodeLike(value: WrittenValue): boolean {
  return value.isQuoted || !isKeyText(value.text);
}

function keyOf(type: ObjectType): ScalarAttribute {
  return type.attributes.get('key') as ScalarAttribute;
}

function readValues(filter: FilterText, attribute: ScalarAttribute, refuse: Refuse): string[] {
  return filter.values.map(({ text, at }) => {
    if (filter.operator === 'LIKE' || filter.operator === 'ILIKE') return escapePattern(text);
    const read = readValue(attribute, text);
    if (read.kind === 'mistake') throw refuse(at, read.problem);
    return read.text;
  });
}

function filterMistake(text: string, offset: number, problem: string): ApiError {
  return new ApiError('invalidFilter', `In filter "${excerpt(text, offset)}" at position ${offset + 1}: ${problem}`);
}

/** Shows a long filter only around the position, so that the message stays readable. */
function excerpt(text: string, offset: number): string {
  if (text.length <= 160) return printable(text);
  const from = Math.max(0, offset - 80);
  const until = Math.min(text.length, offset + 80);
  return `${from > 0 ? '…' : ''}${printable(text.slice(from, until))}${until < text.length ? '…' : ''}`;
}
