// Random filters: the statement finds the same objects as a plain evaluation in memory.

import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { useTestDatabase } from '../support/test-database.ts';
import { find } from './query-fixture.ts';
import { fits, insertFleet, type PlainFilter, type Remembered } from './small-fleet.ts';

const { pool } = useTestDatabase();
let voyages: Remembered[] = [];

beforeAll(async () => {
  voyages = await insertFleet(pool);
});

const always = ['EQ', 'NE', 'IN', 'NIN', 'NULL', 'NOTNULL'];
const ordered = [...always, 'GT', 'GTE', 'LT', 'LTE', 'BETWEEN'];
const patterns = ['LIKE', 'ILIKE'];

const texts = [
  'plain',
  'PLAIN',
  '50%',
  'a_b',
  'axb',
  'back\\slash',
  'say "x"',
  '',
  '%',
  'pl%',
  '_____',
  '50\\%',
  '%\\\\%',
  'a\\_b',
];

// Case and punctuation have a different order in other collations, so only what is plain and in lower case is ordered.
const attributes: [path: string, operators: string[], values: (string | number | boolean)[]][] = [
  ['comments', [...always, ...patterns], texts],
  ['voyageStatus', [...ordered, ...patterns], ['EST', 'NOM', 'OPR']],
  ['freight', ordered, [0, 1.5, -2, 100, 99.5]],
  ['isTc', always, [true, false]],
  ['estimatedVoyageStartDate', ordered, ['2026-01-01T00:00:00', '2026-06-01T12:30:00', '2026-03-01T00:00:00']],
  ['vessel.vesselName', [...ordered, ...patterns], ['alpha', 'bravo', 'charlie', 'b', '%a%']],
  ['vessel.builtYear', ordered, [2001, 1999, 2000]],
  ['vessel', ['NULL', 'NOTNULL'], []],
  ['ballastPort.unLoCode', always, ['AAAAA', 'BBBBB', 'CCCCC']],
  ['ballastPort.portName', [...ordered, ...patterns], ['anchor', 'b', 'an%']],
  ['portCalls', ['NULL', 'NOTNULL'], []],
  ['portCalls.speed', ordered, [10, 12.5, 11]],
  ['portCalls.arrivalFixed', always, [true, false]],
  ['portCalls.port.unLoCode', always, ['AAAAA', 'BBBBB']],
  ['portCalls.port.portName', always, ['anchor', 'x']],
  ['portCalls.eventLogs', ['NULL', 'NOTNULL'], []],
  ['portCalls.eventLogs.event', ordered, ['ARR', 'BRT', 'DEP']],
  ['portCalls.eventLogs.portCall.speed', ordered, [10, 12.5]],
  ['portCalls.voyage.freight', ordered, [0, 1.5]],
  ['portCalls.voyage.vessel.builtYear', ordered, [2001, 1999]],
];

const filters: fc.Arbitrary<PlainFilter> = fc.constantFrom(...attributes).chain(([path, operators, values]) =>
  fc.constantFrom(...operators).chain((operator) => {
    const [minLength, maxLength] = operandLength(operator);
    const value = values.length > 0 ? fc.constantFrom(...values) : fc.constant('');
    return fc
      .array(value, { minLength, maxLength })
      .map((chosen): PlainFilter => ({ path: path.split('.'), operator, values: chosen }));
  }),
);

function operandLength(operator: string): [number, number] {
  if (operator === 'NULL' || operator === 'NOTNULL') return [0, 0];
  if (operator === 'BETWEEN') return [2, 2];
  return operator === 'IN' || operator === 'NIN' ? [1, 3] : [1, 1];
}

function write({ path, operator, values }: PlainFilter): string {
  const written = values.map((value) =>
    typeof value === 'string' ? `"${value.replace(/["\\]/g, '\\$&')}"` : String(value),
  );
  const operand = ['IN', 'NIN', 'BETWEEN'].includes(operator) ? `(${written.join(',')})` : written.join('');
  return `${path.join('.')}(${operator})${operand}`;
}

test('random filters find the same objects as a plain evaluation', async () => {
  let foundSome = 0;
  const groups = fc.array(fc.array(filters, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(groups, async (chosen) => {
      const expected = voyages.filter((voyage) => fits(voyage, chosen)).map(({ key }) => key);
      const written = chosen.flatMap((group) => ['(OR)', ...group.map(write)]).slice(1);
      expect(await find(pool, 'Voyage', ...written)).toEqual(expected);
      if (expected.length > 0 && expected.length < voyages.length) foundSome += 1;
    }),
    { numRuns: 300 },
  );
  // A comparison of nothing with nothing would prove nothing.
  expect(foundSome).toBeGreaterThan(90);
});

test('random filters that go through the same collections find the same objects', async () => {
  const through = filters.filter(({ path }) => path[0] === 'portCalls');
  await fc.assert(
    fc.asyncProperty(fc.array(through, { minLength: 2, maxLength: 4 }), async (group) => {
      const expected = voyages.filter((voyage) => fits(voyage, [group])).map(({ key }) => key);
      expect(await find(pool, 'Voyage', ...group.map(write))).toEqual(expected);
    }),
    { numRuns: 200 },
  );
});
