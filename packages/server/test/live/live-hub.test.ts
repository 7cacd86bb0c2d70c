// The hub asks the database the same for one connection and for two hundred, and nothing when nobody listens.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { Database, type Statement } from '../../src/database/database.ts';
import { LiveFeed, type Viewer } from '../../src/live/live-feed.ts';
import { LiveHub } from '../../src/live/live-hub.ts';
import { buildModel } from '../../src/model/build-model.ts';
import { catalogue } from '../../src/model/catalogue/catalogue.ts';
import type { EventResponse } from '../../src/objects/action-call.ts';
import { useTestDatabase } from '../support/test-database.ts';

const { url, pool } = useTestDatabase();
const model = buildModel(catalogue);
const statements: string[] = [];
let database: Database;
let hub: LiveHub;

beforeAll(() => {
  database = new Database({ url, observe: () => undefined, connectionsMax: 2, statementTimeoutMs: 30_000 });
  const note = (noted: readonly Statement[]) => statements.push(...noted.map(({ text }) => text));
  hub = new LiveHub({
    database: {
      run: (statement, actor) => {
        note([statement]);
        return database.run(statement, actor);
      },
      transaction: (actor, work) =>
        database.transaction(actor, ({ run, commitWith }) =>
          work({
            run: (...several) => {
              note(several);
              return run(...several);
            },
            commitWith,
          }),
        ),
    },
    observe: () => undefined,
    model,
    links: { restUrl: 'http://flaghoist.test/ws/rest' },
    backlog: { read: async () => undefined },
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
  await new Promise((resolve) => setTimeout(resolve, 800));
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
  await expect
    .poll(() => {
      const before = statements.length;
      return new Promise((resolve) => setTimeout(() => resolve(statements.length - before), 600));
    })
    .toBe(0);
  const next = listen('all');
  await expect.poll(() => hasFigures(next), { timeout: 20_000 }).toBe(true);
  await pool.query(`insert into flaghoist.vessel (vessel_name) values ('After')`);
  await expect.poll(() => hasChanges(next), { timeout: 20_000 }).toBe(true);
  const text = next.written.join('');
  expect(text).toContain('"After"');
  expect(text).not.toContain('"Before"');
  hub.remove(next.feed);
});
