// Random walks through pages during concurrent writes: every object that stays is seen exactly once, in order.

import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { QueryParameter } from '../../src/query/query-parameter.ts';
import { useTestDatabase } from '../support/test-database.ts';
import { insert, list } from './query-fixture.ts';

const { pool } = useTestDatabase();
let vessels: (number | null)[] = [];

beforeAll(async () => {
  vessels = [null];
  for (const vessel_name of ['alpha', 'Alpha', 'bravo']) vessels.push(await insert(pool, 'vessel', { vessel_name }));
});

const sortPaths = [
  'freight',
  'comments',
  'isTc',
  'estimatedVoyageStartDate',
  'referenceNo',
  'vessel',
  'vessel.vesselName',
  'key',
];

const sorts = fc.uniqueArray(fc.tuple(fc.constantFrom(...sortPaths), fc.constantFrom('AS', 'ASI', 'DS', 'DSI')), {
  maxLength: 3,
  selector: ([path]) => path,
});

/** Few values, so that ties and nulls are common. */
const rows = fc.record({
  freight: fc.constantFrom(null, '1', '1.00000001', '2'),
  comments: fc.constantFrom(null, '', 'a', 'A', 'b"\\ü'),
  is_tc: fc.constantFrom(null, true, false),
  estimated_voyage_start_date: fc.constantFrom(null, '2026-01-01T00:00:00', '2026-01-01T00:00:01'),
  vessel: fc.nat({ max: 3 }),
});

/** What others do between two pages: remove an object that is there, or add one. */
const writes = fc.array(fc.oneof(fc.record({ remove: fc.nat() }), fc.record({ add: rows })), { maxLength: 3 });

test('each object that stays is seen exactly once, in list order, while others are created and deleted', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(rows, { minLength: 1, maxLength: 14 }),
      sorts,
      fc.integer({ min: 1, max: 4 }),
      fc.array(writes, { minLength: 1, maxLength: 6 }),
      async (before, chosen, limit, meanwhile) => {
        await pool.query('delete from flaghoist.voyage');
        const staying = new Set<number>();
        for (const row of before) staying.add(await addVoyage(row));
        const query = chosen.map(([path, direction]): QueryParameter => ['sort', `${path}(${direction})`]);
        const seen: number[] = [];
        let after: string | undefined;
        for (let number = 0; ; number++) {
          const place: QueryParameter[] = after === undefined ? [] : [['after', after]];
          const page = await list(pool, 'Voyage', [...query, ['limit', String(limit)], ...place], { noCount: 'YES' });
          seen.push(...page.keys);
          after = page.next;
          if (after === undefined) break;
          for (const write of meanwhile[number % meanwhile.length]!) {
            if ('add' in write && number < 12) await addVoyage(write.add);
            else if ('remove' in write) await removeVoyage(write.remove, staying);
          }
        }
        expect(new Set(seen).size).toBe(seen.length);
        const left = seen.filter((key) => staying.has(key));
        const whole = await list(pool, 'Voyage', query);
        expect(left).toEqual(whole.keys.filter((key) => staying.has(key)));
        expect(left).toHaveLength(staying.size);
      },
    ),
    { numRuns: 80 },
  );
});

async function addVoyage({ vessel, ...row }: { vessel: number } & Record<string, unknown>): Promise<number> {
  return insert(pool, 'voyage', { ...row, vessel: vessels[vessel] });
}

async function removeVoyage(choice: number, staying: Set<number>): Promise<void> {
  const { rows: found } = await pool.query('select key::int from flaghoist.voyage order by key');
  const key = found[choice % Math.max(found.length, 1)]?.key;
  staying.delete(key);
  await pool.query('delete from flaghoist.voyage where key = $1', [key]);
}
