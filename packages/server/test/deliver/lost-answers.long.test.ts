// If the response to a COMMIT or a claim is lost, notifications are claimed by a worker that does not know of them.

import { expect, test } from 'vitest';
import { startReceiver } from '../channels/receiver.ts';
import { useTestService } from '../support/test-service.ts';
import { awaitSettled, countFates, countPending, idOf, queue, subscribeTo, workerIds } from './queued.ts';

const service = useTestService();
const { pool } = service.database;

test('a notification whose worker does not know of the claim is sent once, within half a minute', {
  timeout: 60_000,
}, async () => {
  const receiver = await startReceiver();
  const subscription = await subscribeTo(service, receiver.url);
  await expect.poll(() => workerIds(pool), { timeout: 20_000 }).toHaveLength(1);
  const [workerId] = await workerIds(pool);
  const ids = await queue(pool, subscription, 3, workerId);
  expect(await countPending(pool, `claimed_by = ${workerId}`)).toBe(3);
  await awaitSettled(pool, 30_000);
  expect(receiver.requests.map(idOf).sort()).toEqual(ids.sort());
  expect(await countFates(pool)).toEqual({ 'DELIVERED 1': 3 });
});
