// How many rows a statement reads, compares and passes on, in all steps of its plan.

import type { PoolClient } from 'pg';
import type { Statement } from '../../src/database/database.ts';

interface Plan {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Join Filter'?: number;
  Plans?: Plan[];
}

/** Runs it. */
export async function rowsIn(client: PoolClient, { text, values }: Statement): Promise<number> {
  const { rows } = await client.query(`explain (analyze, format json) ${text}`, values as unknown[]);
  return rowsOf(rows[0]['QUERY PLAN'][0].Plan);
}

function rowsOf(plan: Plan): number {
  const removed = (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Join Filter'] ?? 0);
  const own = (plan['Actual Rows'] + removed) * plan['Actual Loops'];
  return (plan.Plans ?? []).reduce((sum, part) => sum + rowsOf(part), own);
}
