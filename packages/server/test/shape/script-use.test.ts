// Subscriptions with a script: their parameter values are checked when they are saved, and are only data.

import { describe, expect, test } from 'vitest';
import type { Statement } from '../../src/database/database.ts';
import { lockScripts } from '../../src/subscriptions/use-scripts.ts';
import { openBeside } from '../auth/service-beside.ts';
import { subscribeTo } from '../deliver/hooks.ts';
import { mistakesOf, pathOf, subscriptions } from '../subscriptions/subscribe.ts';
import { expectErrorBody } from '../support/error-body.ts';
import { create } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { decisionsOf, makeScript, put } from './shaped.ts';

const service = useTestService({ FLAGHOIST_BASE_URL: 'http://flaghoist.test' });
const url = 'http://127.0.0.1:9/';

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

test('API versions below 3.9 lack these attributes', async () => {
  const script = await makeScript(service, 'return true;');
  const made = await subscribeTo(service, { url, dlpAlertScript: script.code });
  const old = { 'api-version': '3.8' };
  const { body } = await service.get(pathOf(made), old);
  for (const name of ['dlpAlertScript', 'scriptParameterValues', 'useMsg']) expect(body).not.toHaveProperty(name);
  const answer = await service.post(subscriptions, { eventType: 'Vessel.U', url, dlpAlertScript: script.code }, old);
  expect(mistakesOf(answer)).toEqual([expect.stringMatching(/^dlpAlertScript: came with API version 3\.9/)]);
});
