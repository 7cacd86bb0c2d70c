import fc from 'fast-check';
import { expect, test } from 'vitest';
import { normaliseDecimal } from '../../src/json/normalise-decimal.ts';

const cases: [literal: string, text: string, digitsBefore: number, digitsAfter: number][] = [
  ['0', '0', 0, 0],
  ['-0', '0', 0, 0],
  ['-0.000e-7', '0', 0, 0],
  ['0e999999999999', '0', 0, 0],
  ['1', '1', 1, 0],
  ['-1', '-1', 1, 0],
  ['10', '10', 2, 0],
  ['100.00', '100', 3, 0],
  ['1.50', '1.5', 1, 1],
  ['1.50e3', '1500', 4, 0],
  ['1.5e0', '1.5', 1, 1],
  ['1.5E+1', '15', 2, 0],
  ['1.2345e2', '123.45', 3, 2],
  ['1e-9', '0.000000001', 0, 9],
  ['-12.5e-3', '-0.0125', 0, 4],
  ['100e-2', '1', 1, 0],
  ['120e-1', '12', 2, 0],
  ['0.5', '0.5', 0, 1],
  ['0.00000001', '0.00000001', 0, 8],
  ['0.001e3', '1', 1, 0],
  ['0.00120e2', '0.12', 0, 2],
  ['1234567890123456.12345678', '1234567890123456.12345678', 16, 8],
  ['12345678901234567890', '12345678901234567890', 20, 0],
  ['1e23', `1${'0'.repeat(23)}`, 24, 0],
  ['1e0000000002', '100', 3, 0],
  [`1.${'0'.repeat(100_000)}`, '1', 1, 0],
  [`0.${'0'.repeat(100_000)}1e100001`, '1', 1, 0],
];

test.each(cases)('%.40s becomes plain text with its digits counted', (literal, text, digitsBefore, digitsAfter) => {
  expect(normaliseDecimal(literal)).toEqual({ text, digitsBefore, digitsAfter });
});

test.each([
  '1e400',
  '-1e400',
  '1e-401',
  '1e999999999',
  '1e-999999999',
  `1e${'9'.repeat(1000)}`,
  `1e-${'9'.repeat(1000)}`,
  '9'.repeat(1_000_000),
  `0.${'1'.repeat(1_000_000)}`,
  `1${'0'.repeat(500_000)}1`,
])('%.20s has more digits than any column can hold, and is rejected', (literal) => {
  expect(normaliseDecimal(literal)).toBeUndefined();
});

test.each(['', '-', '+1', '.5', '1.', '01', '1e', '1e+', 'NaN', 'Infinity', '0x1', ' 1', '1 ', '1\n', '1,5', '١'])(
  '%j is not a JSON number, and is rejected',
  (literal) => {
    expect(normaliseDecimal(literal)).toBeUndefined();
  },
);

test('the value stays the same, and the text is a fixed point', () => {
  const literal = fc.tuple(fc.bigInt(), fc.nat(10 ** 12), fc.integer({ min: -30, max: 30 }));
  fc.assert(
    fc.property(literal, ([whole, fraction, exponent]) => {
      const text = `${whole}.${fraction}e${exponent}`;
      const decimal = normaliseDecimal(text);
      expect(Number(decimal?.text)).toBe(Number(text) + 0);
      expect(normaliseDecimal(decimal?.text ?? '')).toEqual(decimal);
      expect(decimal?.text).toMatch(/^(0|-?(0|[1-9]\d*)(\.\d*[1-9])?)$/);
    }),
  );
});

test('equal values written differently become the same text', () => {
  fc.assert(
    fc.property(fc.bigInt(), fc.integer({ min: 0, max: 40 }), (whole, zeros) => {
      const shifted = normaliseDecimal(`${whole}${whole === 0n ? '' : '0'.repeat(zeros)}e-${zeros}`);
      expect(shifted).toEqual(normaliseDecimal(`${whole}.${'0'.repeat(zeros + 1)}`));
      expect(shifted?.text).toBe(String(whole));
    }),
  );
});
