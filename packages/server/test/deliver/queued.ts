// Notifications that are ready to be sent, put there as matching puts them, and what has become of them.

import type pg from 'pg';
import { beforeEach, expect } from 'vitest';
import { insertNotifications, type NewNotification, reserveKeys } from '../../src/deliver/queue/notification-table.ts';
import { bodyOf } from '../../src/render/body.ts';
import type { ReceivedRequest } from '../channels/receiver.ts';
import type { TestService } from '../support/test-service.ts';

/** The workers of earlier tests have stopped. Without their rows, no test waits until they are declared dead. */
export function useNoEarlierWorkers(pool: pg.Pool): void {
  beforeEach(async () => {
    await pool.query('delete from flaghoist_system.pending_notification');
    await pool.query('delete from flaghoist_system.delivery_worker');
  });
}

/** To something that nobody does, so that only what is queued is sent. Answers the key. */
export async function subscribeTo(service: TestService, url: string, more: object = {}): Promise<number> {
  const answer = await service.post('/ws/rest/WebhookSubscription', { eventType: 'Vessel.D', url, ...more });
  expect(answer.status, answer.text).toBe(201);
  service.secrets.plant('a signing secret', answer.body.signingSecret);
  return answer.body.key;
}

/** Claimed for the worker with this id, if there is one. Answers the ids. */
export async function queue(
  pool: pg.Pool,
  subscriptionKey: number,
  count = 1,
  workerId: number | null = null,
): Promise<string[]> {
  const { rows: users } = await pool.query(
    `select "user"::int as key, to_char(flaghoist_system.utc_second(), 'YYYY-MM-DD"T"HH24:MI:SS') as now
     from flaghoist_service.webhook_subscription where key = $1`,
    [subscriptionKey],
  );
  const { key: userKey, now } = users[0];
  const { rows: keys } = await pool.query(reserveKeys(count));
  const rows = keys.map(({ key }): NewNotification => {
    const id = `1-${key}`;
    return {
      key: Number(key),
      id,
      subscriptionKey,
      userKey,
      objectType: 'Vessel',
      objectKey: 1,
      eventType: 'C',
      subscribedObjectKey: 1,
      occurredAt: `${now}.000000Z`,
      contentType: 'application/json',
      subject: null,
      body: bodyOf(JSON.stringify({ id, resource: { vesselName: 'Queued' } })),
      errorMessage: null,
      isOrdered: false,
      isStreamed: false,
      isDispatchedDirectly: workerId !== null,
    };
  });
  await pool.query(insertNotifications(rows, { createdDate: now, workerId, stored: new WeakMap() }));
  return rows.map(({ id }) => id);
}

export interface Fate {
  id: string;
  status: string;
  attempts: number;
  /** What the log has of each attempt. */
  statusCodes: (number | null)[];
}

export async function fatesOf(pool: pg.Pool, subscriptionKey: number): Promise<Fate[]> {
  const { rows } = await pool.query(
    `select id, status, attempts, coalesce((select jsonb_agg(a -> 'statusCode')
  from jsonb_array_elements(attempt_log) a), '[]') as "statusCodes"
     from flaghoist_service.webhook_notification where subscription = $1 order by key`,
    [subscriptionKey],
  );
  return rows;
}

/** Of all notifications there are: `DELIVERED 1`, status and attempts → how many. */
export async function countFates(pool: pg.Pool): Promise<Record<string, number>> {
  const { rows } = await pool.query(
    `select status || ' ' || attempts as fate, count(*)::int from flaghoist_service.webhook_notification group by 1`,
  );
  return Object.fromEntries(rows.map(({ fate, count }) => [fate, count]));
}

/** Until nothing is to be sent any more. */
export async function awaitSettled(pool: pg.Pool, timeout = 45_000): Promise<void> {
  await expect.poll(() => countPending(pool), { timeout, interval: 50 }).toBe(0);
}

export async function countPending(pool: pg.Pool, where = 'true'): Promise<number> {
  const { rows } = await pool.query(`select count(*)::int from flaghoist_system.pending_notification p where ${where}`);
  return rows[0].count;
}

/** Those that are alive, or taken for that. */
export async function workerIds(pool: pg.Pool): Promise<number[]> {
  const { rows } = await pool.query('select id::int from flaghoist_system.delivery_worker order by id');
  return rows.map(({ id }) => id);
}

export function idOf({ head }: ReceivedRequest): string {
  return /^webhook-id: (.+)$/im.exec(head)![1]!;
}

/** Until somebody waits for a lock with a statement like this; answers its session. */
export async function awaitBlocked(pool: pg.Pool, statement: string): Promise<number> {
  const look = async () =>
    (
      await pool.query(
        "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and " +
          'query ilike $1',
        [`%${statement}%`],
      )
    ).rows[0]?.pid as number | undefined;
  await expect.poll(look, { timeout: 30_000, interval: 20 }).toBeDefined();
  return (await look())!;
}

/** A subscription like one of the service, in another database. */
export async function copySubscription(service: TestService, other: pg.Pool, url: string): Promise<number> {
  const user = await other.query('select key::int from flaghoist_service.api_user limit 1');
  const key = await subscribeTo(service, url);
  const { rows } = await service.database.pool.query(
    'select to_jsonb(s) as row from flaghoist_service.webhook_subscription s where key = $1',
    [key],
  );
  await other.query(
    `insert into flaghoist_service.webhook_subscription
     select * from jsonb_populate_record(null::flaghoist_service.webhook_subscription, $1::jsonb)`,
    [JSON.stringify({ ...rows[0].row, user: user.rows[0].key })],
  );
  return key;
}
