// One in ten transactions of delivery fails with a serialisation failure or a deadlock. Each is retried, so that
// nothing is lost, recorded twice or left claimed.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { useTestService } from '../support/test-service.ts';
import { type Hooks, readSubscription, startHooks, subscribeTo } from './hooks.ts';
import { awaitSettled, countPending, fatesOf, queue, workerIds } from './queued.ts';

const service = useTestService({
  FLAGHOIST_DELIVERY_ATTEMPTS: '3',
  FLAGHOIST_DELIVERY_INTERVAL_SECONDS: '0.1',
});
const { pool } = service.database;
const timeout = 90_000;

/** Where all that delivery writes goes by. */
const tables = [
  'flaghoist_system.pending_notification',
  'flaghoist_system.resendable_notification',
  'flaghoist_system.delivery_worker',
  'flaghoist_system.delivery_health',
  'flaghoist_service.webhook_notification',
];

/**
 * Each transaction has one chance to fail, however many of the tables it writes to: it leaves a row of its own, and
 * that row fails, at once or at COMMIT. Sequences keep their numbers although the transaction is rolled back, so they
 * tell how many there were. What the test itself writes is left alone.
 */
const faults = (when: 'immediate' | 'deferred') => `
create schema faults;
create sequence faults.chances;
create sequence faults.raised;
create table faults.chance (transaction_id xid8 primary key);
create function faults.take_chance() returns trigger language plpgsql as $$
begin
  if current_setting('application_name') = 'flaghoist' then
    insert into faults.chance values (pg_current_xact_id()) on conflict do nothing;
  end if;
  return null;
end $$;
create function faults.fail_at_random() returns trigger language plpgsql as $$
begin
  -- Two for certain, so that there is one of each kind in any run.
  if nextval('faults.chances') in (3, 6) or random() < 0.1 then
    if nextval('faults.raised') % 2 = 0 then
      raise exception 'could not serialize access, says the test' using errcode = '40001';
    end if;
    raise exception 'deadlock detected, says the test' using errcode = '40P01';
  end if;
  return null;
end $$;
create constraint trigger fail_at_random after insert on faults.chance deferrable initially ${when}
  for each row execute function faults.fail_at_random();`;

/**
 * One table after the other, each in a transaction of its own: the service is at work, and nobody is to meet it in a
 * deadlock.
 */
async function injectFaults(when: 'immediate' | 'deferred'): Promise<void> {
  await pool.query(faults(when));
  for (const table of tables)
    await pool.query(`create trigger take_chance after insert or update or delete on ${table}
      for each statement execute function faults.take_chance()`);
}

async function countFaults(): Promise<number> {
  const { rows } = await pool.query(
    'select case when is_called then last_value::int else 0 end as count from faults.raised',
  );
  return rows[0].count;
}

describe.each([
  ['while it runs', 'immediate'],
  ['at its COMMIT', 'deferred'],
] as const)('FLT-29: one transaction in ten fails %s', (_, when) => {
  beforeEach(() => injectFaults(when));
  afterEach(async () => {
    for (const table of tables) await pool.query(`drop trigger take_chance on ${table}`);
    await pool.query('drop schema faults cascade');
  });

  test('every notification arrives once and is recorded once, whether handed on or claimed', { timeout }, async () => {
    const hooks = await startHooks();
    const claimed = await subscribeTo(service, { url: `${hooks.url}/claimed`, eventType: 'Vessel.D' });
    const dispatchedDirectly = await subscribeTo(service, { url: `${hooks.url}/handed-on`, eventType: 'Vessel.C' });
    const ids: string[] = [];
    for (let round = 0; round < 20; round += 1) {
      ids.push(...(await queue(pool, claimed.key, 25)));
      await Promise.all([1, 2, 3, 4].map((n) => createVessel(`Round ${round}, ${n}`)));
    }
    await settledAll(dispatchedDirectly.key, 80);
    const fates = [...(await fatesOf(pool, claimed.key)), ...(await fatesOf(pool, dispatchedDirectly.key))];
    expect(fates).toHaveLength(580);
    expect(fates.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
    expect(fates.filter(({ status, attempts }) => status !== 'DELIVERED' || attempts !== 1)).toEqual([]);
    expect(fates.filter(({ statusCodes }) => statusCodes.length !== 1)).toEqual([]);
    expect(idsOf(hooks).sort()).toEqual(fates.map(({ id }) => id).sort());
    await expectFaultsAndNoHarm();
  });

  test('failures are counted once each; what fails for good deactivates once', { timeout }, async () => {
    const seen = new Set<string>();
    const hooks = await startHooks((response, { path, headers }) => {
      const id = String(headers['webhook-id']);
      response.statusCode = path === '/dead' || !seen.has(id) ? 500 : 200;
      seen.add(id);
      response.end();
    });
    const flaky = await subscribeTo(service, { url: `${hooks.url}/flaky`, eventType: 'Vessel.D' });
    const dead = await subscribeTo(service, { url: `${hooks.url}/dead`, eventType: 'Vessel.D' });
    const ids: string[] = [];
    await queue(pool, dead.key);
    for (let round = 0; round < 20; round += 1) {
      ids.push(...(await queue(pool, flaky.key, 5)));
      await expect.poll(() => idsOf(hooks), { timeout: 20_000, interval: 20 }).toContain(ids.at(-1));
    }
    await awaitSettled(pool);
    expect(await fatesOf(pool, flaky.key)).toEqual(
      ids.map((id) => ({ id, status: 'DELIVERED', attempts: 2, statusCodes: [500, 200] })),
    );
    expect(await fatesOf(pool, dead.key)).toMatchObject([
      { status: 'FAILED', attempts: 3, statusCodes: [500, 500, 500] },
    ]);
    expect((await readSubscription(service, dead)).state).toBe('DEACTIVATED');
    expect(
      service.observations.filter((seen) => seen.kind === 'subscription.deactivated' && seen.subscription === dead.key),
    ).toHaveLength(1);
    expect(hooks.received).toHaveLength(2 * ids.length + 3);
    await expectFaultsAndNoHarm();
  });
});

async function createVessel(vesselName: string): Promise<void> {
  const answer = await service.post('/ws/rest/Vessel', { vesselName });
  expect(answer.status, answer.text).toBe(201);
}

async function settledAll(subscriptionKey: number, count: number): Promise<void> {
  const made = async () => (await fatesOf(pool, subscriptionKey)).length;
  await expect.poll(made, { timeout: 30_000, interval: 50 }).toBe(count);
  await awaitSettled(pool);
}

function idsOf({ received }: Hooks): string[] {
  return received.map(({ headers }) => String(headers['webhook-id']));
}

/** There were some of both kinds, and nobody has given anything up for them. */
async function expectFaultsAndNoHarm(): Promise<void> {
  expect(await countFaults()).toBeGreaterThanOrEqual(2);
  expect(await countPending(pool)).toBe(0);
  expect(await workerIds(pool)).toHaveLength(1);
  const troubles = ['delivery.failed', 'matching.failed'];
  expect(service.observations.filter(({ kind }) => troubles.includes(kind))).toEqual([]);
}
