// Every connection has its settings, or is not used.

import { expect, test } from 'vitest';
import { Database } from '../../src/database/database.ts';
import type { Observation, Observe } from '../../src/observability/observation.ts';
import { useTestDatabase } from '../support/test-database.ts';

const { url, pool } = useTestDatabase({ isMigrated: false });

interface SelectOptions {
  leaseMs?: number;
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

test('dates are written as ISO has them, whatever the database says', async () => {
  const name = new URL(url).pathname.slice(1);
  await pool.query(`alter database ${name} set datestyle = 'German'`);
  expect(await select(`select timestamp '2026-11-17 01:02:03'::text`)).toBe('2026-11-17 01:02:03');
});

test('a connection that refuses its settings answers nothing, and it is told why', async () => {
  const told: Observation[] = [];
  const observe: Observe = (observation) => void told.push(observation);
  await expect(select('select 1', { leaseMs: -1, observe })).rejects.toThrow('The database cannot be reached.');
  expect(told).toEqual([
    { kind: 'database.connectionLost', reason: expect.stringContaining('idle_in_transaction_session_timeout') },
  ]);
});
