// What a test of pending notifications does: some are delivered, the others wait for a receiver that is away, a backup
// is made, the original is stopped, and the restored installation sends what is left. A ledger says who got what.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { queue } from '../deliver/queued.ts';
import { startSwitchedReceiver } from '../deliver/switched-receiver.ts';
import { startWorker } from '../deliver/worker-process.ts';
import { create } from '../support/fleet.ts';
import type { TestService } from '../support/test-service.ts';
import type { RestoreTarget } from './fresh-server.ts';
import { settingsOf, succeed } from './installations.ts';

interface Ledger {
  /** Ids that the receiver has accepted, from the original and from the restored installation. */
  byOriginal: string[];
  byRestored: string[];
  /** All that were queued. */
  ids: string[];
}

interface Installations {
  /** Without workers of its own. */
  original: TestService;
  target: RestoreTarget;
  folder: string;
}

const patient = { FLAGHOIST_DELIVERY_INTERVAL_SECONDS: '1', FLAGHOIST_DELIVERY_ATTEMPTS: '50' };

export async function moveWithPending(
  { original, target, folder }: Installations,
  count: number,
  timeout: number,
): Promise<Ledger> {
  const receiver = await startSwitchedReceiver();
  const { key, signingSecret } = await create(original, 'WebhookSubscription', {
    eventType: 'Vessel.D',
    url: receiver.url,
  });
  original.secrets.plant('a signing secret', signingSecret);
  const accepted = () => receiver.deliveries.filter(({ status }) => status === 200).map(({ id }) => id);
  const { pool } = original.database;

  const worker = await startWorker(original.database.url, patient);
  const delivered = await queue(pool, key, Math.ceil(count / 10));
  const pendingIn = async (from: RestoreTarget['pool'], condition = '') =>
    (await from.query(`select count(*)::int as count from flaghoist_system.pending_notification ${condition}`)).rows[0]
      .count;
  await expect.poll(() => pendingIn(pool), { timeout }).toBe(0);

  receiver.status = 503;
  const pending: string[] = [];
  while (pending.length < count) pending.push(...(await queue(pool, key, Math.min(2_000, count - pending.length))));
  await expect.poll(() => pendingIn(pool, 'where attempts > 0'), { timeout }).toBeGreaterThan(0);
  // Killed while it waits for answers, so that the backup has a worker and its claims.
  receiver.status = 0;
  await expect.poll(() => receiver.deliveries.some(({ status }) => status === 0), { timeout }).toBe(true);
  await worker.kill();
  expect(await pendingIn(pool, 'where claimed_by is not null')).toBeGreaterThan(0);
  const file = join(folder, `pending-${count}.gz`);
  await succeed(['backup', file], settingsOf(original.database.url));
  expect(await pendingIn(pool)).toBe(count);
  const byOriginal = accepted();

  await succeed(['restore', file], settingsOf(target.url));
  rmSync(file);
  const { rows: workers } = await target.pool.query(
    'select distinct alive_until::text as until from flaghoist_system.delivery_worker',
  );
  expect(workers).toEqual([{ until: '-infinity' }]);
  expect(await pendingIn(target.pool, 'where claimed_by is not null')).toBeGreaterThan(0);
  receiver.status = 200;
  const next = await startWorker(target.url, patient);
  await expect.poll(() => pendingIn(target.pool), { timeout }).toBe(0);
  await next.stop();
  return { byOriginal, byRestored: accepted().slice(byOriginal.length), ids: [...delivered, ...pending] };
}

export function expectBalanced({ byOriginal, byRestored, ids }: Ledger): void {
  expect(byOriginal.length + byRestored.length).toBe(ids.length);
  expect([...byOriginal, ...byRestored].sort()).toEqual([...ids].sort());
}
