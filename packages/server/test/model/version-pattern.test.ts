// The pattern of the known API versions.

import { expect, test } from 'vitest';
import { isKnownVersion } from '../../src/model/api-versions.ts';
import { versionPattern } from '../../src/model/version-pattern.ts';

test('the pattern matches the known versions and nothing else', () => {
  const pattern = new RegExp(versionPattern);
  const minors = [...Array.from({ length: 130 }, (_, minor) => minor), 999, 1000, 1001, 9999, 10_000];
  const majors = Array.from({ length: 70 }, (_, major) => major);
  const versions = majors.flatMap((major) => minors.map((minor) => `${major}.${minor}`));
  for (const text of [...versions, '03.3', '3.03', '3', '3.', '.3', '3.3.3', ' 3.3', '6.4 ', '6,44', '', '6.044'])
    expect(pattern.test(text), text).toBe(isKnownVersion(text));
});
