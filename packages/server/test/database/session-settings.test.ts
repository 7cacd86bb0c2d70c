// A connection is used only with its settings.

import { expect, test } from 'vitest';
import { Database } from '../../src/database/database.ts';
import type { Observation, Observe } from '../../src/observe/observation.ts';
import { useTestDatabase } from '../support/test-database.ts';

const { url: nearest, pool } = useTestDatabase({ isMigrated: false });
/** By TCP: a Unix socket has no `tcp_user_timeout`. */
const url = nearest.replace(/\?.*/, '');

interface SelectOptions {
  isForQueues?: boolean;
  statementTimeoutMs?: number;
  observe?: Observe;
}

async function select(text: string, options: SelectOptions = {}): Promise<unknown> {
  const database = new Database({
    url,
    observe: () => undefined,
    connectionsMax: 1,
    statementTimeoutMs: 5_000,
    ...options,
  });
  try {
    const [row] = await database.run({ text });
    return Object.values(row!)[0];
  } finally {
    await database.close();
  }
}

test('dates are written in ISO format, whatever the database is configured to use', async () => {
  const name = new URL(url).pathname.slice(1);
  await pool.query(`alter database ${name} set datestyle = 'German'`);
  expect(await select(`select timestamp '2026-11-17 01:02:03'::text`)).toBe('2026-11-17 01:02:03');
});

const shown = `select json_object_agg(name, setting) from pg_settings where name = any(array[
  'statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'tcp_user_timeout', 'jit',
    'plan_cache_mode', 'enable_seqscan',
  'enable_bitmapscan', 'enable_sort', 'enable_material', 'enable_hashjoin', 'enable_mergejoin', 'enable_nestloop',
    'enable_indexscan'])`;

const planning = {
  enable_seqscan: 'on',
  enable_bitmapscan: 'on',
  enable_sort: 'on',
  enable_material: 'on',
  enable_hashjoin: 'on',
  enable_mergejoin: 'on',
  enable_nestloop: 'on',
  enable_indexscan: 'on',
};

test('the limits are set as configured', async () => {
  expect(await select(shown)).toEqual({
    ...planning,
    statement_timeout: '5000',
    lock_timeout: '5000',
    idle_in_transaction_session_timeout: '10000',
    tcp_user_timeout: '10000',
    jit: 'off',
    plan_cache_mode: 'auto',
  });
});

test('for queues, statements are planned once and use indexes', async () => {
  expect(await select(shown, { isForQueues: true })).toEqual({
    ...Object.fromEntries(Object.keys(planning).map((name) => [name, 'off'])),
    enable_nestloop: 'on',
    enable_indexscan: 'on',
    statement_timeout: '5000',
    lock_timeout: '5000',
    idle_in_transaction_session_timeout: '10000',
    tcp_user_timeout: '10000',
    jit: 'off',
    plan_cache_mode: 'force_generic_plan',
  });
});

test('a connection that rejects its settings is not used, and the reason is reported', async () => {
  const reported: Observation[] = [];
  const observe: Observe = (observation) => void reported.push(observation);
  await expect(select('select 1', { statementTimeoutMs: -1, observe })).rejects.toThrow(
    'The database cannot be reached.',
  );
  expect(reported).toEqual([
    {
      kind: 'database.unavailable',
      problem: 'away',
      reason: expect.stringContaining('statement_timeout'),
    },
  ]);
});
