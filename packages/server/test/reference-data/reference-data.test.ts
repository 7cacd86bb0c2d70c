import { expect, test } from 'vitest';
import { bunkerTypes } from '../../src/reference-data/bunker-types.ts';
import { commodities } from '../../src/reference-data/commodities.ts';
import { currencies } from '../../src/reference-data/currencies.ts';
import { ports } from '../../src/reference-data/ports.ts';

const lists: [name: string, codes: string[], names: string[]][] = [
  ['currencies', currencies.map((row) => row.currencyCode), currencies.map((row) => row.currencyName)],
  ['ports', ports.map((row) => row.unLoCode), ports.map((row) => row.portName)],
  ['bunker types', bunkerTypes.map((row) => row.bunkerTypeCode), bunkerTypes.map((row) => row.bunkerTypeName)],
  ['commodities', commodities.map((row) => row.commodityCode), commodities.map((row) => row.commodityName)],
];

test.each(lists)('no code and no name stands twice among the %s', (_name, codes, names) => {
  expect(new Set(codes).size).toBe(codes.length);
  expect(new Set(names).size).toBe(names.length);
});

test.each(lists)('the codes and names of the %s fit their columns and have no stray space', (_name, codes, names) => {
  for (const code of codes) expect(code).toMatch(/^[A-Z0-9]{1,32}$/);
  for (const name of names) expect(name).toBe(name.trim());
  for (const name of names) expect(name.length).toBeLessThanOrEqual(64);
});

test('a currency code is three capital letters, and the currencies of the trade are among them', () => {
  for (const { currencyCode } of currencies) expect(currencyCode).toMatch(/^[A-Z]{3}$/);
  const codes = currencies.map((row) => row.currencyCode);
  expect(codes).toEqual([...codes].sort());
  expect(codes).toEqual(expect.arrayContaining(['USD', 'EUR', 'GBP', 'NOK', 'DKK', 'SGD', 'JPY', 'CNY', 'AED']));
});

test('codes of funds, metals, tests and withdrawn currencies are left out', () => {
  const notMoney = ['BOV', 'CHE', 'CHW', 'CLF', 'COU', 'MXV', 'USN', 'UYI', 'UYW', 'XAD', 'XAU', 'XDR', 'XTS', 'XXX'];
  const withdrawn = ['ANG', 'BGN', 'CUC', 'HRK', 'SLL', 'ZWL'];
  const codes = new Set(currencies.map((row) => row.currencyCode));
  expect([...notMoney, ...withdrawn].filter((code) => codes.has(code))).toEqual([]);
});

test('every country that a port lies in is a country, and the UN/LOCODE starts with it', () => {
  const countryNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  for (const { unLoCode, country } of ports) {
    expect(unLoCode).toMatch(/^[A-Z]{2}[A-Z2-9]{3}$/);
    expect(unLoCode.slice(0, 2)).toBe(country);
    expect(countryNames.of(country), country).toBeDefined();
  }
});

test('every port has a time zone that exists', () => {
  for (const { timezone } of ports) expect(() => new Intl.DateTimeFormat('en', { timeZone: timezone })).not.toThrow();
});

test('the canals are Kiel, Suez and Panama', () => {
  expect(ports.filter((port) => port.isCanal).map((port) => port.unLoCode)).toEqual(['DEBRB', 'EGSCN', 'PAPCN']);
});

test('no fuel holds more sulphur than MARPOL has ever allowed since 2012', () => {
  for (const { sulphurPercent } of bunkerTypes) {
    expect(sulphurPercent).toBeGreaterThanOrEqual(0);
    expect(sulphurPercent).toBeLessThanOrEqual(3.5);
  }
});
