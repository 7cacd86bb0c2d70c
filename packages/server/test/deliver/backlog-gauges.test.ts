// The backlog in /metrics, in a service without a worker, so that everything stays where it is.

import { beforeAll, expect, test } from 'vitest';
import { readBacklog, selectBacklog } from '../../src/deliver/backlog/backlog-table.ts';
import { RecentBacklog } from '../../src/deliver/backlog/recent-backlog.ts';
import { countedMax } from '../../src/observe/backlog.ts';
import { create } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';

const service = useTestService({ FLAGHOIST_ROLES: 'api' });
const { pool } = service.database;

async function gauge(name: string): Promise<Record<string, number>> {
  const { text } = await service.get('/metrics');
  return Object.fromEntries(
    [...text.matchAll(new RegExp(`^${name}\\{queue="(\\w+)"\\} (\\S+)$`, 'gm'))].map(([, queue, value]) => [
      queue,
      Number(value),
    ]),
  );
}

beforeAll(async () => {
  await create(service, 'Vessel', { vesselName: 'One' });
  await create(service, 'Vessel', { vesselName: 'Another' });
  await pool.query(
    "update flaghoist_system.event set event_time = now() - interval '90 seconds' where id = (select min(id) " +
      'from flaghoist_system.event)',
  );
  await pool.query(`insert into flaghoist_system.pending_notification (notification_key, created_date,
  subscription_key, due_at, leased_until)
    select n, now() at time zone 'utc' - n * interval '1 minute', 1, case when n <= 3 then null
      when n <= 8 then now() + interval '1 hour' when n <= 10 then 'infinity'::timestamptz else '-infinity' end,
      case n when 12 then '-infinity'::timestamptz when 13 then now() + interval '1 hour' end
    from generate_series(1, 13) n`);
});

test('each queue reports how many wait in it, and for how long the oldest has', async () => {
  expect(await gauge('flaghoist_backlog')).toEqual({
    events: 2,
    shaping: 0,
    ready: 3,
    blocked: 1,
    retry: 5,
    parked: 2,
    stream: 2,
  });
  const { events, shaping, ready, retry, parked } = await gauge('flaghoist_backlog_age_seconds');
  const about = (seconds: number) => (value: number) => value >= seconds - 1 && value < seconds + 60;
  expect([events, ready, retry, parked]).toEqual([
    expect.toSatisfy(about(90)),
    expect.toSatisfy(about(180)),
    expect.toSatisfy(about(480)),
    expect.toSatisfy(about(600)),
  ]);
  expect(shaping).toBe(0);
});

test('a very long queue is counted only up to a limit', async () => {
  await pool.query(
    `insert into flaghoist_system.pending_notification (notification_key, created_date, subscription_key)
    select n, now() at time zone 'utc', 2 from generate_series(1001, 1001 + $1::int) n`,
    [countedMax],
  );
  const { text, values = [] } = selectBacklog();
  expect(readBacklog((await pool.query(text, values)).rows).ready.waiting).toBe(countedMax);
});

test('a database that does not respond delays no other metric, and gets one query', async () => {
  let asked = 0;
  const silent = new RecentBacklog({
    run: () => {
      asked += 1;
      return new Promise(() => undefined);
    },
  });
  expect(await Promise.all([silent.read(), silent.read()])).toEqual([undefined, undefined]);
  expect(asked).toBe(1);
});
