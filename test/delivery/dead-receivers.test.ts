// A receiver that is dead is tried again and deactivated in its time, however much waits for it that was never tried, and is no burden
// to the claims of others.

import { afterEach, expect, test } from 'vitest';
import { claimPending, type PendingClaim } from '../../src/notifications/pending-table.ts';
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
  'one that %s is deactivated after its attempts, while thousands have not had their first',
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
    expect(receiver.requests.length).toBeLessThan(2_500);
  },
);

const lanes = (from: number, to: number, values: string) =>
  pool.query(
    `insert into flaghoist_system.pending_notification (notification_key, created_date, subscription_key, attempts)
     select 100 * lane + n, now(), lane, attempts from generate_series($1::int, $2::int) lane, ${values} v(n, attempts)`,
    [from, to],
  );

const claim = async (some: Partial<PendingClaim>) => {
  const { rows: workers } = await pool.query(
    `insert into flaghoist_system.delivery_worker (alive_until) values (now() + interval '1 hour') returning id`,
  );
  const rooms = { named: new Map<number, number>(), others: 8 };
  const whole = {
    workerId: Number(workers[0].id),
    afterLane: 0,
    lanesMax: 2,
    rowsMax: 1_000,
    turn: 0,
    rooms,
    bytesMax: 1,
  };
  const { text, values } = claimPending({ ...whole, ...some });
  const { rows } = await pool.query(text, values as unknown[]);
  return {
    isEnd: rows[0].is_end,
    lastLane: Number(rows[0].last_lane),
    keys: rows.flatMap(({ key }) => (key === null ? [] : [Number(key)])).sort(),
  };
};

test('lanes without room do not count among those that a claim may take from, up to a thousand of them', async () => {
  await lanes(1, 1_500, '(values (1, 0))');
  const rooms = (from: number, to: number) => ({
    named: new Map(Array.from({ length: to - from + 1 }, (_, index) => [from + index, 0])),
    others: 8,
  });
  expect(await claim({ rooms: rooms(1, 400) })).toEqual({ isEnd: false, lastLane: 402, keys: [40_101, 40_201] });
  expect(await claim({ rooms: rooms(1, 1_500) })).toEqual({ isEnd: false, lastLane: 1_000, keys: [] });
  expect(await claim({ rooms: rooms(1_001, 1_499), afterLane: 1_000 })).toEqual({
    isEnd: true,
    lastLane: 1_500,
    keys: [150_001],
  });
});

test('a quarter of what is taken of a lane was tried before, the oldest of it; of a lane with room for one, each fourth time', async () => {
  await lanes(1, 1, '(select n, (n > 20)::int from generate_series(1, 40) n)');
  expect((await claim({})).keys).toEqual([101, 102, 103, 104, 105, 106, 121, 122]);
  const one = { named: new Map([[1, 1]]), others: 8 };
  const taken: number[] = [];
  for (let turn = 0; turn < 8; turn += 1) taken.push(...(await claim({ rooms: one, turn })).keys);
  expect(taken).toEqual([107, 108, 109, 123, 110, 111, 112, 124]);
});

test('what was tried before takes all the room that nothing new needs', async () => {
  await lanes(1, 1, '(select n, (n > 2)::int from generate_series(1, 40) n)');
  expect((await claim({})).keys).toEqual([101, 102, 103, 104, 105, 106, 107, 108]);
});
