// Answers that schemathesis reports as failures and that are right. Each has a name, and its reason is in
// docs/how-to/endurance.md; a test compares the names. Everything else is a finding.

import { isBeyondSchema } from '../../packages/server/test/describe/rules-beyond-schema.ts';
import type { Failure } from './read-failures.ts';

interface KnownException {
  /** The heading in the documentation. */
  name: string;
  checks: string[];
  status: number;
  message: RegExp;
  /** Each violation must be of a rule that no schema can express. */
  violations?: 'BEYOND_SCHEMA';
}

export const knownExceptions: readonly KnownException[] = [
  {
    name: 'object that does not exist',
    checks: ['positive_data_acceptance'],
    status: 400,
    message: /: there is no [A-Z]\w* with \w+ .+\.( \(and \d+ more errors?, see violations\))?$/,
  },
  {
    name: 'cursor of another list',
    checks: ['positive_data_acceptance'],
    status: 400,
    message: /^"after" is not a cursor of this list\./,
  },
  {
    name: 'path that the type does not have',
    checks: ['positive_data_acceptance'],
    status: 400,
    message: /^In (sort|filter) ".*" at position \d+: |^"filter=\(OR\)" separates groups of filters/s,
  },
  {
    name: 'field selection',
    checks: ['positive_data_acceptance'],
    status: 400,
    message: /^The field selection |^The header "fields" and the query parameter "fields" differ/,
  },
  {
    name: 'rule that no schema can express',
    checks: ['positive_data_acceptance'],
    status: 400,
    message: /./,
    violations: 'BEYOND_SCHEMA',
  },
  {
    name: 'stream of events',
    checks: ['response_schema_conformance'],
    status: 200,
    message: /^Event #\d+: .* is not of type "string"/s,
  },
  {
    name: 'another state',
    checks: ['positive_data_acceptance', 'negative_data_rejection'],
    status: 412,
    message: / has changed since it was read\. /,
  },
  {
    name: 'Idempotency-Key of another request',
    checks: ['positive_data_acceptance'],
    status: 422,
    message: /^This Idempotency-Key was used before with another /,
  },
  {
    name: 'body over the limit',
    checks: ['positive_data_acceptance', 'negative_data_rejection'],
    status: 413,
    message: /^The body is larger than this resource allows\./,
  },
  {
    name: 'body on a method without one',
    checks: ['unsupported_method'],
    status: 400,
    message: /^(GET|HEAD|DELETE|OPTIONS|TRACE) takes no body\.$/,
  },
];

export function exceptionOf(failure: Failure): string | undefined {
  return knownExceptions.find((each) => isException(each, failure))?.name;
}

function isException(each: KnownException, { check, status, message, violations }: Failure): boolean {
  if (!each.checks.includes(check) || each.status !== status || !each.message.test(message)) return false;
  // A mistake in a parameter is only in the message.
  const mistakes = violations.length > 0 ? violations : [message.replace(/^\w+: /, '')];
  return each.violations === undefined || mistakes.every(isBeyondSchema);
}
