// Bodies share pieces of memory, and none is ever written over: neither by another, nor by what is received next.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keepBytes } from '../../src/database/keep-bytes.ts';

test('whatever comes before and after it, a body keeps the bytes of its text', () => {
  const texts = fc.array(
    fc
      .tuple(fc.string({ unit: 'binary' }), fc.integer({ min: 0, max: 3_000 }))
      .map(([text, times]) => text.repeat(times)),
    { minLength: 1, maxLength: 60 },
  );
  fc.assert(
    fc.property(texts, (some) => {
      const kept = some.map((text) => {
        const received = Buffer.from(`<${text}>`);
        const bytes = keepBytes(received, 1, received.length - 1);
        received.fill(0);
        return bytes;
      });
      expect(kept.map((bytes) => bytes.toString('hex'))).toEqual(some.map((text) => Buffer.from(text).toString('hex')));
    }),
    { numRuns: 50 },
  );
});
