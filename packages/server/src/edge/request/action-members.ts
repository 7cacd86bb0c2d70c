// Reads the input of an action: the members of a POST body, or the query parameters of a GET. Reports all mistakes at
// once.

import { didYouMean } from '@flaghoist/source-text';
import type { FastifyRequest } from 'fastify';
import { ApiError, type Violation } from '../../errors.ts';
import { joinPath } from '../../json/join-path.ts';
import { type JsonValue, NumberLiteral } from '../../json/parse-json.ts';
import type { Action, ScalarAttribute } from '../../model/object-type.ts';
import { type Checked, checkScalar, nameOf, type StoredValue } from '../../objects/check-scalar.ts';
import { rejectViolations } from '../../objects/object-errors.ts';
import { readValue } from '../../query/attributes/attribute-value.ts';
import { findUnusableCharacter } from '../../query/attributes/unusable-character.ts';
import { checkParameters, firstValue } from '../../query/query-parameter.ts';
import { readQuery } from './request-query.ts';

export type Given = ReadonlyMap<string, StoredValue>;

export function readMembers({ name, takes }: Action, body: JsonValue): Given {
  if (!(body instanceof Map)) throw new ApiError('invalidBody', `The body must be an object, not ${nameOf(body)}.`);
  const known = takes.map((member) => member.name);
  const unknown = [...body.keys()]
    .filter((member) => !known.includes(member))
    .map((member) => ({
      path: joinPath('', member),
      message: `is unknown: ${name} does not take it.${didYouMean(member, known)}`,
    }));
  const { given, violations } = collect(takes, (member) => {
    const value = body.get(member.name);
    return value === undefined ? undefined : checkScalar(member, value);
  });
  rejectViolations([...unknown, ...violations]);
  return given;
}

export function readParameters({ takes }: Action, request: FastifyRequest): Given {
  const query = readQuery(request);
  checkParameters(query, new Map(takes.map(({ name }) => [name, 'once'])));
  const { given, violations } = collect(takes, (member) => {
    const text = firstValue(query, member.name);
    return text === undefined ? undefined : checkText(member, text);
  });
  const [first] = violations;
  if (first) throw new ApiError('invalidQuery', `${first.path}: ${first.message}`, { violations });
  return given;
}

/** `check` returns undefined for a member that was not sent. */
function collect(
  takes: readonly ScalarAttribute[],
  check: (member: ScalarAttribute) => Checked<StoredValue> | undefined,
): { given: Given; violations: Violation[] } {
  const given = new Map<string, StoredValue>();
  const violations: Violation[] = [];
  for (const member of takes) {
    const checked = check(member);
    if (checked?.isGood) given.set(member.name, checked.value);
    else if (checked) violations.push({ path: member.name, message: checked.mistake });
    else if (member.default !== undefined) given.set(member.name, member.default);
    else if (member.isRequired) violations.push({ path: member.name, message: 'is required.' });
  }
  return { given, violations };
}

function checkText(member: ScalarAttribute, text: string): Checked<StoredValue> {
  if (findUnusableCharacter(text) >= 0) return { isGood: false, mistake: 'has a NUL or half of a surrogate pair.' };
  if (member.kind === 'text') return checkScalar(member, text);
  const read = readValue(member, text);
  if (read.kind === 'mistake') return { isGood: false, mistake: read.problem };
  // Filters accept any integer; an action accepts only values from `minimum` to `maximum`.
  return member.kind === 'integer'
    ? checkScalar(member, new NumberLiteral(read.text))
    : { isGood: true, value: read.text };
}
