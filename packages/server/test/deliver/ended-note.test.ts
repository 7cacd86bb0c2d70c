// The entry of an ended subscription stays until all its notifications have failed, even those locked or added late.

import { expect, test } from 'vitest';
import { deleteEnded, noteEnded } from '../../src/deliver/outcomes/outcome-table.ts';
import { useTestDatabase } from '../support/test-database.ts';

const { pool, connections } = useTestDatabase();
const reason = 'Unsubscribed.';

test.each([
  ['is ready', 'due_at = null'],
  ['waits for its next attempt', `due_at = now() + interval '1 day'`],
  ['is parked', `due_at = 'infinity'`],
  ['is under way', 'claimed_by = 5'],
  ['is being sent again', 'resend_job = 77'],
])('the note of an unsubscribed subscription stays while something %s, and goes with it', async (_, change) => {
  const subscriptionKey = await endSubscription(change);
  const end = { subscriptionKey, errorMessage: reason, withResends: true };
  await connections.run(deleteEnded(end));
  expect(await isNoted(subscriptionKey)).toBe(true);
  await deletePending(subscriptionKey);
  await connections.run(deleteEnded(end));
  expect(await isNoted(subscriptionKey)).toBe(false);
});

test('the entry of a deactivated subscription does not wait for resends', async () => {
  const subscriptionKey = await endSubscription('resend_job = 77');
  await connections.run(deleteEnded({ subscriptionKey, errorMessage: reason, withResends: false }));
  expect(await isNoted(subscriptionKey)).toBe(false);
});

test('an entry that was replaced, with another reason, stays', async () => {
  const subscriptionKey = await endSubscription('due_at = null');
  await deletePending(subscriptionKey);
  await connections.run(noteEnded(subscriptionKey, 'Another reason.'));
  await connections.run(deleteEnded({ subscriptionKey, errorMessage: reason, withResends: true }));
  expect(await isNoted(subscriptionKey)).toBe(true);
});

let keys = 0;

/** It has one notification, changed by `change`. Answers its key. */
async function endSubscription(change: string): Promise<number> {
  keys += 1;
  await pool.query(
    'insert into flaghoist_system.pending_notification (notification_key, created_date, subscription_key) values ' +
      '($1, now(), $1)',
    [keys],
  );
  await pool.query(`update flaghoist_system.pending_notification set ${change} where notification_key = $1`, [keys]);
  await connections.run(noteEnded(keys, reason));
  return keys;
}

async function deletePending(subscriptionKey: number): Promise<void> {
  await pool.query('delete from flaghoist_system.pending_notification where subscription_key = $1', [subscriptionKey]);
}

async function isNoted(subscriptionKey: number): Promise<boolean> {
  const noted = 'select from flaghoist_system.ended_subscription where subscription_key = $1';
  return (await pool.query(noted, [subscriptionKey])).rowCount === 1;
}
