// When a worker counts as dead, for itself and for others. The test controls the monotonic clock of this process.

import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createReleaseDeadLoop } from '../../src/deliver/workers/release-dead-loop.ts';
import { WorkerLease } from '../../src/deliver/workers/worker-lease.ts';
import { insertWorker, markDead, releaseClaims, renewWorker } from '../../src/deliver/workers/worker-table.ts';
import { useTestDatabase } from '../support/test-database.ts';
import { countPending, workerIds } from './queued.ts';

const { pool, connections } = useTestDatabase();
const leaseMs = 1_000;
let nowMs: number;

beforeEach(async () => {
  await pool.query('truncate flaghoist_system.pending_notification, flaghoist_system.delivery_worker');
  nowMs = 0;
  // Not by fake timers: `expect.poll` moves those.
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  onTestFinished(() => clock.mockRestore());
});

describe('a worker whose lease has ended', () => {
  test('is not dead at once: it keeps its claims and can renew the lease', async () => {
    const overdue = await insertOverdue();
    startReleasing();
    await roundsDone();
    nowMs += leaseMs / 2 - 1;
    await roundsDone();
    expect(await countPending(pool, `claimed_by = ${overdue}`)).toBe(1);
    expect(await connections.run(renewWorker(overdue, leaseMs))).toHaveLength(1);
  });

  test('is dead after it was overdue for half a lease: its claims are released and its row is deleted', async () => {
    const overdue = await insertOverdue();
    startReleasing();
    await roundsDone();
    nowMs += leaseMs / 2;
    await roundsDone();
    await expect.poll(() => workerIds(pool), { timeout: 10_000 }).toEqual([]);
    expect(await countPending(pool, 'claimed_by is null')).toBe(1);
    expect(await connections.run(renewWorker(overdue, leaseMs))).toEqual([]);
  });

  test('is not declared dead by a process that was itself stopped for longer than a lease', async () => {
    const overdue = await insertOverdue();
    startReleasing();
    await roundsDone();
    nowMs += leaseMs + 1;
    await roundsDone();
    expect(await countPending(pool, `claimed_by = ${overdue}`)).toBe(1);
    expect(await connections.run(renewWorker(overdue, leaseMs))).toHaveLength(1);
  });

  test('is watched from the start if it renews the lease in between', async () => {
    const overdue = await insertOverdue();
    startReleasing();
    await roundsDone();
    await setAlive(overdue, '1 minute');
    nowMs += leaseMs / 2;
    await roundsDone();
    await setAlive(overdue, '-1 minute');
    await roundsDone();
    expect(await countPending(pool, `claimed_by = ${overdue}`)).toBe(1);
  });
});

describe('when the clock of the server was set back by an hour', () => {
  test('a worker that does not renew its lease is dead after a lease and a half', async () => {
    const silent = await insertOverdue();
    await setAlive(silent, '1 hour');
    startReleasing();
    await roundsDone();
    for (let halves = 0; halves < 3; halves += 1) {
      expect(await countPending(pool, `claimed_by = ${silent}`)).toBe(1);
      nowMs += leaseMs / 2;
      await roundsDone();
    }
    await expect.poll(() => workerIds(pool), { timeout: 10_000 }).toEqual([]);
    expect(await countPending(pool, 'claimed_by is null')).toBe(1);
  });

  test('a worker that renews its lease is not', async () => {
    const living = await insertOverdue();
    await setAlive(living, '1 hour');
    startReleasing();
    for (let halves = 0; halves < 8; halves += 1) {
      await roundsDone();
      nowMs += leaseMs / 2;
      if (halves % 2 === 0) expect(await connections.run(renewWorker(living, 60_000))).toHaveLength(1);
    }
    expect(await countPending(pool, `claimed_by = ${living}`)).toBe(1);
  });
});

test('a worker that has just renewed its lease is not declared dead by a process that saw it overdue', async () => {
  const id = await insertOverdue();
  const { rows } = await pool.query('select alive_until::text from flaghoist_system.delivery_worker where id = $1', [
    id,
  ]);
  await connections.run(renewWorker(id, 60_000));
  await connections.run(markDead(id, rows[0].alive_until));
  expect(await connections.run(renewWorker(id, 60_000))).toHaveLength(1);
});

test('the claims of one worker are released, and those of no other', async () => {
  const [dead, living] = [await insertOverdue(), await insertOverdue()];
  await connections.run(releaseClaims(dead));
  expect(await countPending(pool, `claimed_by = ${dead}`)).toBe(0);
  expect(await countPending(pool, `claimed_by = ${living}`)).toBe(1);
});

describe('a lease', () => {
  test('is renewed after a fifth of it, so that it never ends while the process runs', async () => {
    const lease = await openLease();
    await pool.query(`update flaghoist_system.delivery_worker set alive_until = now() + interval '1 hour'`);
    nowMs += leaseMs / 5 - 1;
    await lease.renew(neverLost);
    expect(await remainingMs()).toBeGreaterThan(leaseMs);
    nowMs += 1;
    await lease.renew(neverLost);
    expect(await remainingMs()).toBeLessThanOrEqual(leaseMs);
  });

  test('that was not renewed is trusted for four fifths of its time, counted from before the request', async () => {
    const lease = await openLease();
    nowMs += leaseMs * 0.8 - 1;
    expect(lease.id).toBeDefined();
    nowMs += 1;
    expect(lease.id).toBeUndefined();
    await lease.renew(neverLost);
    expect([lease.id]).toEqual(await workerIds(pool));
  });

  test('that is lost is reported before the worker gets a new one with another id', async () => {
    const lease = await openLease();
    const lost = lease.id!;
    await setAlive(lost, '-infinity');
    nowMs += leaseMs / 5;
    const idsWhenLost: unknown[] = [];
    await lease.renew(() => idsWhenLost.push(lease.id));
    expect(idsWhenLost).toEqual([undefined]);
    expect(await workerIds(pool)).toContain(lease.id);
    expect(lease.id).not.toBe(lost);
  });

  test('that ends leaves no worker and no claim behind', async () => {
    const lease = await openLease();
    await claimOne(lease.id!);
    await lease.end();
    expect([lease.id, await workerIds(pool), await countPending(pool, 'claimed_by is null')]).toEqual([
      undefined,
      [],
      1,
    ]);
  });
});

/** A worker whose lease ended a minute ago, and that has claimed one notification. */
async function insertOverdue(): Promise<number> {
  const [row] = await connections.run(insertWorker(-60_000));
  await claimOne(Number(row!.id));
  return Number(row!.id);
}

let keys = 0;

async function claimOne(workerId: number): Promise<void> {
  keys += 1;
  await pool.query(
    `insert into flaghoist_system.pending_notification (notification_key, created_date, subscription_key, claimed_by)
     values ($1, now(), 1, $2)`,
    [keys, workerId],
  );
}

async function setAlive(id: number, interval: string): Promise<void> {
  await pool.query('update flaghoist_system.delivery_worker set alive_until = now() + $2::interval where id = $1', [
    id,
    interval,
  ]);
}

function startReleasing(): void {
  const errors: unknown[] = [];
  const loop = createReleaseDeadLoop({
    database: connections,
    observe: (observation) => errors.push(observation),
    leaseMs,
    onReleased: () => undefined,
  });
  loop.start();
  onTestFinished(async () => {
    await loop.stop();
    expect(errors).toEqual([]);
  });
}

/**
 * Until a whole round has been made from here on. A round ends by removing the dead: one that removes the first of two
 * may have begun before, one that removes the second has not.
 */
async function roundsDone(): Promise<void> {
  for (let times = 0; times < 2; times += 1) {
    const { rows } = await pool.query(
      `insert into flaghoist_system.delivery_worker (alive_until) values ('-infinity') returning id::int`,
    );
    await expect.poll(() => workerIds(pool), { timeout: 20_000, interval: 10 }).not.toContain(rows[0].id);
  }
}

async function openLease(): Promise<WorkerLease> {
  const lease = new WorkerLease(connections, leaseMs);
  await lease.renew(neverLost);
  return lease;
}

function neverLost(): void {
  throw new Error('The lease was lost.');
}

/** Of the only worker, by the clock of the database. */
async function remainingMs(): Promise<number> {
  const { rows } = await pool.query(
    'select extract(epoch from alive_until - now())::float8 * 1000 as ms from flaghoist_system.delivery_worker',
  );
  expect(rows).toHaveLength(1);
  return rows[0].ms;
}
