// Decimals keep every digit in requests and responses.

import { beforeAll, expect, test } from 'vitest';
import { createFleet, createVoyage, type Fleet } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';

const service = useTestService();
let fleet: Fleet;
let path: string;
beforeAll(async () => {
  fleet = await createFleet(service);
  const { key } = await createVoyage(service, fleet);
  path = `/ws/rest/Voyage/${key}`;
});

/** The digits as they stand in the answer: `JSON.parse` would round them. */
function freightIn(text: string): string | undefined {
  return /"freight":([^,}]+)/.exec(text)?.[1];
}

test.each([
  ['1234567890123456.12345678', '1234567890123456.12345678'],
  ['-9999999999999999.99999999', '-9999999999999999.99999999'],
  ['0.1', '0.1'],
  ['0.00000001', '0.00000001'],
  ['9007199254740993', '9007199254740993'],
  ['1e3', '1000'],
  ['12.5E-2', '0.125'],
  ['0', '0'],
  ['-0', '0'],
])('a value is read back exactly as written, up to 24 digits: %s', async (sent, shown) => {
  const answer = await service.put(path, `{"freight":${sent}}`);
  expect([answer.status, freightIn(answer.text)]).toEqual([200, shown]);
  expect(freightIn((await service.get(path)).text)).toBe(shown);
  expect(freightIn((await service.get(`/ws/rest/Voyage?filter=freight(EQ)${sent}`)).text)).toBe(shown);
});

test.each([
  ['1.50', '1.5'],
  ['100.00000000', '100'],
  ['0.10', '0.1'],
  ['1.500000000000000000000', '1.5'],
])('trailing zeros are not kept: %s is %s', async (sent, shown) => {
  const answer = await service.put(path, `{"freight":${sent}}`);
  expect([answer.status, freightIn(answer.text)]).toEqual([200, shown]);
});

test.each([
  '0.123456789',
  '1234567890123456.123456789',
  '12345678901234567',
  '12345678901234567.1',
  '1e16',
  '1e-9',
  '1e999999999',
  '-10000000000000000',
])('more digits are a 400, never rounded: %s', async (sent) => {
  await service.put(path, { freight: 7 });
  const answer = await service.put(path, `{"freight":${sent}}`);
  expect(answer.status).toBe(400);
  expect(answer.body.violations).toEqual([{ path: 'freight', message: expect.stringContaining('digits') }]);
  expect(freightIn((await service.get(path)).text)).toBe('7');
});

test.each(['"1.5"', 'true', '[1]', '{}'])('a decimal is a JSON number, and %s is a 400', async (sent) => {
  expect((await service.put(path, `{"freight":${sent}}`)).status).toBe(400);
});

test.each(['NaN', 'Infinity', '.5', '1.', '+1', '01', '0x10'])('%s is not a JSON number, and a 400', async (sent) => {
  expect((await service.put(path, `{"freight":${sent}}`)).status).toBe(400);
});

test('an event has the same digits', async () => {
  await service.put(path, '{"freight":1234567890123456.12345678}');
  const { rows } = await service.database.pool.query(
    "select (new_row ->> 'freight') as freight from flaghoist_system.event order by id desc limit 1",
  );
  expect(rows).toEqual([{ freight: '1234567890123456.12345678' }]);
});
