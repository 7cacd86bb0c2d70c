// Reads the input of an action: the members of a POST body, or the query parameters of a GET. Reports all mistakes at
// once.

import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../errors.ts';
import { type JsonValue, NumberLiteral } from '../../json/parse-json.ts';
import type { Action, ScalarAttribute } from '../../model/object-type.ts';
import { checkMembers, collectMembers } from '../../objects/check-members.ts';
import { type Checked, checkScalar, nameOf, type StoredValue } from '../../objects/check-scalar.ts';
import { violationsAt } from '../../objects/mistake.ts';
import { rejectViolations } from '../../objects/object-errors.ts';
import { readValue } from '../../query/attributes/attribute-value.ts';
import { findUnusableCharacter } from '../../query/attributes/unusable-character.ts';
import { checkParameters, firstValue } from '../../query/query-parameter.ts';
import { readQuery } from './request-query.ts';

export type Given = ReadonlyMap<string, StoredValue>;

export function readMembers({ name, takes }: Action, body: JsonValue): Given {
  if (!(body instanceof Map)) throw new ApiError('invalidBody', `The body must be an object, not ${nameOf(body)}.`);
  const { given, mistakes } = checkMembers(takes, body, `is unknown: ${name} does not take it.`);
  rejectViolations(violationsAt('', mistakes));
  return given;
}

export function readParameters({ takes }: Action, request: FastifyRequest): Given {
  const query = readQuery(request);
  checkParameters(query, new Map(takes.map(({ name }) => [name, 'once'])));
  const { given, mistakes } = collectMembers(takes, (member) => {
    const text = firstValue(query, member.name);
    return text === undefined ? undefined : checkText(member, text);
  });
  const violations = violationsAt('', mistakes);
  const [first] = violations;
  if (first) throw new ApiError('invalidQuery', `${first.path}: ${first.message}`, { violations });
  return given;
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
