// While outcomes cannot be recorded, a worker stops sending at a limit, which bounds what is sent twice after a crash.

import { expect, test } from 'vitest';
import { startBeside } from '../auth/service-beside.ts';
import { startReceiver } from '../channels/receiver.ts';
import { holdTable } from '../support/held-lock.ts';
import { useTestService } from '../support/test-service.ts';
import { awaitSettled, countFates, idOf, queue, subscribeTo } from './queued.ts';

const service = useTestService({ FLAGHOIST_ROLES: 'api' });
const { pool } = service.database;

const unrecordedMax = 5_000;
const inFlight = 40;

test('a worker stops sending when 5,000 outcomes wait to be recorded, and continues when they are recorded', {
  timeout: 180_000,
}, async () => {
  const receiver = await startReceiver();
  const ids: string[] = [];
  for (let n = 0; n < 13; n += 1) ids.push(...(await queue(pool, await subscribeTo(service, receiver.url), 500)));
  // Claiming goes on; recording has to wait.
  const lock = await holdTable(service, 'flaghoist_service.webhook_notification');
  try {
    await startBeside(service.database, {
      FLAGHOIST_ROLES: 'worker',
      FLAGHOIST_DELIVERIES_IN_FLIGHT: String(inFlight),
    });
    // Releases wait to be recorded, too. On a busy machine, receivers count as slow, and their lanes are released.
    await expect.poll(() => receiver.requests.length, { timeout: 90_000 }).toBeGreaterThan(unrecordedMax / 2);
    // It is alive, and has had several rounds in which it could have claimed and sent more.
    for (let renewals = 0; renewals < 3; renewals += 1) await leaseRenewed();
    expect(receiver.requests.length).toBeLessThanOrEqual(unrecordedMax + inFlight);
    const sent = receiver.requests.length;
    await leaseRenewed();
    expect(receiver.requests.length).toBe(sent);
  } finally {
    await lock.letGo();
  }
  await awaitSettled(pool, 60_000);
  expect(await countFates(pool)).toEqual({ 'DELIVERED 1': ids.length });
  expect(receiver.requests.map(idOf).sort()).toEqual(ids.sort());
});

async function leaseRenewed(): Promise<void> {
  const look = async () => (await pool.query('select alive_until::text from flaghoist_system.delivery_worker')).rows;
  const before = await look();
  expect(before).toHaveLength(1);
  await expect.poll(look, { timeout: 20_000 }).not.toEqual(before);
}
