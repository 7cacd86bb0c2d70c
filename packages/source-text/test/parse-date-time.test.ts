// The dates that callers may send.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseDateTime } from '../src/parse-date-time.ts';

test.each([
  ['2026-11-15', '2026-11-15T00:00:00'],
  ['2026-11-15T01:53', '2026-11-15T01:53:00'],
  ['2026-11-15T01:53:22', '2026-11-15T01:53:22'],
  ['2026-11-15T01:53:22.999', '2026-11-15T01:53:22'],
  ['2026-11-15T01:53:22Z', '2026-11-15T01:53:22'],
  ['2026-11-15T01:53:22.5Z', '2026-11-15T01:53:22'],
  ['2026-11-15T01:53:22+02:00', '2026-11-14T23:53:22'],
  ['2026-11-15T01:53:22-0530', '2026-11-15T07:23:22'],
  ['2024-02-29', '2024-02-29T00:00:00'],
  ['0001-01-01T00:00:00', '0001-01-01T00:00:00'],
  ['9999-12-31T23:59:59', '9999-12-31T23:59:59'],
])('%s is %s in UTC', (text, moment) => {
  expect(parseDateTime(text)).toBe(moment);
});

test.each([
  '2026-02-30',
  '2025-02-29',
  '2026-13-01',
  '2026-00-10',
  '2026-11-15T24:00:00',
  '2026-11-15T23:59:60',
  '2026-11-15T01:53:22+25:00',
  '2026-11-15T01:53:22+02:75',
  '0000-01-01',
  '0001-01-01T00:00:00+01:00',
  '9999-12-31T23:59:59-01:00',
  '12026-01-01',
  '2026-1-1',
  '2026-11-15 01:53:22',
  '2026-11-15T',
  '2026-11-15Z',
  ' 2026-11-15',
  '2026-11-15\n',
  '٢٠٢٦-١١-١٥',
  'infinity',
  'now',
  '',
])('%j is not a date', (text) => {
  expect(parseDateTime(text)).toBeUndefined();
});

test('every second in the form of the service is parsed unchanged', () => {
  const min = new Date('0001-01-01T00:00:00Z');
  const max = new Date('9999-12-31T23:59:59Z');
  fc.assert(
    fc.property(fc.date({ min, max, noInvalidDate: true }), (date) => {
      const text = date.toISOString().slice(0, 19);
      expect(parseDateTime(text)).toBe(text);
    }),
  );
});
