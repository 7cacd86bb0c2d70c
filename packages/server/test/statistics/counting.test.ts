// The counts are exact: what is recorded twice is counted once, any number of processes count, and old counts go.

import { expect, test } from 'vitest';
import type { AttemptOutcome } from '../../src/deliver/outcomes/outcome.ts';
import { recordDelivered, recordRetries } from '../../src/deliver/outcomes/outcome-table.ts';
import { enforceRetention } from '../../src/deliver/retention/retention-loop.ts';
import { startBeside } from '../auth/service-beside.ts';
import { queue, subscribeTo, useNoEarlierWorkers } from '../deliver/queued.ts';
import { useTestService } from '../support/test-service.ts';
import { counted, statisticsBy } from './counts.ts';

const service = useTestService({ FLAGHOIST_ROLES: 'api' });
const { pool, connections } = service.database;
useNoEarlierWorkers(pool);
const startWorker = () => startBeside(service.database, { FLAGHOIST_ROLES: 'worker' });
const workerId = 7;

/** Stored and claimed, each with an attempt that ended half a second ago. */
async function attempted(
  subscriptionKey: number,
  count: number,
): Promise<Extract<AttemptOutcome, { kind: 'delivered' }>[]> {
  const keys = (await queue(pool, subscriptionKey, count)).map((id) => Number(id.split('-')[1]));
  await pool.query('update flaghoist_system.pending_notification set claimed_by = $1', [workerId]);
  const { rows } = await pool.query(
    'select key::int, created_date::text as created from flaghoist_service.webhook_notification where key = any($1)',
    [keys],
  );
  return rows.map(({ key, created }) => ({
    kind: 'delivered',
    notification: {
      key,
      createdDate: created,
      subscriptionKey,
      attempts: 0,
      resendJob: null,
      replay: undefined,
      orderedObject: null,
      head: '',
      subject: null,
      body: Buffer.alloc(0),
    },
    attempt: {
      startedAt: new Date(),
      durationMs: 1,
      endedAtMs: performance.now() - 500,
      result: { kind: 'delivered', statusCode: 200, answer: 'ok' },
    },
  }));
}

async function totalsOf(subscriptionKey: number) {
  return (await statisticsBy(service, `subscription=${subscriptionKey}`)).totals;
}

test('an outcome that is recorded twice, because an answer was lost, is counted once', async () => {
  const key = await subscribeTo(service, 'http://127.0.0.1:9/');
  const outcomes = await attempted(key, 5);
  for (let time = 0; time < 2; time += 1) await connections.run(recordDelivered(outcomes));
  const failed = { kind: 'failed', reason: 'No.', statusCode: 500, answer: null, retryAfterMs: undefined } as const;
  const retries = (await attempted(key, 3)).map(({ notification, attempt }) => ({
    kind: 'retry' as const,
    notification,
    attempt: { ...attempt, result: failed },
    error: 'No.',
    delayMs: 60_000,
  }));
  for (let time = 0; time < 2; time += 1) await connections.run(recordRetries(workerId, retries));
  await startWorker();
  await counted(service);
  expect(await totalsOf(key)).toMatchObject({ created: 8, delivered: 5, retried: 3, failed: 0 });
});

test('the time until a delivery ends with its attempt, not when it is recorded', async () => {
  const key = await subscribeTo(service, 'http://127.0.0.1:9/');
  const outcomes = await attempted(key, 1);
  await pool.query(
    `update flaghoist_service.webhook_notification
     set occurred_at = clock_timestamp() at time zone 'utc' - interval '60.5 seconds' where key = $1`,
    [outcomes[0]!.notification.key],
  );
  await connections.run(recordDelivered(outcomes));
  await startWorker();
  await counted(service);
  const { p50Ms } = await totalsOf(key);
  // A minute; the attempt ended half a second ago. The machine may take its time.
  expect(p50Ms).toBeGreaterThan(60_000 / 1.2);
  expect(p50Ms).toBeLessThan(75_000 * 1.2);
});

test('several processes count each activity once', async () => {
  const key = await subscribeTo(service, 'http://127.0.0.1:9/');
  await Promise.all([startWorker(), startWorker()]);
  for (let batch = 0; batch < 10; batch += 1) {
    await connections.run(recordDelivered(await attempted(key, 10)));
    await pool.query(`update flaghoist_system.activity set recorded_at = recorded_at - interval '4 seconds'`);
  }
  await counted(service);
  expect(await totalsOf(key)).toMatchObject({ created: 100, delivered: 100 });
});

test('counts are kept as long as a range shows them, and eight days at most', async () => {
  const subject = 900_001;
  const insert = (stepMinutes: number, ago: string) =>
    pool.query(
      `insert into flaghoist_system.delivery_count (subject_key, step_minutes, starts_at, created)
       values ($1, $2, now() - $3::interval, 1)`,
      [subject, stepMinutes, ago],
    );
  for (const [step, kept, gone] of [
    [1, '61 minutes', '3 hours'],
    [15, '24 hours', '27 hours'],
    [60, '24 hours', '27 hours'],
    [120, '7 days', '193 hours'],
  ] as const) {
    await insert(step, kept);
    await insert(step, gone);
  }
  const error = (key: number, ago: string) =>
    pool.query(`insert into flaghoist_system.last_delivery_error values ($1, now() - $2::interval, 'No.', null)`, [
      key,
      ago,
    ]);
  await error(subject, '7 days');
  await error(subject + 1, '9 days');
  const parts = { database: connections, observe: () => undefined, bodyDays: 30, notificationDays: 90 };
  await enforceRetention(parts, { isStopping: false });
  const { rows } = await pool.query(
    `select step_minutes as step, count(*)::int from flaghoist_system.delivery_count where subject_key = $1
     group by 1 order by 1`,
    [subject],
  );
  expect(rows).toEqual([1, 15, 60, 120].map((step) => ({ step, count: 1 })));
  const errors = await pool.query(
    'select subscription_key::int as key from flaghoist_system.last_delivery_error where subscription_key >= $1',
    [subject],
  );
  expect(errors.rows).toEqual([{ key: subject }]);
});
