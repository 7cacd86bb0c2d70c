// A dead receiver is retried and deactivated in time, however many first attempts wait for it, and costs other claims
// nothing.

import { afterEach, expect, onTestFinished, test } from 'vitest';
import { claimPending, type PendingClaim } from '../../src/deliver/queue/pending-table.ts';
import { readClaim } from '../../src/deliver/queue/ready-notification.ts';
import { startBeside } from '../auth/service-beside.ts';
import { startReceiver } from '../channels/receiver.ts';
import { useTestService } from '../support/test-service.ts';
import { queue, subscribeTo } from './queued.ts';

const service = useTestService({ FLAGHOIST_ROLES: 'api' });
const { pool } = service.database;

afterEach(async () => {
  await pool.query('delete from flaghoist_system.pending_notification');
});

test.each([
  ['hangs', () => undefined, '0.2'],
  [
    'fails',
    (socket: { write(text: string): void }) => socket.write('HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n'),
    '10',
  ],
])(
  'a receiver that %s is deactivated after its attempts, while thousands wait for their first',
  {
    timeout: 60_000,
  },
  async (_, onRequest, deadline) => {
    const receiver = await startReceiver({ onRequest });
    const subscription = await subscribeTo(service, receiver.url);
    await queue(pool, subscription, 5_000);
    await startBeside(service.database, {
      FLAGHOIST_ROLES: 'worker',
      FLAGHOIST_DELIVERY_TIMEOUT_SECONDS: deadline,
      FLAGHOIST_DELIVERY_ATTEMPTS: '3',
      FLAGHOIST_DELIVERY_INTERVAL_SECONDS: '0.5',
    });
    const isActive = async () =>
      (await service.get(`/ws/rest/WebhookSubscription/${subscription}`)).body.state === 'ACTIVE';
    await expect.poll(isActive, { timeout: 30_000, interval: 100 }).toBe(false);
  },
);

const settings = `begin; set local plan_cache_mode = force_generic_plan; set local enable_seqscan = off;
  set local enable_sort = off; set local enable_bitmapscan = off; set local enable_material = off;
  set local enable_hashjoin = off; set local enable_mergejoin = off`;

/** A worker that claims as the service does; everything is gone when the test is over. */
async function openClaims() {
  const client = await pool.connect();
  onTestFinished(async () => {
    await client.query('rollback');
    client.release();
  });
  await client.query(settings);
  const { rows: workers } = await client.query(
    `insert into flaghoist_system.delivery_worker (alive_until) values (now() + interval '1 hour') returning id`,
  );
  const statementOf = ({ named, ...some }: Partial<PendingClaim & PendingClaim['capacities']>) =>
    claimPending({
      ...{ workerId: Number(workers[0].id), afterLane: 0, lanesMax: 2, rowsMax: 1_000, bytesMax: 1_000 },
      capacities: { named: named ?? new Map(), others: 8 },
      ...some,
    });
  return {
    fill: (lanes: number, each: string, bytes?: number) =>
      client.query(
        `with pending as (
           insert into flaghoist_system.pending_notification (notification_key, created_date, subscription_key,
             attempts)
           select 100 * lane + n, '2026-11-15', lane, attempts from generate_series(1, $1::int) lane, ${each} v(n,
             attempts)
           returning notification_key, created_date)
         insert into flaghoist_system.notification_body (notification_key, created_date, body, head)
         select notification_key, created_date, repeat('x', $2), '' from pending where $2 > 0`,
        [lanes, bytes ?? 0],
      ),
    claim: async (some: Parameters<typeof statementOf>[0] = {}) => {
      const { text, values } = statementOf(some);
      const { rows } = await client.query(text, values);
      const { isEnd, lastLane, ready, withoutBody, surplus } = readClaim(rows);
      const withBody = ready.map(({ key }) => key);
      const keys = [...withBody, ...withoutBody, ...surplus].sort((one, other) => one - other);
      return { isEnd, lastLane, keys, withBody };
    },
    blocksOf: async (some: Parameters<typeof statementOf>[0] = {}) => {
      const { text, values } = statementOf(some);
      const { rows } = await client.query(`explain (analyze, buffers, format json) ${text}`, values);
      const { Plan: plan } = rows[0]['QUERY PLAN'][0];
      return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
    },
  };
}

const noRoom = (from: number, to: number) =>
  new Map(Array.from({ length: to - from + 1 }, (_, index) => [from + index, 0]));

test('up to a thousand lanes without capacity do not count towards the lanes of a claim', async () => {
  const { fill, claim } = await openClaims();
  await fill(1_500, '(values (1, 0))');
  expect(await claim({ named: noRoom(1, 400) })).toMatchObject({ isEnd: false, lastLane: 402, keys: [40_101, 40_201] });
  expect(await claim({ named: noRoom(1, 1_500) })).toMatchObject({ isEnd: false, lastLane: 1_000, keys: [] });
  const last = await claim({ named: noRoom(1_001, 1_499), afterLane: 1_000 });
  expect(last).toMatchObject({ isEnd: true, lastLane: 1_500, keys: [150_001] });
});

test('a quarter of what a claim takes from a lane are retries, the oldest first, and at least one', async () => {
  const { fill, claim } = await openClaims();
  await fill(1, '(select n, (n > 20)::int from generate_series(1, 40) n)');
  expect((await claim()).keys).toEqual([101, 102, 103, 104, 105, 106, 121, 122]);
  expect((await claim({ named: new Map([[1, 1]]) })).keys).toEqual([123]);
  expect((await claim({ named: new Map([[1, 2]]) })).keys).toEqual([107, 124]);
});

test('retries take all the capacity that first attempts do not need', async () => {
  const { fill, claim } = await openClaims();
  await fill(1, '(select n, (n > 2)::int from generate_series(1, 40) n)');
  expect((await claim()).keys).toEqual([101, 102, 103, 104, 105, 106, 107, 108]);
});

test('if bodies are large, those of retries are not left behind', async () => {
  const { fill, claim } = await openClaims();
  await fill(1, '(select n, (n <= 20)::int from generate_series(1, 40) n)', 200);
  expect(await claim()).toMatchObject({
    keys: [101, 102, 121, 122, 123, 124, 125, 126],
    withBody: [101, 102, 121, 122, 123],
  });
});

test('a claim costs the same however much is pending, even with the statistics of an empty queue', async () => {
  const { fill, claim, blocksOf } = await openClaims();
  const wide = { lanesMax: 50 };
  expect((await claim(wide)).keys).toEqual([]);
  await fill(600, '(select n, 0 from generate_series(1, 100) n)');
  expect(await blocksOf(wide)).toBeLessThan(5_000);
});
