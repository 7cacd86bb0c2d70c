// Rows keep every digit, whichever way they are parsed.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readStoredRow, type StoredRow } from '../../src/events/stored-row.ts';
import { buildModel } from '../../src/model/build-model.ts';
import { awkwardDecimals, awkwardText } from './world.ts';

const { types } = buildModel({
  Plain: { attributes: {} },
  WithJson: { attributes: { json: { kind: 'json' } } },
});
const plain = types.get('Plain')!;

/** A long number makes the whole row take the path that keeps digits. */
const long = '"long": 9999999999999999.99999999';

describe('a stored row', () => {
  test('has keys, integers, booleans, texts, lists and nulls as in JSON', () => {
    const text =
      '{"key": 1042, "count": -3, "flag": true, "off": false, "none": null, "list": ["a", "b,}"], "empty": []}';
    const row = { key: 1042, count: -3, flag: true, off: false, none: null, list: ['a', 'b,}'], empty: [] };
    expect(readStoredRow(text, plain)).toEqual(row);
    expect(readStoredRow(`{${long}, ${text.slice(1)}`, plain)).toEqual({ ...row, long: '9999999999999999.99999999' });
  });

  test('has a decimal as a number if a double keeps its digits, else as text', () => {
    const values: [string, string | number][] = [
      ['512.50000000', 512.5],
      ['12345678.00000000', 12345678],
      ['12345678.00000001', 12345678.00000001],
      ['12345678901234.56000000', 12345678901234.56],
      ['9007199254740991', 9007199254740991],
      ['9007199254740993', '9007199254740993'],
      ['9999999999999999.99999999', '9999999999999999.99999999'],
      ['-1234567890123456.10000000', '-1234567890123456.1'],
      ['0.00000001', 1e-8],
      ['-0.00000012', -1.2e-7],
      ['0.00000000', 0],
      ['100000000000000000', 100000000000000000],
      ['99999999999999990', '99999999999999990'],
    ];
    for (const [digits, value] of values) {
      expect(readStoredRow(`{"value": ${digits}}`, plain)).toEqual({ value });
      expect(readStoredRow(`{"value": ${digits}, ${long}}`, plain)).toMatchObject({ value });
    }
  });

  test('loses no digit of any numeric(24,8)', () => {
    const decimal = fc.tuple(fc.bigInt(-(10n ** 24n) + 1n, 10n ** 24n - 1n), fc.integer({ min: 0, max: 23 }));
    fc.assert(
      fc.property(decimal, ([units, shift]) => {
        const digits = numeric(units / 10n ** BigInt(shift));
        const { value } = readStoredRow(`{"value":${digits}}`, plain);
        const { value: slowly } = readStoredRow(`{"value":${digits},${long}}`, plain);
        expect(slowly).toBe(value);
        const shown = typeof value === 'number' ? numericOf(value) : value;
        expect(shown).toBe(digits.replace(/\.?0+$/, ''));
      }),
      { numRuns: 5_000 },
    );
  });

  test('has the same texts on both paths', () => {
    const texts = fc.dictionary(
      fc.stringMatching(/^[a-z][a-z0-9_]{0,9}$/),
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.array(fc.string()),
        fc.constant(awkwardText),
        fc.constantFrom(...awkwardDecimals),
      ),
    );
    fc.assert(
      fc.property(texts, (row) => {
        const { long: _, ...read } = readStoredRow(
          `{${long}${Object.keys(row).length > 0 ? ',' : ''}${JSON.stringify(row).slice(1)}`,
          plain,
        );
        const { long: __, ...expected } = row;
        expect(read).toEqual(expected);
      }),
      { numRuns: 1_000 },
    );
  });

  test('has a json column as it is written, whatever else is in the row', () => {
    const withJson = types.get('WithJson')!;
    for (const json of [
      '{"b": [1.50, "}\\"{"], "a10": {}, "10": 1e-7}',
      '[]',
      '"text \\" }"',
      '1.50',
      'true',
      '9999999999999999999999',
    ]) {
      expect(readStoredRow(`{"key": 1, "json": ${json}, "text": "x"}`, withJson)).toEqual({ key: 1, json, text: 'x' });
      expect(readStoredRow(`{${long}, "json":${json}}`, withJson)).toMatchObject({ json });
    }
    expect(readStoredRow('{"json": null}', withJson)).toEqual({ json: null });
  });

  test('is parsed in linear time, whatever is in it', () => {
    const text = JSON.stringify({ zeros: '0'.repeat(2_000_000), quotes: '\\"'.repeat(500_000) });
    const rows: StoredRow[] = [readStoredRow(text, plain), readStoredRow(`{${long},${text.slice(1)}`, plain)];
    expect(rows.map(({ zeros }) => String(zeros).length)).toEqual([2_000_000, 2_000_000]);
  }, 20_000);
});

/** A numeric(24,8) as PostgreSQL writes it. `units`: its value in the last decimal place. */
function numeric(units: bigint): string {
  const digits = String(units < 0n ? -units : units).padStart(9, '0');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -8)}.${digits.slice(-8)}`;
}

function numericOf(value: number): string {
  return Math.abs(value) < 1e-6 && value !== 0 ? value.toFixed(8).replace(/0+$/, '') : String(value);
}
