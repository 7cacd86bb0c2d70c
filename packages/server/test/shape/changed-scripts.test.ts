// A script that is changed or deleted while subscriptions use it keeps fitting all of them.

import { describe, expect, test } from 'vitest';
import { selectDistinctUsers } from '../../src/scripts/script-table.ts';
import { subscribeTo } from '../deliver/hooks.ts';
import { mistakesOf, pathOf, subscriptions } from '../subscriptions/subscribe.ts';
import { expectErrorBody } from '../support/error-body.ts';
import { create } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { decisionsOf, makeScript, put, scripts } from './shaped.ts';

const service = useTestService({ FLAGHOIST_BASE_URL: 'http://flaghoist.test' });
const url = 'http://127.0.0.1:9/';

describe('a script that is changed while it is used', () => {
  const change = ({ key }: { key: number }, body: object) => service.put(`${scripts}/${key}`, body);
  const declared = (...more: object[]) => ({ parameters: [{ name: 'n', type: 'integer' }, ...more] });
  /** Uses all declared parameters. */
  const open = 'return parameters["n" + ""] !== 0;';
  const told = (key: number) => new RegExp(`WebhookSubscription ${key}\\b.*Change that subscription first`);

  test.each([
    ['another type', { parameters: [{ name: 'n', type: 'text' }] }, /\.n: must be a text/],
    ['a name that is gone', { parameters: [{ name: 'm', type: 'text' }] }, /no parameter "n"/],
    ['none at all', { parameters: null }, /no parameter "n"/],
    ['a new one that is required', declared({ name: 'r', type: 'text', required: true }), /\.r: is required/],
  ])('keeps its parameters: %s', async (_, body, mistake) => {
    const script = await makeScript(service, open, declared());
    const made = await subscribeTo(service, { url, dlpAlertScript: script.code, scriptParameterValues: { n: 1 } });
    const [first, ...rest] = mistakesOf(await change(script, body));
    expect(rest).toEqual([]);
    expect(first).toMatch(/^parameters: do not fit/);
    expect(first).toMatch(mistake);
    expect(first).toMatch(told(made.key));
    await service.put(pathOf(made), { unsubscribed: true });
    expect((await change(script, body)).status).toBe(200);
  });

  test('accepts parameters that fit all its subscriptions', async () => {
    const script = await makeScript(service, open, declared());
    await subscribeTo(service, { url, dlpAlertScript: script.code, scriptParameterValues: { n: 1 } });
    const fitting = declared({ name: 'r', type: 'text', required: true, default: 'x' }, { name: 'o', type: 'boolean' });
    expect((await change(script, fitting)).status).toBe(200);
    expect((await change(script, { parameters: [{ name: 'n', type: 'number' }] })).status).toBe(200);
  });

  test('finds the one of thousands that does not fit, by checking each distinct use once', async () => {
    const { pool } = service.database;
    const script = await makeScript(service, open, { parameters: [{ name: 'n', type: 'number' }] });
    const made = await subscribeTo(service, { url, dlpAlertScript: script.code, scriptParameterValues: { n: 1 } });
    const columns = `"user", event_types, object_type, operation, event_type, state, url, channel_info,
      only_main_object, not_send_my_changes, raw_object, include_changes, ordering, unsubscribed, created_snapshot,
      dlp_alert_script, alert_script_key, use_msg`;
    const { rows } = await pool.query(
      `insert into flaghoist_service.webhook_subscription (${columns}, script_parameter_values)
       select ${columns}, case when n = 7777 then '{"n":1.5}' else '{"n":2}' end::jsonb
       from flaghoist_service.webhook_subscription, generate_series(1, 10000) n where key = $1
       returning key::int, script_parameter_values`,
      [made.key],
    );
    const odd = rows.find(({ script_parameter_values: { n } }) => n === 1.5);
    const narrow = { parameters: [{ name: 'n', type: 'integer' }] };
    expect(mistakesOf(await change(script, narrow))).toEqual([expect.stringMatching(told(odd.key))]);
    const { rowCount } = await pool.query(selectDistinctUsers(script.key).text, [script.key]);
    expect(rowCount).toBe(3);
    await pool.query('delete from flaghoist_service.webhook_subscription where alert_script_key = $1', [script.key]);
    expect((await change(script, narrow)).status).toBe(200);
  });

  test('keeps fields that fit the types of its subscriptions', async () => {
    const script = await makeScript(service, 'return true;');
    const made = await subscribeTo(service, { eventType: 'Vessel.U', url, dlpAlertScript: script.code });
    const fields = { portCalls: '*' };
    expect(mistakesOf(await change(script, { fields }))).toEqual([
      expect.stringMatching(new RegExp(`^fields: do not fit Vessel, which WebhookSubscription ${made.key} uses`)),
    ]);
    expect((await change(script, { fields: { flag: '*' } })).status).toBe(200);
    await service.put(pathOf(made), { unsubscribed: true });
    expect((await change(script, { fields })).status).toBe(200);
  });
});

describe('a mismatch that arises later is a failure of the script', () => {
  async function failing(more: object, wishes: object, spoil: string) {
    const script = await makeScript(service, 'return parameters["n" + ""] !== 0;', more);
    const vessel = await create(service, 'Vessel', { vesselName: 'Fits' });
    const uses = { eventType: `Vessel.U.${vessel.key}`, url, dlpAlertScript: script.code, ...wishes };
    const made = await subscribeTo(service, uses);
    await service.database.pool.query(`update flaghoist_service.alert_script set ${spoil} where key = $1`, [
      script.key,
    ]);
    for (const flag of ['A', 'B', 'C']) await put(service, 'Vessel', vessel.key, { flag });
    const [decision] = await decisionsOf(service, made);
    const { body } = await service.get(pathOf(made));
    expect(body.shapingFailures).toBe(3);
    expect(decision.message).toBe(`The script failed. ${body.shapingError}`);
    return decision;
  }

  test('of its fields', async () => {
    expect(await failing({}, {}, `fields = '{"portCalls":"*"}'`)).toMatchObject({
      isNotified: false,
      reason: 'SCRIPT_ERROR',
      message: expect.stringContaining('The fields of the script do not fit Vessel'),
    });
  });

  test('of its parameters', async () => {
    const more = { parameters: [{ name: 'n', type: 'integer' }] };
    const spoil = `parameters = '[{"name":"n","type":"text"}]'`;
    expect(await failing(more, { scriptParameterValues: { n: 1 } }, spoil)).toMatchObject({
      isNotified: false,
      reason: 'SCRIPT_ERROR',
      message: expect.stringMatching(
        /^The script failed\. The parameter values do not fit the script\. .*\.n: must be a text/,
      ),
    });
  });
});

describe('a script that is deleted while a subscription is saved', () => {
  const { pool } = service.database;
  const count = async (select: string, values: unknown[] = []) => (await pool.query(select, values)).rowCount;
  /** Waiting for a row lock is waiting for a transaction. Matching waits for other locks. */
  const isWaited = () => {
    const waiting = "select from pg_stat_activity where datname = current_database() and wait_event = 'transactionid'";
    return expect.poll(() => count(waiting), { timeout: 4_000 }).toBe(1);
  };
  const isHeld = (key: number) => {
    const free = 'select from flaghoist_service.alert_script where key = $1 for update skip locked';
    return expect.poll(() => count(free, [key]), { timeout: 4_000 }).toBe(0);
  };

  test('deleted first: the subscription is rejected', async () => {
    const script = await makeScript(service, 'return true;');
    const deleting = await pool.connect();
    await deleting.query('begin');
    await deleting.query('delete from flaghoist_service.alert_script where key = $1', [script.key]);
    const saving = service.post(subscriptions, { eventType: 'Vessel.U', url, dlpAlertScript: script.code });
    await isWaited();
    await deleting.query('commit');
    deleting.release();
    expect(mistakesOf(await saving)).toEqual([expect.stringMatching(/^dlpAlertScript: there is no/)]);
  });

  test('saved first: the script stays, whether the subscription is new or changed', async () => {
    for (const isNew of [true, false]) {
      const script = await makeScript(service, 'return true;');
      const made = isNew ? undefined : await subscribeTo(service, { url });
      const holding = await pool.connect();
      await holding.query('begin');
      // A save waits for this at COMMIT.
      await holding.query('select flaghoist_system.lock_subscriptions()');
      const saving = made
        ? service.put(pathOf(made), { dlpAlertScript: script.code })
        : service.post(subscriptions, { eventType: 'Vessel.U', url, dlpAlertScript: script.code });
      await isHeld(script.key);
      const deleting = service.delete(`${scripts}/${script.key}`);
      await isWaited();
      await holding.query('commit');
      holding.release();
      expect((await saving).status).toBe(made ? 200 : 201);
      expectErrorBody(await deleting, 409);
    }
  });
});
