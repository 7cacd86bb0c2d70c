// The recorder removes the keys of recorded notifications from the claimed ones.

import { expect, test } from 'vitest';
import { ClaimedKeys } from '../../src/deliver/lanes/claimed-keys.ts';
import { Followers } from '../../src/deliver/order/followers.ts';
import { OutcomeRecorder } from '../../src/deliver/outcomes/outcome-recorder.ts';
import { useTestService } from '../support/test-service.ts';
import { countPending, queue, subscribeTo } from './queued.ts';

const service = useTestService({ FLAGHOIST_ROLES: 'api' });
const { pool, connections } = service.database;
const workerId = 7;

test('a notification counts as claimed by this process until its outcome is recorded, and no longer', async () => {
  const subscriptionKey = await subscribeTo(service, 'http://127.0.0.1:9/');
  const keys = (await queue(pool, subscriptionKey, 2)).map((id) => Number(id.split('-')[1]));
  await pool.query('update flaghoist_system.pending_notification set claimed_by = $1', [workerId]);
  const claimedKeys = new ClaimedKeys();
  claimedKeys.add(keys);
  const recorder = new OutcomeRecorder({
    database: connections,
    observe: () => undefined,
    claimedKeys,
    promoter: { add: () => undefined },
    followers: new Followers(),
    recordLastFailure: async () => undefined,
  });
  const notification = {
    key: keys[0]!,
    createdDate: '2026-01-02T03:04:05',
    subscriptionKey,
    attempts: 0,
    resendJob: null,
    replay: undefined,
    orderedObject: null,
    head: '',
    subject: null,
    body: Buffer.alloc(0),
  };
  recorder.add({ kind: 'released', notification }, workerId);
  expect(claimedKeys.has(keys[0]!)).toBe(true);
  await recorder.flush(AbortSignal.timeout(10_000));
  expect(keys.map((key) => claimedKeys.has(key))).toEqual([false, true]);
  expect(await countPending(pool, 'claimed_by is null')).toBe(1);
});
