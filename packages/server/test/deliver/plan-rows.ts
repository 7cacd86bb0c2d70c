// How many rows a statement reads, compares and passes on, in all steps of its plan, in a transaction like those of a
// queue.

import type { PoolClient } from 'pg';
import { onTestFinished } from 'vitest';
import type { Statement } from '../../src/database/database.ts';
import { sessionSettings } from '../../src/database/session-settings.ts';
import type { TestService } from '../support/test-service.ts';

interface Plan {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Join Filter'?: number;
  Plans?: Plan[];
}

/** A transaction with the settings of a queue. Undone after the test. */
export async function beginForQueues(service: TestService): Promise<PoolClient> {
  const client = await service.database.pool.connect();
  onTestFinished(async () => {
    await client.query('rollback');
    client.release();
  });
  await client.query('begin');
  for (const [name, setting] of Object.entries(sessionSettings(30_000, true)))
    await client.query('select set_config($1, $2, true)', [name, setting]);
  return client;
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
