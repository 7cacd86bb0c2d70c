// A backup is one moment of an installation that goes on: everything that was confirmed before it began is in it, and
// each transaction is in it as a whole or not at all.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { create } from '../support/fleet.ts';
import { useTestDatabase } from '../support/test-database.ts';
import { useTestService } from '../support/test-service.ts';
import { settingsOf, succeed, useFolder } from './installations.ts';

const service = useTestService();
const [target, other] = [useTestDatabase({ isMigrated: false }), useTestDatabase({ isMigrated: false })];
const folder = useFolder();

interface Load {
  /** Key → the last name that was confirmed, and those that were sent. */
  confirmed: Map<number, string>;
  /** How many changes were confirmed so far. */
  count(): number;
  stop(): Promise<void>;
}

/** Creates vessels and renames them, several at a time. */
function startLoad(atOnce: number): Load {
  const confirmed = new Map<number, string>();
  let [count, isStopping] = [0, false];
  const run = async (lane: number) => {
    for (let no = 0; !isStopping; no += 1) {
      const { key } = await create(service, 'Vessel', { vesselName: `${lane}-${no}-0` });
      confirmed.set(key, `${lane}-${no}-0`);
      count += 1;
      for (let version = 1; version <= 3 && !isStopping; version += 1) {
        const vesselName = `${lane}-${no}-${version}`;
        expect((await service.put(`/ws/rest/Vessel/${key}`, { vesselName })).status).toBe(200);
        confirmed.set(key, vesselName);
        count += 1;
      }
    }
  };
  const lanes = Array.from({ length: atOnce }, (_, lane) => run(lane));
  const stop = async () => {
    isStopping = true;
    await Promise.all(lanes);
  };
  return { confirmed, count: () => count, stop };
}

test('changes go on during two backups at once, and both have all that was confirmed before', async () => {
  const load = startLoad(8);
  await expect.poll(load.count, { timeout: 30_000 }).toBeGreaterThan(400);
  const [confirmed, before] = [new Map(load.confirmed), load.count()];
  const files = ['one.gz', 'two.gz'].map((name) => join(folder, name));
  await Promise.all(files.map((file) => succeed(['backup', file], settingsOf(service.database.url))));
  const during = load.count() - before;
  await load.stop();
  // Changes were not blocked.
  expect(during).toBeGreaterThan(20);

  for (const [index, { url, pool }] of [target, other].entries()) {
    await succeed(['restore', files[index]!], settingsOf(url));
    const { rows } = await pool.query('select key::int, vessel_name as name from flaghoist.vessel');
    const restored = new Map(rows.map(({ key, name }) => [key, name]));
    const version = (name: string) => Number(name.split('-')[2]);
    for (const [key, name] of confirmed) {
      const found = restored.get(key) ?? 'none-0--1';
      expect(version(found), `${key} ${name} ${found}`).toBeGreaterThanOrEqual(version(name));
    }
    // Each object is as its last event left it, and no event is without its object.
    const { rows: wrong } = await pool.query(
      `select v.key from flaghoist.vessel v full join (
         select distinct on (object_key) object_key, new_row ->> 'vessel_name' as name from flaghoist_system.event
         where object_type = 'Vessel' order by object_key, id desc) e on e.object_key = v.key
       where v.vessel_name is distinct from e.name`,
    );
    expect(wrong).toEqual([]);
    expect(rows.length).toBeGreaterThan(confirmed.size - 1);
  }
}, 120_000);
