// A newer version migrates the database while this version serves and delivers. Both deliver side by side, and nothing
// is lost. A process of this version that starts afterwards reports that the database is too new for it.

import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { matched } from '../match/heard.ts';
import { administratorSettings } from '../support/access.ts';
import { makeNewerVersion } from '../support/newer-version.ts';
import { runFlaghoist } from '../support/run-compiled.ts';
import { useTestService } from '../support/test-service.ts';
import { type Hooks, readSubscription, startHooks, subscribeTo } from './hooks.ts';
import { awaitSettled, countFates, queue, workerIds } from './queued.ts';
import { startWorker } from './worker-process.ts';

const service = useTestService({ FLAGHOIST_ROLES: 'api' });
const { pool } = service.database;

// Workers of earlier tests have stopped. Without their rows, no test waits until they are declared dead.
beforeEach(() => pool.query('delete from flaghoist_system.delivery_worker'));

const newMigration = '9999-later.sql';

/**
 * What an upgrade may do while others run: columns with defaults, an index, a table. Nothing that is there goes or
 * changes.
 */
const newMigrationSql = `
alter table flaghoist_system.event add column later_note text not null default 'later';
alter table flaghoist_system.unmatched_event add column later_note text not null default 'later';
alter table flaghoist_system.delivery_worker add column later_note text not null default 'later';
alter table flaghoist_system.pending_notification add column later_rank smallint not null default 7;
alter table flaghoist_system.notification_body add column later_note text not null default 'later';
alter table flaghoist_system.delivery_health add column later_note text not null default 'later';
alter table flaghoist_service.webhook_notification add column later_note text not null default 'later';
alter table flaghoist_service.webhook_subscription add column later_note text not null default 'later';
alter table flaghoist.vessel add column later_note text not null default 'later';
create index pending_notification_later on flaghoist_system.pending_notification (later_rank, notification_key);
create table flaghoist_system.later (id bigint primary key);
`;

test('FLT-53: old and new workers side by side: what one of them does not know harms neither, and nothing is lost', {
  timeout: 120_000,
}, async () => {
  const hooks = await startHooks();
  const changes = await subscribeTo(service, { url: hooks.url, eventType: 'Vessel.C' });
  const waiting = await subscribeTo(service, { url: hooks.url, eventType: 'Vessel.D' });
  const old = await startWorker(service.database.url);
  const load = startLoad();
  await hooksReceive(hooks, 20);

  const newer = await startWorker(service.database.url, {}, makeNewerVersion(newMigration, newMigrationSql));
  expect(newer.output()).toContain('database.migrated');
  expect(newer.output()).toContain(newMigration);
  await workersAre(2);
  const together = hooks.received.length;
  await queue(pool, waiting.key, 500);
  await hooksReceive(hooks, together + 600);

  // The old one alone again: the columns that it does not know have their defaults.
  await newer.stop();
  const alone = hooks.received.length;
  await queue(pool, waiting.key, 100);
  await hooksReceive(hooks, alone + 150);
  const made = await load.stop();
  await matched(service);
  await awaitSettled(pool);

  expect(await countFates(pool)).toEqual({ 'DELIVERED 1': made.length + 600 });
  expect(keysIn(hooks).sort()).toEqual([...made].sort());
  expect(new Set(hooks.received.map(({ headers }) => headers['webhook-id'])).size).toBe(made.length + 600);
  for (const { key } of [changes, waiting])
    expect((await readSubscription(service, { key })).state, 'of the subscription').toBe('ACTIVE');
  const { rows } = await pool.query('select distinct later_note from flaghoist_service.webhook_notification');
  expect(rows).toEqual([{ later_note: 'later' }]);
  // What a message shows is what this version knows.
  expect(hooks.received.filter(({ body }) => body.includes('later'))).toEqual([]);
  for (const output of [old.output(), newer.output()])
    expect(output).not.toMatch(/delivery\.failed|matching\.failed|"level":(50|60)|Error:/);
  expect(service.observations.filter(({ kind }) => kind.endsWith('.failed'))).toEqual([]);
});

test('FLT-53: one of this version that is started on a newer database says so and leaves it alone; those that run go ' +
  'on', {
  timeout: 60_000,
}, async () => {
  const hooks = await startHooks();
  const { key } = await subscribeTo(service, { url: hooks.url, eventType: 'Vessel.D' });
  const old = await startBeforeMigration();
  await workersAre(1);
  const workers = await workerIds(pool);
  for (const roles of ['worker', 'api', 'api,worker']) {
    const { code, stdout, stderr } = await runFlaghoist(['serve'], {
      FLAGHOIST_PORT: '0',
      FLAGHOIST_ROLES: roles,
      FLAGHOIST_REFERENCE_DATA: 'skip',
      DATABASE_URL: service.database.url,
      ...administratorSettings,
    });
    expect(code).toBe(1);
    expect(stdout + stderr).toContain(
      `The database was migrated by a newer version of Flaghoist (${newMigration}). Run that version, or restore ` +
        'a backup from before.',
    );
  }
  expect(await workerIds(pool)).toEqual(workers);
  const ids = await queue(pool, key, 50);
  await awaitSettled(pool);
  expect(hooks.received.map(({ headers }) => headers['webhook-id']).sort()).toEqual(ids.sort());
  expect(old.output()).not.toMatch(/delivery\.failed|matching\.failed/);
});

/** A worker that runs when the database becomes too new for it; only the name of the migration tells. */
async function startBeforeMigration() {
  await pool.query('delete from flaghoist_system.migration where name = $1', [newMigration]);
  const worker = await startWorker(service.database.url);
  await pool.query(`insert into flaghoist_system.migration (name, digest) values ($1, 'of the newer version')`, [
    newMigration,
  ]);
  return worker;
}

/**
 * Creates vessels, one after the other, until it is stopped; answers the keys of all. One that has to wait too long is
 * refused.
 */
function startLoad(): { stop(): Promise<number[]> } {
  const keys: number[] = [];
  let isStopping = false;
  const done = (async () => {
    while (!isStopping) {
      const answer = await service.post('/ws/rest/Vessel', { vesselName: `Vessel ${keys.length}` });
      expect([201, 503], answer.text).toContain(answer.status);
      if (answer.status === 201) keys.push(answer.body.key);
    }
  })();
  const stop = async () => {
    isStopping = true;
    await done;
    return keys;
  };
  // Nothing of it is left if the test fails before.
  onTestFinished(() =>
    stop().then(
      () => undefined,
      () => undefined,
    ),
  );
  return { stop };
}

async function hooksReceive({ received }: Hooks, count: number): Promise<void> {
  await expect.poll(() => received.length, { timeout: 40_000, interval: 20 }).toBeGreaterThanOrEqual(count);
}

/** Of the vessels that messages tell of; what was queued tells of none. */
function keysIn({ received }: Hooks): number[] {
  return received.flatMap(({ body }) => JSON.parse(body).resource.key ?? []);
}

async function workersAre(count: number): Promise<void> {
  await expect.poll(async () => (await workerIds(pool)).length, { timeout: 20_000, interval: 20 }).toBe(count);
}
