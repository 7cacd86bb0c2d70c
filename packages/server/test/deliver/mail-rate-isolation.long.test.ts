// Subscriptions that have used up their mails of the minute wait in the database, and take no capacity from others.

import { expect, test } from 'vitest';
import { startBeside } from '../auth/service-beside.ts';
import { startReceiver } from '../channels/receiver.ts';
import { useTestService } from '../support/test-service.ts';
import { countPending, idOf, queue, subscribeTo } from './queued.ts';

const service = useTestService({ FLAGHOIST_ROLES: 'api' });
const { pool } = service.database;

test('2,000 subscriptions that have used up their mails of the minute delay no other', {
  timeout: 90_000,
}, async () => {
  const mail = { url: undefined, channelInfo: { channelType: 'EMAIL', URL: 'ops@agent.example' } };
  const one = await subscribeTo(service, undefined as unknown as string, mail);
  const { rows } = await pool.query(
    `insert into flaghoist_service.webhook_subscription
     select (jsonb_populate_record(s, jsonb_build_object('key', nextval('flaghoist.object_key')))).*
     from flaghoist_service.webhook_subscription s, generate_series(1, 2000) where s.key = $1 returning key::int`,
    [one],
  );
  const keys: number[] = rows.map(({ key }) => key);
  for (const key of keys) await queue(pool, key, 2);
  await startBeside(service.database, {
    FLAGHOIST_DATA_DIR: service.dataDir,
    FLAGHOIST_ROLES: 'worker',
    FLAGHOIST_MAILS_PER_MINUTE: '1',
  });
  // One each is sent, and one each waits, until a minute later.
  await expect.poll(() => countPending(pool), { timeout: 40_000 }).toBeLessThanOrEqual(keys.length);
  await expect.poll(() => countPending(pool, 'claimed_by is not null'), { timeout: 20_000 }).toBe(0);
  const receiver = await startReceiver();
  const other = await subscribeTo(service, receiver.url);
  const ids = await queue(pool, other, 100);
  await expect.poll(() => receiver.requests.length, { timeout: 20_000 }).toBe(100);
  expect(receiver.requests.map(idOf).sort()).toEqual(ids.sort());
  await expect.poll(() => countPending(pool, `subscription_key = ${other}`), { timeout: 20_000 }).toBe(0);
});
