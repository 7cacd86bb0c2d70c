// What is searched for is found wherever it stands, however many there are: what looks for secrets must not overlook
// any.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Needles } from './needles.ts';

test('finds what a search for each would find, across pieces, too', () => {
  // Few letters, so that many begin alike and overlap.
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '\xff'), minLength: 4, maxLength: 9 });
  const searched = fc.string({ unit: fc.constantFrom('a', 'b', '\xff'), maxLength: 60 });
  fc.assert(
    fc.property(fc.uniqueArray(text, { maxLength: 12 }), searched, fc.nat(60), (texts, all, seen) => {
      const needles = new Needles();
      for (const each of texts) needles.add({ bytes: Buffer.from(each, 'latin1'), name: each });
      const found = [...needles.findIn(Buffer.from(all, 'latin1'), seen)].map(
        ({ needle, at }) => `${at} ${needle.name}`,
      );
      const expected = texts.flatMap((each) =>
        Array.from(all, (_, at) => at)
          .filter((at) => all.startsWith(each, at) && at + each.length > seen)
          .map((at) => `${at} ${each}`),
      );
      expect(found.sort()).toEqual(expected.sort());
    }),
    { numRuns: 2_000 },
  );
});

test('what is too short to be told apart from anything is refused', () => {
  expect(() => new Needles().add({ bytes: Buffer.from('abc'), name: 'a secret' })).toThrow('a secret is too short');
});
