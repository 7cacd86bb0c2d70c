// The checks of the write endurance can fail: each kind of loss, caused on purpose, is found.

import { Client } from 'pg';
import { describe, expect, test } from 'vitest';
import { type Change, judgeChanges, type Outcome } from '../../endurance/writes/change-ledger.ts';
import { findBrokenHistories, selectHistory } from '../../endurance/writes/history-table.ts';
import { buildModel } from '../../packages/server/src/model/build-model.ts';
import { catalogue } from '../../packages/server/src/model/catalogue/catalogue.ts';
import { useTestService } from '../../packages/server/test/support/test-service.ts';

describe('the ledger of changes', () => {
  const found = {
    marks: new Map([
      ['here', 1],
      ['twice', 2],
    ]),
    deletedKeys: new Set([7]),
  };
  const change = (outcome: Outcome, marks: string[], removedKeys: number[] = []): Change => ({
    name: 'PUT Voyage',
    marks,
    removedKeys,
    outcome,
  });

  test.each<[Outcome, string[], number[], string | undefined]>([
    ['acknowledged', ['here'], [7], undefined],
    ['acknowledged', ['gone'], [], 'lost change'],
    ['acknowledged', ['here', 'gone'], [], 'lost change'],
    ['acknowledged', ['here'], [8], 'lost change'],
    ['acknowledged', ['twice'], [], 'change made twice'],
    ['seen done', ['gone'], [], 'lost change'],
    ['refused', ['gone'], [7], undefined],
    ['refused', ['here'], [], 'refused change made'],
    ['seen undone', ['here'], [], 'refused change made'],
    ['unknown', ['here'], [7], undefined],
    ['unknown', ['gone'], [8], undefined],
    ['unknown', ['here', 'gone'], [], 'half a change'],
    ['unknown', ['here'], [8], 'half a change'],
  ])('%s, marks %j, removed %j: %s', (outcome, marks, removedKeys, kind) => {
    expect(judgeChanges([change(outcome, marks, removedKeys)], found)[0]?.kind).toBe(kind);
  });
});

describe('the history', () => {
  const service = useTestService();
  const model = buildModel(catalogue);

  test('of objects created, changed and deleted over REST has no problem', async () => {
    const { created } = await makeHistory('whole');
    expect(await problemsOf(created)).toEqual([]);
  });

  test('a mark counts once, for the event that introduced it', async () => {
    const { created } = await makeHistory('marked');
    await service.put(`/ws/rest/Vessel/${created}`, { flag: 'NO' });
    const { marks } = await onDatabase(selectHistory);
    expect([marks.get('marked-1'), marks.get('marked-2')]).toEqual([1, 1]);
  });

  test.each<[string, string, string]>([
    [
      'a change without its event',
      `delete from flaghoist_system.event where object_key = $1 and operation = 'U'`,
      'the object is not as its last event has it',
    ],
    [
      'an object without any event',
      'delete from flaghoist_system.event where object_key = $1',
      'an object without an event',
    ],
    [
      'an event in the middle that is missing',
      'delete from flaghoist_system.event where id = (select max(id) from flaghoist_system.event where ' +
        "object_key = $1 and operation = 'U') - 1",
      'does not begin where the event before it ended',
    ],
    [
      'a deletion without its change',
      `insert into flaghoist_system.event (object_type, operation, object_key, old_row)
       select object_type, 'D', object_key, new_row from flaghoist_system.event where object_key = $1
         order by id desc limit 1`,
      'deleted, but still there',
    ],
    [
      'a creation that is missing',
      `delete from flaghoist_system.event where object_key = $1 and operation = 'C'`,
      'changed although it was not there',
    ],
  ])('%s is found', async (name, damage, problem) => {
    const { created } = await makeHistory(name);
    await service.database.pool.query(damage, [created]);
    expect(await problemsOf(created)).toContainEqual(expect.stringContaining(problem));
  });

  test('an object deleted without an event is found', async () => {
    const { created } = await makeHistory('vanished');
    await onDatabase(async (client) => {
      await client.query('set session_replication_role = replica');
      await client.query('delete from flaghoist.vessel where key = $1', [created]);
    });
    expect(await problemsOf(created)).toContainEqual(expect.stringContaining('gone without an event'));
  });

  async function makeHistory(mark: string): Promise<{ created: number }> {
    const create = (number: number) =>
      service.post('/ws/rest/Vessel', { vesselName: 'A ship', externalObjectKey: `${mark}-${number}` });
    const created: number = (await create(1)).body.key;
    const deleted: number = (await create(0)).body.key;
    await service.put(`/ws/rest/Vessel/${created}`, { externalObjectKey: `${mark}-2` });
    await service.put(`/ws/rest/Vessel/${created}`, { externalObjectKey: `${mark}-3` });
    await service.delete(`/ws/rest/Vessel/${deleted}`);
    return { created };
  }

  async function problemsOf(key: number): Promise<string[]> {
    const findings = await onDatabase((client) => findBrokenHistories(client, model));
    return findings.map(({ text }) => text).filter((text) => text.startsWith(`Vessel ${key},`));
  }

  async function onDatabase<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const client = new Client({ connectionString: service.database.url });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }
});
