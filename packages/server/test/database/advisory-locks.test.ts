// Advisory locks: a process that starts does not wait for another one that hangs in the middle of its work.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { advisoryLocks } from '../../src/database/advisory-locks.ts';
import { startBeside } from '../auth/service-beside.ts';
import { useTestService } from '../support/test-service.ts';

const service = useTestService({ FLAGHOIST_ROLES: 'api' });

test('a process starts and loads its keys and clients while another one hangs in a batch of events', async () => {
  const halted = await service.database.pool.connect();
  onTestFinished(async () => {
    await halted.query('rollback');
    halted.release();
  });
  await halted.query('begin');
  await halted.query('select flaghoist_system.lock_subscriptions_shared()');
  await halted.query(`select flaghoist_system.create_day_partitions('flaghoist_system.notification_body')`);
  const beside = await startBeside(service.database, { FLAGHOIST_ROLES: 'api' });
  expect((await fetch(`${beside.localUrl}/health/ready`)).status).toBe(200);
});

test('each purpose has its own lock id', () => {
  const numbers = Object.values(advisoryLocks);
  expect(new Set(numbers).size).toBe(numbers.length);
  const { subscriptions, days, hierarchies, eachHierarchy, foreignChanges } = advisoryLocks;
  expect(locksIn('packages/server/migrations')).toEqual([
    eachHierarchy,
    subscriptions,
    days,
    hierarchies,
    foreignChanges,
  ]);
  expect(locksIn('packages/server/src')).toEqual([]);
});

/** All that are taken there by a number, and not by a name. */
function locksIn(folder: string): number[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const text = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8')).join('\n');
  const taken = [...text.matchAll(/advisory\w*lock\w*\(\s*(\d+)/g)].map(([, number]) => Number(number));
  return [...new Set(taken)].sort();
}
