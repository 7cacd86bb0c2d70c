// A notification contains no files: a selection of a file is rejected when it is saved.

import { expect, test } from 'vitest';
import { compileSelection } from '../../src/query/compile-selection.ts';
import { typeOf } from './payload-fixture.ts';

function mistakesIn(fields: string): readonly string[] {
  const compiled = compileSelection(fields, typeOf('Voyage'));
  return compiled.kind === 'mistakes' ? compiled.messages : [];
}

test('a file is rejected with its path, wherever it is', () => {
  expect(mistakesIn('{"remarks":{"attachments":{"fileName":"*","file":"*"}}}')).toEqual([
    'remarks.attachments.file: a notification carries no files.',
  ]);
  expect(mistakesIn('{"portCalls":{"remarks":{"attachments":{"file":"*"}}}}')).toEqual([
    'portCalls.remarks.attachments.file: a notification carries no files.',
  ]);
});

test('other attributes of an attachment are accepted', () => {
  expect(mistakesIn('{"remarks":{"attachments":"*"}}')).toEqual([]);
  expect(mistakesIn('{"remarks":{"attachments":{"fileName":"*"}}}')).toEqual([]);
});
