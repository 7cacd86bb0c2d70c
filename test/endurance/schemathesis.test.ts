// What counts as a failure of schemathesis, and that the documentation has the reason of every exception.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { exceptionOf, knownExceptions } from '../../endurance/schemathesis/known-exceptions.ts';
import type { Failure } from '../../endurance/schemathesis/read-failures.ts';
import { projectFolder } from '../conventions/source-files.ts';

test('every known exception has a row with its reason in the documentation, and no other row is there', () => {
  const page = readFileSync(join(projectFolder, 'docs/how-to/endurance.md'), 'utf8');
  const [table] = page.split('| Known exception | Reason |\n|---|---|\n')[1]!.split('\n\n');
  const rows = table!.split('\n').map((row) => row.split(' | '));
  expect(rows.map(([name]) => name!.replace('| ', ''))).toEqual(knownExceptions.map(({ name }) => name));
  for (const [name, reason] of rows) expect(reason!.length, name).toBeGreaterThan(40);
});

describe('a failure is a known exception', () => {
  const failure: Failure = {
    phase: 'fuzzing',
    check: 'positive_data_acceptance',
    operation: 'POST /ws/rest/Voyage',
    status: 400,
    message: '[0].vessel: there is no Vessel with key 7. (and 2 more errors, see violations)',
    violations: ['there is no Vessel with key 7.', 'must be text.', 'must be text.'],
    request: '',
  };

  test('only with its check, its status and its message', () => {
    expect(exceptionOf(failure)).toBe('object that does not exist');
    expect(exceptionOf({ ...failure, status: 500 })).toBeUndefined();
    expect(exceptionOf({ ...failure, check: 'response_schema_conformance' })).toBeUndefined();
    expect(exceptionOf({ ...failure, message: 'comments: must be text, not a number.' })).toBeUndefined();
  });

  test('if all its violations are of rules that no schema can express', () => {
    const message = 'objectType: goes without eventTypes, which name the type. (and 1 more error, see violations)';
    const rules = ['goes without eventTypes, which name the type.', 'is required, or eventTypes.'];
    expect(exceptionOf({ ...failure, message, violations: rules })).toBe('rule that no schema can express');
    expect(exceptionOf({ ...failure, message, violations: [...rules, 'must be text.'] })).toBeUndefined();
    const parameter = (message: string) => exceptionOf({ ...failure, message, violations: [] });
    expect(parameter('hierarchy: also needs objectType.')).toBe('rule that no schema can express');
    expect(parameter('limit: must be from 1 to 200.')).toBeUndefined();
  });
});
