// The hub asks the database the same for one connection and for two hundred, and nothing when nobody listens. What it
// cannot show, it says.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { Database, type Statement } from '../../src/database/database.ts';
import { LiveFeed, type Viewer } from '../../src/live/live-feed.ts';
import { LiveHub } from '../../src/live/live-hub.ts';
import { buildModel } from '../../src/model/build-model.ts';
import { catalogue } from '../../src/model/catalogue/catalogue.ts';
import type { EventResponse } from '../../src/objects/action-call.ts';
import { type Backlog, queueNames } from '../../src/observe/backlog.ts';
import { useTestDatabase } from '../support/test-database.ts';

const { url, pool } = useTestDatabase();
const model = buildModel(catalogue);
const statements: string[] = [];
/** What goes wrong, once. */
const trouble: { delayMs: number; failing: string | undefined } = { delayMs: 0, failing: undefined };
let database: Database;
let hub: LiveHub;

beforeAll(() => {
  database = new Database({ url, observe: () => undefined, connectionsMax: 2, statementTimeoutMs: 30_000 });
  const note = (noted: readonly Statement[]) => {
    statements.push(...noted.map(({ text }) => text));
    const { failing } = trouble;
    if (failing === undefined || !noted.some(({ text }) => text.includes(failing))) return;
    trouble.failing = undefined;
    throw new Error('A row cannot be rendered.');
  };
  hub = new LiveHub({
    database: {
      run: (statement, actor) => {
        note([statement]);
        return database.run(statement, actor);
      },
      transaction: async (actor, work) => {
        const { delayMs } = trouble;
        trouble.delayMs = 0;
        if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
        return database.transaction(actor, ({ run, commitWith }) =>
          work({
            run: (...several) => {
              note(several);
              return run(...several);
            },
            commitWith,
          }),
        );
      },
    },
    observe: () => undefined,
    model,
    links: { restUrl: 'http://flaghoist.test/ws/rest' },
    backlog: {
      read: async () => {
        const empty = Object.fromEntries(queueNames.map((name) => [name, { waiting: 0, oldestSeconds: 0 }]));
        return { ...empty, ready: { waiting: 7, oldestSeconds: 3 } } as Backlog;
      },
    },
  });
  hub.start();
});

afterAll(async () => {
  await hub.stop();
  await database.close();
});

interface Listener {
  feed: LiveFeed;
  written: string[];
}

function listen(sees: Viewer['sees']): Listener {
  const written: string[] = [];
  const response: EventResponse = {
    write: (text) => written.push(text) > 0,
    unreadBytes: () => 0,
    end: () => undefined,
    onDrain: () => undefined,
    onClose: () => undefined,
    isStillAllowed: async () => true,
  };
  const viewer = { client: 'c', sees, model, wants: { notifications: true, changes: true } };
  const feed = new LiveFeed(viewer, response, () => undefined);
  hub.add(feed);
  return { feed, written };
}

const hasFigures = ({ written }: Listener) => written.some((text) => text.startsWith('event: figures'));
const hasChanges = ({ written }: Listener) => written.some((text) => text.startsWith('event: changes'));

const isReady = ({ written }: Listener) => written.some((text) => text.startsWith('event: ready'));

/** The data of all events of this name. */
function sent({ written }: Listener, name: string) {
  const all = written.join('').matchAll(new RegExp(`^event: ${name}\\ndata: (.+)$`, 'gm'));
  return [...all].map(([, data]) => JSON.parse(data!));
}

const skipped = (listener: Listener, kind: 'notifications' | 'changes') =>
  sent(listener, kind).reduce((sum, data) => sum + data.skipped, 0);

/** As many as this many ticks take at least. */
const rest = (ms = 600) => new Promise((resolve) => setTimeout(resolve, ms));

async function idle(): Promise<void> {
  await expect
    .poll(async () => {
      const before = statements.length;
      await rest();
      return statements.length - before;
    })
    .toBe(0);
}

/** The statements from a change until all have heard of it. */
async function statementsOfAChange(listeners: readonly Listener[]): Promise<number> {
  await expect.poll(() => listeners.every(hasFigures), { timeout: 20_000 }).toBe(true);
  for (const { written } of listeners) written.length = 0;
  statements.length = 0;
  await pool.query(`insert into flaghoist.vessel (vessel_name) values ('Heard')`);
  await expect.poll(() => listeners.every(hasChanges), { timeout: 20_000, interval: 5 }).toBe(true);
  return statements.filter((text) => !text.includes('pg_current_snapshot')).length;
}

test('nothing is read while nobody listens', async () => {
  statements.length = 0;
  await pool.query(`insert into flaghoist.vessel (vessel_name) values ('Unheard')`);
  await rest(800);
  expect(statements).toEqual([]);
});

test('two hundred listeners cost as many statements as one', async () => {
  const one = listen('all');
  const alone = await statementsOfAChange([one]);
  const many = [one, ...Array.from({ length: 199 }, () => listen('all'))];
  expect(await statementsOfAChange(many)).toBeLessThanOrEqual(alone + 1);
  for (const { feed } of many) hub.remove(feed);
});

test('whoever listens next hears nothing of what happened before', async () => {
  await pool.query(`insert into flaghoist.vessel (vessel_name) values ('Before')`);
  await idle();
  const next = listen('all');
  await expect.poll(() => hasFigures(next), { timeout: 20_000 }).toBe(true);
  await pool.query(`insert into flaghoist.vessel (vessel_name) values ('After')`);
  await expect.poll(() => hasChanges(next), { timeout: 20_000 }).toBe(true);
  const text = next.written.join('');
  expect(text).toContain('"After"');
  expect(text).not.toContain('"Before"');
  hub.remove(next.feed);
});

test('everything that happens after `ready` arrives, also at the first listener of all', async () => {
  await idle();
  const first = listen('all');
  await expect.poll(() => isReady(first), { timeout: 20_000, interval: 1 }).toBe(true);
  await pool.query(`insert into flaghoist.vessel (vessel_name) values ('At once')`);
  await expect.poll(() => hasChanges(first), { timeout: 20_000 }).toBe(true);
  expect(first.written.join('')).toContain('"At once"');
  hub.remove(first.feed);
});

test('`ready` has the backlog, also that of a user who joins others', async () => {
  const admin = listen('all');
  await expect.poll(() => isReady(admin), { timeout: 20_000 }).toBe(true);
  expect(sent(admin, 'ready')).toMatchObject([{ backlog: 7, oldestPendingSeconds: 3 }]);
  statements.length = 0;
  const user = listen(1);
  await expect.poll(() => isReady(user), { timeout: 20_000, interval: 1 }).toBe(true);
  expect(statements.filter((text) => text.includes('pending_notification'))).toHaveLength(1);
  for (const { feed } of [admin, user]) hub.remove(feed);
});

test('rows that cannot be rendered count as skipped, once for every feed, and later rows arrive', async () => {
  const listeners = [listen('all'), listen(1), listen('none')];
  await expect.poll(() => listeners.every(isReady), { timeout: 20_000 }).toBe(true);
  const [admin, user, reader] = listeners as [Listener, Listener, Listener];
  trouble.failing = 'unnest($1::bigint[]) as w (id)';
  await pool.query(`insert into flaghoist.vessel (vessel_name) values ('Broken')`);
  await expect.poll(() => listeners.every((each) => skipped(each, 'changes') > 0), { timeout: 20_000 }).toBe(true);
  expect([admin, user, reader].map((each) => skipped(each, 'notifications'))).toEqual([1, 1, 0]);
  await pool.query(`insert into flaghoist.vessel (vessel_name) values ('Whole')`);
  await expect
    .poll(() => listeners.every(({ written }) => written.join('').includes('"Whole"')), { timeout: 20_000 })
    .toBe(true);
  expect(listeners.map((each) => skipped(each, 'changes'))).toEqual([1, 1, 1]);
  for (const { feed } of listeners) hub.remove(feed);
});

test('a late round counts as skipped: activities may have been deleted meanwhile', async () => {
  const late = listen('all');
  await expect.poll(() => isReady(late), { timeout: 20_000 }).toBe(true);
  trouble.delayMs = 2_200;
  await expect.poll(() => skipped(late, 'notifications'), { timeout: 20_000 }).toBe(1);
  expect(skipped(late, 'changes')).toBe(1);
  hub.remove(late.feed);
});

test('rows beyond one read count as skipped, also for feeds that they do not concern', async () => {
  const user = listen(1);
  await expect.poll(() => isReady(user), { timeout: 20_000 }).toBe(true);
  await pool.query(`insert into flaghoist_system.activity
      (notification_keys, subscription_keys, codes, first_date, last_date)
    select '{1}', '{1}', '{1}', now(), now() from generate_series(1, 501)`);
  await expect.poll(() => skipped(user, 'notifications'), { timeout: 20_000 }).toBe(1);
  hub.remove(user.feed);
});
