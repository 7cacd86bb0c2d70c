// The recorder removes the keys of recorded notifications from the claimed ones, and says whose next one may leave.

import { expect, test } from 'vitest';
import { ClaimedKeys } from '../../src/deliver/lanes/claimed-keys.ts';
import { Followers } from '../../src/deliver/order/followers.ts';
import type { OrderedObject } from '../../src/deliver/order/order-table.ts';
import { OutcomeRecorder } from '../../src/deliver/outcomes/outcome-recorder.ts';
import type { ReadyNotification } from '../../src/deliver/queue/ready-notification.ts';
import { useTestService } from '../support/test-service.ts';
import { countPending, queue, subscribeTo } from './queued.ts';

const service = useTestService({ FLAGHOIST_ROLES: 'api' });
const { pool, connections } = service.database;
const workerId = 7;
const receiver = 'http://127.0.0.1:9/';

function createRecorder() {
  const claimedKeys = new ClaimedKeys();
  const promoted: OrderedObject[] = [];
  const recorder = new OutcomeRecorder({
    database: connections,
    observe: () => undefined,
    claimedKeys,
    promoter: { add: (objects) => promoted.push(...objects) },
    followers: new Followers(),
    recordLastFailure: async () => undefined,
  });
  return { recorder, claimedKeys, promoted };
}

function claimed(key: number, subscriptionKey: number): ReadyNotification {
  return {
    key,
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
}

test('a notification counts as claimed by this process until its outcome is recorded, and no longer', async () => {
  const subscriptionKey = await subscribeTo(service, receiver);
  const keys = (await queue(pool, subscriptionKey, 2)).map((id) => Number(id.split('-')[1]));
  await pool.query('update flaghoist_system.pending_notification set claimed_by = $1', [workerId]);
  const { recorder, claimedKeys } = createRecorder();
  claimedKeys.add(keys);
  recorder.add({ kind: 'released', notification: claimed(keys[0]!, subscriptionKey) }, workerId);
  expect(claimedKeys.has(keys[0]!)).toBe(true);
  await recorder.flush(AbortSignal.timeout(10_000));
  expect(keys.map((key) => claimedKeys.has(key))).toEqual([false, true]);
  expect(await countPending(pool, 'claimed_by is null')).toBe(1);
});

test.each([
  ['ordered', 5],
  ['unordered', null],
])(
  'what an %s subscription delivers after it was replaced lets the next one of its replacement leave',
  async (_, of) => {
    const [old, replacement] = [await subscribeTo(service, receiver), await subscribeTo(service, receiver)];
    const [id] = await queue(pool, old);
    const key = Number(id!.split('-')[1]);
    const { rows } = await pool.query(
      `update flaghoist_system.pending_notification set subscription_key = $2, ordered_object = 5, sequence = 1,
      is_repeat = false, due_at = now() + interval '1 minute'
     where notification_key = $1 returning created_date::text as "createdDate"`,
      [key, replacement],
    );
    const { recorder, promoted } = createRecorder();
    const result = { kind: 'delivered', statusCode: 200, answer: '' } as const;
    const attempt = { startedAt: new Date(), durationMs: 1, result };
    const notification = { ...claimed(key, old), createdDate: rows[0].createdDate, orderedObject: of };
    recorder.add({ kind: 'delivered', notification, attempt }, workerId);
    await recorder.flush(AbortSignal.timeout(10_000));
    expect(promoted).toContainEqual({ subscriptionKey: replacement, orderedObject: 5 });
    expect(await countPending(pool, `notification_key = ${key}`)).toBe(0);
  },
);
