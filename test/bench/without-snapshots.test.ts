// The worker that the matching benchmark compares with: our own, with edits in some compiled modules.

import { expect, test } from 'vitest';
import { edited } from '../../bench/matching/without-snapshots-loader.ts';

test('the edits fit the compiled modules, and leave nothing that restores rows', () => {
  const sources = [...edited.values()].map((source) => source.replaceAll(/\/\*[\s\S]*?\*\//g, ''));
  expect(sources).toHaveLength(5);
  for (const source of sources) {
    expect(source).not.toMatch(/\bxmin\b|c\.snapshot::text|#visible\.|this\.past\.get|event\.snapshot/);
  }
});
