// Parses the `filter` parameters of a request against the model, into groups that can be compiled to SQL. A bad path,
// operator or value is rejected with a message that quotes the filter and gives the position.

import { ApiError } from '../../errors.ts';
import type { ObjectType, ReferenceAttribute, ScalarAttribute } from '../../model/object-type.ts';
import {
  type AttributePath,
  type ErrorAt,
  errorsIn,
  nameKind,
  parseAttributePath,
  type Step,
} from '../attributes/attribute-path.ts';
import { isKeyText, readValue } from '../attributes/attribute-value.ts';
import { findUnusableCharacter } from '../attributes/unusable-character.ts';
import { addFilter, type FilterGroup, type ParsedFilter } from './filter-group.ts';
import { type FilterText, splitFilter, type WrittenValue } from './filter-text.ts';
import { operators, operatorsOf } from './operators.ts';

/** One group per side of an `(OR)`; no group if there is no filter. */
export function parseFilters(texts: readonly string[], type: ObjectType, filtersMax: number): FilterGroup[] {
  const count = texts.filter((text) => text !== separator).length;
  if (count > filtersMax)
    throw new ApiError('invalidFilter', `At most ${filtersMax} filters are allowed, here are ${count}.`);
  return splitGroups(texts).map((filters) => {
    const group: FilterGroup = { tests: [], elements: [] };
    for (const text of filters) addFilter(group, parseFilter(text, type));
    return group;
  });
}

const separator = '(OR)';
const lengthMax = 8000;

function splitGroups(texts: readonly string[]): string[][] {
  if (texts.length === 0) return [];
  const groups: string[][] = [[]];
  for (const text of texts) {
    if (text === separator) groups.push([]);
    else groups.at(-1)!.push(text);
  }
  const empty = groups.findIndex((group) => group.length === 0);
  if (empty < 0) return groups;
  const side = empty === groups.length - 1 ? 'after' : 'before';
  const problem = `"filter=(OR)" separates groups of filters, but there is no filter ${side} it.`;
  throw new ApiError('invalidFilter', problem);
}

function parseFilter(text: string, type: ObjectType): ParsedFilter {
  const errorAt = errorsIn('filter', text);
  if (text === '')
    throw new ApiError(
      'invalidFilter',
      'A filter is empty; one like vessel.vesselName(EQ)Northern Light was expected.',
    );
  if (text.length > lengthMax) throw errorAt(lengthMax, `a filter has at most ${lengthMax} characters.`);
  const unusable = findUnusableCharacter(text);
  if (unusable >= 0) throw errorAt(unusable, 'a filter cannot contain a NUL or half of a surrogate pair.');
  const filter = splitFilter(text, errorAt);
  const path = parseAttributePath(filter.path, type, errorAt);
  checkOperator(filter, path, errorAt);
  return readFilter(filter, path, errorAt);
}

function checkOperator({ operator, operatorAt }: FilterText, { end, endAt }: AttributePath, errorAt: ErrorAt): void {
  const allowed = operatorsOf(end);
  if (allowed.includes(operator)) return;
  const what = `"${end.name}" is ${nameKind(end)}`;
  if (allowed.length === 0) throw errorAt(endAt, `${what} and cannot be filtered by.`);
  throw errorAt(operatorAt, `${what} and takes ${allowed.join(', ')}, not ${operator}.`);
}

function readFilter(filter: FilterText, { steps, end }: AttributePath, errorAt: ErrorAt): ParsedFilter {
  if (end.kind === 'collection')
    return { kind: 'emptiness', steps, collection: end, isEmpty: filter.operator === 'NULL' };
  if (end.kind === 'reference')
    return readValueFilter(filter, [...steps, end], comparedOf(filter, end, errorAt), errorAt);
  // `self` takes no operator, so `checkOperator` has rejected it.
  return readValueFilter(filter, steps, fittingOf(filter, end as ScalarAttribute, errorAt), errorAt);
}

function readValueFilter(
  filter: FilterText,
  steps: Step[],
  attribute: ScalarAttribute,
  errorAt: ErrorAt,
): ParsedFilter {
  const { operator } = filter;
  const row = operators[operator];
  const values = filter.values.map(({ text, at }) => {
    if (row.needs === 'text') return row.parameterOf(text);
    const read = readValue(attribute, text);
    if (read.kind === 'mistake') throw errorAt(at, read.problem);
    return read.text;
  });
  return { kind: 'value', steps, attribute, operator, values };
}

/** The attribute, or its alternative if the values do not fit the attribute. */
function fittingOf({ values }: FilterText, attribute: ScalarAttribute, errorAt: ErrorAt): ScalarAttribute {
  const { alternative } = attribute;
  const misfit = alternative && values.find(({ text }) => readValue(attribute, text).kind === 'mistake');
  if (!alternative || !misfit) return attribute;
  if (values.every(({ text }) => readValue(attribute, text).kind === 'mistake')) return alternative;
  throw errorAt(misfit.at, `values like ${attribute.values.join(', ')} cannot be mixed with others here.`);
}

/** `currency(EQ)USD` is short for `currency.currencyCode(EQ)USD`, `currency(EQ)17` for `currency.key(EQ)17`. */
function comparedOf(filter: FilterText, { target }: ReferenceAttribute, errorAt: ErrorAt): ScalarAttribute {
  const firstCode = filter.values.find(isCodeLike);
  if (target.code === undefined || firstCode === undefined) return target.attributes.get('key') as ScalarAttribute;
  if (filter.values.every(isCodeLike)) return target.code;
  throw errorAt(firstCode.at, 'keys and codes cannot be mixed; a code of digits must be in double quotes.');
}

function isCodeLike(value: WrittenValue): boolean {
  return value.isQuoted || !isKeyText(value.text);
}
