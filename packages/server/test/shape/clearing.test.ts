// Leftovers of scripts are deleted, at a cost that does not depend on how many there are. Irrelevant changes of scripts
// affect no subscription.

import { expect, onTestFinished, test } from 'vitest';
import { deleteLeftTexts } from '../../src/shape/unshaped-table.ts';
import { subscribeTo } from '../deliver/hooks.ts';
import { create } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { makeScript, prepared, put, scripts } from './shaped.ts';

const service = useTestService();
const { pool } = service.database;
const url = 'http://127.0.0.1:9/';

interface Plan {
  'Node Type': string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

function rowsVisited(plan: Plan): number {
  const own = (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'];
  return (
    (plan['Node Type'].includes('Scan') ? own : 0) + (plan.Plans ?? []).reduce((sum, of) => sum + rowsVisited(of), 0)
  );
}

test('leftover texts are deleted, and needed ones are not scanned', async () => {
  const before = await pool.connect();
  onTestFinished(async () => {
    await before.query('rollback');
    before.release();
  });
  await before.query('begin');
  await before.query(`insert into flaghoist_system.unshaped_object (event_id, no, text)
    select n, 1, 'x' from generate_series(1000001, 1020000) n union all select n, 1, 'left'
      from generate_series(900001, 900005) n`);
  await before.query(`insert into flaghoist_system.unshaped_match (notification_key, lane, event_id,
  subscription_key, user_key, object_type,
    object_key, event_type, subscribed_object_key, occurred_at, bytes)
    select n, 1, n, 1, 1, 'Vessel', 1, 'U', 1, '2026-11-15T00:00:00.000000Z', 1
      from generate_series(1000001, 1020000) n`);
  await before.query('analyze flaghoist_system.unshaped_object, flaghoist_system.unshaped_match');
  const { rows } = await before.query(`explain (analyze, format json) ${deleteLeftTexts().text}`);
  expect(rowsVisited(rows[0]['QUERY PLAN'][0].Plan)).toBeLessThan(50);
  const left = await before.query('select min(event_id)::int, count(*)::int from flaghoist_system.unshaped_object');
  expect(left.rows).toEqual([{ min: 1_000_001, count: 20_000 }]);
});

test('if no match waits, all leftover texts are deleted', async () => {
  await prepared(service);
  await pool.query(`insert into flaghoist_system.unshaped_object select n, 1, 'left' from generate_series(1, 1500) n`);
  expect((await pool.query(deleteLeftTexts().text)).rowCount).toBe(1_000);
  expect((await pool.query(deleteLeftTexts().text)).rowCount).toBe(500);
  expect((await pool.query(deleteLeftTexts().text)).rowCount).toBe(0);
});

test('the health of a script is deleted with its subscription', async () => {
  const vessel = await create(service, 'Vessel', { vesselName: 'Ends' });
  const { code } = await makeScript(service, 'throw new Error("x");');
  const made = await subscribeTo(service, { eventType: `Vessel.U.${vessel.key}`, url, dlpAlertScript: code });
  const health = async () =>
    (await pool.query('select failures from flaghoist_system.shaping_health where subscription_key = $1', [made.key]))
      .rows;
  await put(service, 'Vessel', vessel.key, { flag: 'A' });
  await prepared(service);
  expect(await health()).toEqual([{ failures: 1 }]);
  await put(service, 'WebhookSubscription', made.key, { unsubscribed: true });
  expect(await health()).toEqual([]);
});

test('a failure after the unsubscribe leaves no health behind', async () => {
  const vessel = await create(service, 'Vessel', { vesselName: 'Late' });
  const { code } = await makeScript(service, 'while (svcObject.flag === "SLOW"); throw new Error("x");');
  const made = await subscribeTo(service, { eventType: `Vessel.U.${vessel.key}`, url, dlpAlertScript: code });
  await put(service, 'Vessel', vessel.key, { flag: 'SLOW' });
  await put(service, 'WebhookSubscription', made.key, { unsubscribed: true });
  await prepared(service);
  const { rows } = await pool.query('select from flaghoist_system.shaping_health where subscription_key = $1', [
    made.key,
  ]);
  expect(rows).toEqual([]);
});

test('only a change of the used parts of a script counts as a change of its subscriptions', async () => {
  const revision = async () =>
    Number(
      (await pool.query("select value from flaghoist_system.revision where name = 'subscriptions'")).rows[0].value,
    );
  const script = await makeScript(service, 'return true;');
  const unused = await makeScript(service, 'return true;');
  await subscribeTo(service, { eventType: 'Vessel.D', url, dlpAlertScript: script.code });
  const before = await revision();
  await put(service, 'AlertScript', script.key, { name: 'Another name', description: 'Told anew' });
  await put(service, 'AlertScript', unused.key, { body: 'return false;' });
  expect((await service.delete(`${scripts}/${unused.key}`)).status).toBe(204);
  expect(await revision()).toBe(before);
  await put(service, 'AlertScript', script.key, { body: 'return false;' });
  expect(await revision()).toBe(before + 1);
  await put(service, 'AlertScript', script.key, { fields: { flag: '*' } });
  expect(await revision()).toBe(before + 2);
});

test('the subscriptions of a script are found by an index', async () => {
  const indexes = await pool.query("select indexdef from pg_indexes where tablename = 'webhook_subscription'");
  expect(indexes.rows.filter(({ indexdef }) => indexdef.includes('(alert_script_key)'))).toHaveLength(1);
});
