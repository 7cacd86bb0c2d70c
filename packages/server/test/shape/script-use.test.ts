// Subscriptions with a script: their parameter values are checked when they are saved, and are only data.

import { describe, expect, test } from 'vitest';
import type { Statement } from '../../src/database/database.ts';
import { selectDistinctUsers } from '../../src/scripts/script-table.ts';
import { lockScripts } from '../../src/subscriptions/use-scripts.ts';
import { openBeside } from '../auth/service-beside.ts';
import { subscribeTo } from '../deliver/hooks.ts';
import { mistakesOf } from '../subscriptions/subscribe.ts';
import { expectErrorBody } from '../support/error-body.ts';
import { create } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { decisionsOf, makeScript, put, scripts } from './shaped.ts';

const service = useTestService({ FLAGHOIST_BASE_URL: 'http://flaghoist.test' });
const subscriptions = '/ws/rest/WebhookSubscription';
const url = 'http://127.0.0.1:9/';
const pathOf = ({ key }: { key: number }) => `${subscriptions}/${key}`;

const parameters = [
  { name: 'n', type: 'number', required: true },
  { name: 'i', type: 'integer' },
  { name: 'b', type: 'boolean' },
  { name: 't', type: 'text', default: 'x' },
  { name: 'd', type: 'dateTime' },
];
const usesAll = 'const { n, i, b, t, d } = parameters; console.log([n, i, b, t, d]); return true;';

async function refused(wishes: object): Promise<string[]> {
  return mistakesOf(await service.post(subscriptions, { eventType: 'Vessel.U', url, ...wishes }));
}

test('a script is named by its code or by its key, and shown by its code', async () => {
  const script = await makeScript(service, 'return true;');
  for (const name of [script.code, String(script.key)]) {
    const made = await subscribeTo(service, { url, dlpAlertScript: name });
    expect((await service.get(pathOf(made))).body).toMatchObject({ dlpAlertScript: script.code, useMsg: false });
  }
});

test('only the named scripts are read', async () => {
  const [one, other, third] = [
    await makeScript(service, 'return true;'),
    await makeScript(service, 'return true;'),
    await makeScript(service, 'return true;', { code: '1000' }),
  ];
  const { pool } = service.database;
  const run = async ({ text, values }: Statement) => [(await pool.query(text, values)).rows];
  const names = [one.code, one.code, String(other.key), '1000', '1e3', ' 7', '', 'no\0code', '99999999999999999999'];
  const read = await lockScripts(names, run);
  expect(read.map(({ key }) => Number(key))).toEqual([one.key, other.key, third.key]);
});

test('a number that is written otherwise than a key names no script', async () => {
  const script = await makeScript(service, 'return true;');
  for (const name of [`${script.key}.0`, `${script.key}e0`, ` ${script.key}`, ''])
    expect(await refused({ dlpAlertScript: name })).toEqual([expect.stringMatching(/^dlpAlertScript: there is no/)]);
});

test('many subscriptions saved at once, with a script each, keep their own', async () => {
  const made: { code: string }[] = [];
  while (made.length < 12) made.push(await makeScript(service, 'return true;'));
  const answers = await Promise.all(
    made.map(({ code }) => service.post(subscriptions, { eventType: 'Vessel.U', url, dlpAlertScript: code })),
  );
  expect(answers.map(({ status }) => status)).toEqual(made.map(() => 201));
});

test('an unknown script is rejected', async () => {
  expect(await refused({ dlpAlertScript: 'nothing' })).toEqual([
    'dlpAlertScript: there is no AlertScript with code or key "nothing".',
  ]);
  expect(await refused({ dlpAlertScript: '0' })).toHaveLength(1);
});

describe('SCR-17: values that do not fit the parameters', () => {
  const place = 'scriptParameterValues';

  test.each([
    ['missing where it is required', {}, [`${place}.n: is required by the script.`]],
    ['null where it is required', { n: null }, [`${place}.n: is required by the script.`]],
    ['text for a number', { n: '1' }, [`${place}.n: must be a number.`]],
    ['a fraction for an integer', { n: 1, i: 1.5 }, [`${place}.i: must be a whole number.`]],
    ['a text for a boolean', { n: 1, b: 'true' }, [`${place}.b: must be true or false.`]],
    ['an object for a text', { n: 1, t: {} }, [expect.stringMatching(/\.t: must be a text/)]],
    ['a day for a time', { n: 1, d: '2026-11-15' }, [expect.stringMatching(/\.d: must be a time like/)]],
    ['an unknown name', { n: 1, x: 1 }, [expect.stringMatching(/no parameter "x": there are n, i, b, t, d\.$/)]],
    ['no object', [1], [`${place}: must be an object of names and values.`]],
    ['a text', 'n=1', [`${place}: must be an object of names and values.`]],
  ])('%s', async (_, scriptParameterValues, mistakes) => {
    const script = await makeScript(service, usesAll, { parameters });
    expect(await refused({ dlpAlertScript: script.code, scriptParameterValues })).toEqual(mistakes);
  });

  test('__proto__ is rejected', async () => {
    const script = await makeScript(service, usesAll, { parameters });
    const values = '{"n":1,"__proto__":{"i":7}}';
    const wishes = `"eventType":"Vessel.U","url":"${url}","dlpAlertScript":"${script.code}"`;
    const body = `{${wishes},"scriptParameterValues":${values}}`;
    expect(expectErrorBody(await service.post(subscriptions, body), 400).message).toContain('__proto__');
  });

  test('1 MB is too much', async () => {
    const script = await makeScript(service, usesAll, { parameters });
    const values = { n: 1, t: 'x'.repeat(900_000) };
    expect(await refused({ dlpAlertScript: script.code, scriptParameterValues: values })).toHaveLength(1);
    const answer = await service.post(subscriptions, {
      eventType: 'Vessel.U',
      url,
      dlpAlertScript: script.code,
      scriptParameterValues: { n: 1, t: 'x'.repeat(1_100_000) },
    });
    expectErrorBody(answer, 413);
  });

  test('code in a value is a text', async () => {
    const script = await makeScript(service, 'console.log(parameters.t); return true;', {
      parameters: [{ name: 't', type: 'text' }],
    });
    const t = '"); throw new Error(`$`); //\u2028\n';
    const vessel = await create(service, 'Vessel', { vesselName: 'Coded' });
    const wishes = { eventType: `Vessel.U.${vessel.key}`, url, dlpAlertScript: script.code };
    expectErrorBody(await service.post(subscriptions, { ...wishes, scriptParameterValues: { t: `${t}\u0000` } }), 400);
    const made = await subscribeTo(service, { ...wishes, scriptParameterValues: { t } });
    expect((await service.get(pathOf(made))).body.scriptParameterValues).toEqual({ t });
    await put(service, 'Vessel', vessel.key, { flag: 'A' });
    const [decision] = await decisionsOf(service, made);
    expect(decision).toMatchObject({ reason: 'NOTIFIED' });
    expect(decision.log).toHaveLength(1);
    expect(decision.log[0]).toContain('throw new Error(`$`)');
  });
});

describe('without a script', () => {
  test('useMsg and values are rejected', async () => {
    expect(await refused({ useMsg: true })).toEqual([
      'useMsg: is true, and there is no script to make a message: set dlpAlertScript.',
    ]);
    expect(await refused({ scriptParameterValues: { n: 1 } })).toEqual([
      'scriptParameterValues: has values, and there is no script to take any: set dlpAlertScript.',
    ]);
    expect(await refused({ scriptParameterValues: [1] })).toHaveLength(1);
  });

  test('a script cannot be removed while useMsg is true or values are set', async () => {
    const script = await makeScript(service, usesAll, { parameters });
    const uses = { url, dlpAlertScript: script.code, scriptParameterValues: { n: 1 }, useMsg: true };
    const made = await subscribeTo(service, uses);
    expect(mistakesOf(await service.put(pathOf(made), { dlpAlertScript: null }))).toEqual([
      expect.stringMatching(/^scriptParameterValues: has values/),
      expect.stringMatching(/^useMsg: is true/),
    ]);
    const nothing = { dlpAlertScript: null, scriptParameterValues: null, useMsg: false };
    expect((await service.put(pathOf(made), nothing)).status).toBe(200);
    expect((await service.get(pathOf(made))).body).toMatchObject(nothing);
  });
});

describe('changed alone', () => {
  test('the script, its values and useMsg each are checked with the others', async () => {
    const [one, other] = [
      await makeScript(service, usesAll, { parameters }),
      await makeScript(service, 'return parameters.n > 0;', { parameters: parameters.slice(0, 1) }),
    ];
    const made = await subscribeTo(service, { url, dlpAlertScript: one.code, scriptParameterValues: { n: 1, i: 2 } });
    const change = (body: object) => service.put(pathOf(made), body);
    expect(mistakesOf(await change({ dlpAlertScript: other.code }))).toEqual([
      expect.stringMatching(/no parameter "i"/),
    ]);
    expect(mistakesOf(await change({ scriptParameterValues: { n: false } }))).toHaveLength(1);
    expect((await change({ scriptParameterValues: { n: 3 } })).status).toBe(200);
    expect((await change({ dlpAlertScript: other.code })).status).toBe(200);
    expect((await change({ useMsg: true })).status).toBe(200);
    expect((await service.get(pathOf(made))).body).toMatchObject({
      dlpAlertScript: other.code,
      scriptParameterValues: { n: 3 },
      useMsg: true,
    });
  });

  test('values are checked against the script, whether or not it is named again', async () => {
    const script = await makeScript(service, usesAll, { parameters });
    const made = await subscribeTo(service, { url, dlpAlertScript: script.code, scriptParameterValues: { n: 1 } });
    for (const said of [{}, { dlpAlertScript: script.code }, { dlpAlertScript: String(script.key) }])
      expect(mistakesOf(await service.put(pathOf(made), { ...said, scriptParameterValues: { n: 'x' } }))).toEqual([
        'scriptParameterValues.n: must be a number.',
      ]);
  });

  test('values are removed, also by a process that has loaded no script yet', async () => {
    const script = await makeScript(service, 'return parameters.n == null;', {
      parameters: [{ name: 'n', type: 'number' }],
    });
    const made = await subscribeTo(service, { url, dlpAlertScript: script.code, scriptParameterValues: { n: 1 } });
    const beside = await openBeside(service.database, {
      FLAGHOIST_BASE_URL: 'http://flaghoist.test',
      FLAGHOIST_ROLES: 'api',
    });
    const response = await fetch(`${beside.localUrl}${pathOf(made)}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${service.token()}`, 'content-type': 'application/json' },
      body: '{"scriptParameterValues":null}',
    });
    const text = await response.text();
    await beside.stop();
    expect(response.status, text).toBe(200);
  });

  test('useMsg leaves the script unchanged, even if its code has changed', async () => {
    const script = await makeScript(service, 'return true;', { code: 'renamed-before' });
    const made = await subscribeTo(service, { url, dlpAlertScript: 'renamed-before' });
    await put(service, 'AlertScript', script.key, { code: 'renamed-after' });
    const changed = await service.put(pathOf(made), { useMsg: true });
    expect(changed.status, changed.text).toBe(200);
    await makeScript(service, 'return false;', { code: 'renamed-before' });
    expect((await service.put(pathOf(made), { useMsg: false })).status).toBe(200);
    const { rows } = await service.database.pool.query(
      'select alert_script_key::int as key from flaghoist_service.webhook_subscription where key = $1',
      [made.key],
    );
    expect(rows[0].key).toBe(script.key);
  });
});

test('fields of the script that the type lacks are rejected', async () => {
  const script = await makeScript(service, 'return true;', { fields: { portCalls: { port: { portName: '*' } } } });
  expect(await refused({ dlpAlertScript: script.code })).toEqual([
    expect.stringMatching(/^dlpAlertScript: the fields of AlertScript "script-\d+" do not fit Vessel: .*portCalls/),
  ]);
  await subscribeTo(service, { eventType: 'Voyage.U', url, dlpAlertScript: script.code });
});

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

test('API versions below 3.9 lack these attributes', async () => {
  const script = await makeScript(service, 'return true;');
  const made = await subscribeTo(service, { url, dlpAlertScript: script.code });
  const old = { 'api-version': '3.8' };
  const { body } = await service.get(pathOf(made), old);
  for (const name of ['dlpAlertScript', 'scriptParameterValues', 'useMsg']) expect(body).not.toHaveProperty(name);
  const answer = await service.post(subscriptions, { eventType: 'Vessel.U', url, dlpAlertScript: script.code }, old);
  expect(mistakesOf(answer)).toEqual([expect.stringMatching(/^dlpAlertScript: came with API version 3\.9/)]);
});
