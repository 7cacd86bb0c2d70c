// Contents when a batch is stored in several portions, dies between them, or is matched beside others.

import { expect, test } from 'vitest';
import { startBeside } from '../auth/service-beside.ts';
import { subscribeTo } from '../deliver/hooks.ts';
import { copySubscription, countContents, storedBodies } from '../deliver/shared-contents.ts';
import { useTestService } from '../support/test-service.ts';
import { matched } from './heard.ts';

const service = useTestService({ FLAGHOIST_ROLES: 'api' });
const { pool } = service.database;
const comments = 'In each of the bodies.';
const streamed = { channelInfo: { channelType: 'STREAM' } };
const startWorker = () =>
  startBeside(service.database, { FLAGHOIST_BASE_URL: service.url(), FLAGHOIST_ROLES: 'worker' });

test('a process that dies between two portions of a batch leaves nothing; the next one stores it once', async () => {
  const { key } = await subscribeTo(service, { eventType: 'Voyage.C', ...streamed });
  const keys = [key, ...(await copySubscription(pool, key, 999))];
  // A sequence counts on when its transaction is rolled back.
  await pool.query(`create sequence public.portions;
    create function public.die_at_second() returns trigger language plpgsql security definer as $$ begin
      if nextval('public.portions') = 2 then perform pg_terminate_backend(pg_backend_pid()); end if;
      return null; end $$;
    create trigger die_at_second after insert on flaghoist_system.notification_body
      for each statement execute function public.die_at_second()`);
  await startWorker();
  await service.post('/ws/rest/Voyage', { comments });
  await expect.poll(async () => (await storedBodies(pool, keys)).length, { timeout: 20_000 }).toBe(1_000);
  const { rows } = await pool.query('select last_value::int as portions from public.portions');
  expect(rows[0].portions).toBeGreaterThan(3);
  await pool.query('drop function public.die_at_second cascade');
  const stored = await storedBodies(pool, keys);
  expect(new Set(stored.map(({ subscription }) => subscription))).toEqual(new Set(keys));
  expect(new Set(stored.map(({ contentKey }) => contentKey))).toEqual(new Set([stored[0]!.key]));
  expect(await countContents(pool)).toBe(1);
  for (const { body } of stored) expect(JSON.parse(body).resource).toMatchObject({ comments });
});

test('several matchers at once store each content once, and none waits for another', async () => {
  const raw = await subscribeTo(service, { eventType: 'Vessel.C', rawObject: true, ...streamed });
  const keys = [raw.key, ...(await copySubscription(pool, raw.key, 9))];
  const workers = await Promise.all([startWorker(), startWorker(), startWorker()]);
  const before = await countContents(pool);
  const inserts = Array.from({ length: 4 }, () =>
    pool.query(`insert into flaghoist.vessel (vessel_name) select $1 from generate_series(1, 50)`, [comments]),
  );
  await Promise.all(inserts);
  await matched(service, 30_000);
  const stored = await storedBodies(pool, keys);
  expect(stored).toHaveLength(200 * 10);
  expect((await countContents(pool)) - before).toBe(200);
  expect(new Set(stored.map(({ contentKey }) => contentKey)).size).toBe(200);
  for (const { body } of stored) expect(JSON.parse(body).vesselName).toBe(comments);
  const faults = workers.flatMap(({ observations }) => observations.filter(({ kind }) => kind === 'matching.failed'));
  expect(faults).toEqual([]);
});
