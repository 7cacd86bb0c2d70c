// Rounds of housekeeping run one after another, and stopping waits for the running round.

import { setInterval } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Database } from '../../src/database/database.ts';
import { createHousekeepingLoop } from '../../src/database/housekeeping-loop.ts';
import { useTestDatabase } from '../support/test-database.ts';

const testDatabase = useTestDatabase();
let database: Database;
beforeAll(() => {
  database = new Database({
    url: testDatabase.url,
    observe: () => undefined,
    connectionsMax: 4,
    statementTimeoutMs: 30_000,
  });
});
afterAll(() => database.close());

test('a round begins only after the previous one has ended, and stop waits for it', async () => {
  const holder = await testDatabase.pool.connect();
  await holder.query('select pg_advisory_lock(1)');
  let rounds = 0;
  const loop = createHousekeepingLoop({
    database,
    observe: () => undefined,
    deleteSome: () => {
      rounds += 1;
      // Waits for the lock, and has no row to show for it.
      return { text: 'select pg_advisory_xact_lock(1) offset 1', values: [] };
    },
    everyMs: 1,
  });
  loop.start();
  await intervals(20);
  expect(rounds).toBe(1);

  let isStopped = false;
  const stopped = loop.stop().then(() => {
    isStopped = true;
  });
  await intervals(5);
  expect(isStopped).toBe(false);
  await holder.query('select pg_advisory_unlock(1)');
  await stopped;
  holder.release();
  expect(rounds).toBe(1);
});

test('more rounds follow', async () => {
  let rounds = 0;
  const deleteSome = () => {
    rounds += 1;
    return { text: 'select 1 where false', values: [] };
  };
  const loop = createHousekeepingLoop({ database, observe: () => undefined, deleteSome, everyMs: 1 });
  loop.start();
  await expect.poll(() => rounds).toBeGreaterThan(2);
  await loop.stop();
});

/** As many as that of the loop's own. */
async function intervals(count: number): Promise<void> {
  let seen = 0;
  for await (const _ of setInterval(1)) {
    seen += 1;
    if (seen === count) return;
  }
}
