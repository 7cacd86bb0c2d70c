// Whatever happens to the processes that shape, every change ends once: as a notification, or recorded as suppressed.

import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openBeside, startBeside } from '../auth/service-beside.ts';
import { startHooks, subscribeTo } from '../deliver/hooks.ts';
import { startWorker } from '../deliver/worker-process.ts';
import { matched } from '../match/heard.ts';
import { DatabaseRelay } from '../support/database-relay.ts';
import { useTestService } from '../support/test-service.ts';
import { countUnprepared, makeScript, prepared, stylesheet } from './shaped.ts';

const installation = { FLAGHOIST_BASE_URL: 'http://flaghoist.test' };
const service = useTestService({ ...installation, FLAGHOIST_ROLES: 'api' });
const { pool } = service.database;
const timeout = 120_000;

/** Takes some 20 ms, and suppresses every third. */
const slow = 'let x = 0; for (let i = 0; i < 200000; i += 1) x += i; return x > 0 && svcObject.key % 3 !== 0;';
/** Takes no time. */
const quick = 'return svcObject.key % 3 !== 0;';
const xsl = stylesheet('<xsl:template match="/"><k><xsl:value-of select="Vessel/key"/></k></xsl:template>');

/** Subscriptions to new vessels, one with each script and one with a stylesheet. */
async function subscribe(...bodies: string[]) {
  const hooks = await startHooks();
  const wishes = { eventType: 'Vessel.C', url: hooks.url };
  const made = [await subscribeTo(service, { ...wishes, xsl })];
  for (const body of bodies) {
    const { code } = await makeScript(service, body);
    made.push(await subscribeTo(service, { ...wishes, dlpAlertScript: code }));
  }
  const keys = made.map(({ key }) => key as number);
  onTestFinished(async () => {
    for (const key of keys) await service.put(`/ws/rest/WebhookSubscription/${key}`, { unsubscribed: true });
  });
  return { hooks, keys };
}

async function createVessels(count: number): Promise<void> {
  await pool.query(`insert into flaghoist.vessel (vessel_name) select 'V' || n from generate_series(1, $1::int) n`, [
    count,
  ]);
}

/** How often each change of each subscription has ended. */
async function endsOf(keys: number[]): Promise<number[]> {
  const { rows } = await pool.query(
    `select count(*)::int as ends from (
       select subscription as s, split_part(id, '-', 1)::bigint as e from flaghoist_service.webhook_notification
         where subscription = any($1)
       union all select subscription_key, event_id from flaghoist_system.suppressed_match
         where subscription_key = any($1)) x
     group by s, e`,
    [keys],
  );
  return rows.map(({ ends }) => ends);
}

async function expectEachOnce(keys: number[], changes: number): Promise<void> {
  await prepared(service, 60_000);
  expect(await endsOf(keys)).toEqual(Array(keys.length * changes).fill(1));
}

const isRunning = () =>
  expect.poll(() => countUnprepared(service, 'claimed_until > now()'), { timeout: 30_000, interval: 5 });

async function isInTransaction(): Promise<boolean> {
  const { rows } = await pool.query(
    "select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'",
  );
  return rows.length > 0;
}

describe('SCR-20: a worker that is killed while scripts run', () => {
  test('leaves everything to the next worker', { timeout }, async () => {
    const { keys } = await subscribe(slow, quick);
    const doomed = await startWorker(service.database.url, installation);
    await createVessels(60);
    await isRunning().toBeGreaterThan(0);
    await doomed.kill();
    const left = await countUnprepared(service);
    expect(left).toBeGreaterThan(0);
    // Ends its lease, so that the test does not have to wait.
    await pool.query('update flaghoist_system.unshaped_match set claimed_until = now() where claim is not null');
    await startBeside(service.database, { ...installation, FLAGHOIST_ROLES: 'worker' });
    await expectEachOnce(keys, 60);
  });
});

test('a worker halted for too long records nothing that another one has done', { timeout }, async () => {
  const { keys } = await subscribe(slow);
  const halted = await startWorker(service.database.url, installation);
  await createVessels(60);
  await isRunning().toBeGreaterThan(0);
  halted.halt();
  // Not inside a transaction, because others would wait for it.
  while (await isInTransaction()) {
    halted.goOn();
    await isRunning().toBeGreaterThan(0);
    halted.halt();
  }
  await pool.query('update flaghoist_system.unshaped_match set claimed_until = now() where claim is not null');
  await startBeside(service.database, { ...installation, FLAGHOIST_ROLES: 'worker' });
  await expectEachOnce(keys, 60);
  halted.goOn();
  await halted.stop();
  expect(await endsOf(keys)).toEqual(Array(keys.length * 60).fill(1));
});

test('a worker halted for a moment does not blame a script', { timeout }, async () => {
  const { keys } = await subscribe(slow);
  const halted = await startWorker(service.database.url, installation);
  await createVessels(10);
  await prepared(service);
  for (let n = 1; n <= 3; n += 1) {
    await createVessels(60);
    // Claimed a moment ago, so everything is loaded.
    const under = `subscription_key = ${keys[1]} and claimed_until between now() and now() + interval '59.95 seconds'`;
    await expect.poll(() => countUnprepared(service, under), { timeout: 30_000, interval: 5 }).toBeGreaterThan(0);
    halted.halt();
    const haltedAt = performance.now();
    await vi.waitUntil(() => performance.now() - haltedAt > 1_500, { timeout: 5_000 });
    halted.goOn();
    await prepared(service, 60_000);
  }
  await expectEachOnce(keys, 190);
  const { rows } = await pool.query(
    `select message from flaghoist_system.suppressed_match where subscription_key = any($1) and reason = 'SCRIPT_ERROR'
     union all select error_message from flaghoist_service.webhook_notification where subscription = any($1)
       and status = 'FAILED'`,
    [keys],
  );
  expect(rows).toEqual([]);
});

test('several workers in parallel shape nothing twice', { timeout }, async () => {
  const { keys, hooks } = await subscribe(quick, slow);
  const workers = await Promise.all(
    [1, 2, 3].map(() => startBeside(service.database, { ...installation, FLAGHOIST_ROLES: 'worker' })),
  );
  for (let n = 0; n < 4; n += 1) await createVessels(50);
  await expectEachOnce(keys, 200);
  const shares = workers.map(({ observations }) =>
    observations.reduce((sum, seen) => sum + (seen.kind === 'notifications.shaped' ? seen.matches : 0), 0),
  );
  expect(shares.reduce((sum, share) => sum + share)).toBe(600);
  const { rows } = await pool.query(
    'select count(*)::int from flaghoist_service.webhook_notification where subscription = any($1)',
    [keys],
  );
  const ids = () => new Set(hooks.received.map(({ headers }) => headers['webhook-id'])).size;
  await expect.poll(ids, { timeout: 20_000 }).toBe(rows[0].count);
  expect(hooks.received).toHaveLength(rows[0].count);
});

test('the database becomes unavailable while scripts run, and returns', { timeout }, async () => {
  const relay = new DatabaseRelay();
  await relay.open();
  onTestFinished(() => relay.close());
  const { keys } = await subscribe(slow, quick);
  const worker = await openBeside(
    { ...service.database, url: relay.urlOf(service.database.url) },
    { ...installation, FLAGHOIST_ROLES: 'worker' },
  );
  onTestFinished(() => worker.stop());
  await createVessels(60);
  for (let n = 0; n < 3; n += 1) {
    await isRunning().toBeGreaterThan(0);
    await relay.close();
    await relay.open();
  }
  await matched(service, 30_000);
  // If the response to a claim was lost, not before its lease expires.
  await prepared(service, 90_000);
  await expectEachOnce(keys, 60);
  expect(worker.observations.filter(({ kind }) => kind === 'shaping.failed')).toEqual([]);
});

test('a worker stopped while scripts run releases its matches at once', { timeout }, async () => {
  const { keys } = await subscribe(slow);
  const stopped = await openBeside(service.database, { ...installation, FLAGHOIST_ROLES: 'worker' });
  await createVessels(120);
  await isRunning().toBeGreaterThan(0);
  const startedAt = performance.now();
  await stopped.stop();
  expect(performance.now() - startedAt).toBeLessThan(5_000);
  expect(await countUnprepared(service, 'claimed_until > now()')).toBe(0);
  expect(await countUnprepared(service)).toBeGreaterThan(0);
  expect(stopped.observations.filter(({ kind }) => kind === 'shaping.failed')).toEqual([]);
  await startBeside(service.database, { ...installation, FLAGHOIST_ROLES: 'worker' });
  await expectEachOnce(keys, 120);
});

test('a result that cannot be recorded delays no other', { timeout }, async () => {
  const { keys } = await subscribe(quick);
  await pool.query(`create function flaghoist_system.refuse_some() returns trigger language plpgsql as $$ begin
    if new.object_key % 7 = 0 then raise 'It cannot be written.'; end if; return new; end $$;
    create trigger refuse_some before insert on flaghoist_service.webhook_notification
    for each row execute function flaghoist_system.refuse_some()`);
  const worker = await startBeside(service.database, { ...installation, FLAGHOIST_ROLES: 'worker' });
  await createVessels(40);
  await matched(service);
  const refused = `object_key % 7 = 0 and (subscription_key = ${keys[0]} or object_key % 3 <> 0)`;
  await expect.poll(() => countUnprepared(service, `not (${refused})`), { timeout: 30_000 }).toBe(0);
  expect(await countUnprepared(service)).toBeGreaterThan(0);
  expect(worker.observations.filter(({ kind }) => kind === 'shaping.failed')).not.toEqual([]);
  await pool.query('drop function flaghoist_system.refuse_some() cascade');
  await pool.query('update flaghoist_system.unshaped_match set claimed_until = now() where claim is not null');
  await expectEachOnce(keys, 40);
});
