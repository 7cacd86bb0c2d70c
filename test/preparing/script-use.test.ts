// Subscriptions that use a script: what they may say about it is checked when they are saved, and stays data.

import { describe, expect, test } from 'vitest';
import { openBeside } from '../auth/service-beside.ts';
import { subscribeTo } from '../delivery/hooks.ts';
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

test('a script is named by its code or by its key, and shown as it was named', async () => {
  const script = await makeScript(service, 'return true;');
  for (const name of [script.code, String(script.key)]) {
    const made = await subscribeTo(service, { url, dlpAlertScript: name });
    expect((await service.get(pathOf(made))).body).toMatchObject({ dlpAlertScript: name, useMsg: false });
  }
});

test('an unknown script is refused', async () => {
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

  test('__proto__ is refused', async () => {
    const script = await makeScript(service, usesAll, { parameters });
    const body = `{"eventType":"Vessel.U","url":"${url}","dlpAlertScript":"${script.code}","scriptParameterValues":{"n":1,"__proto__":{"i":7}}}`;
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
  test('useMsg and values are refused', async () => {
    expect(await refused({ useMsg: true })).toEqual([
      'useMsg: is true, and there is no script to make a message: set dlpAlertScript.',
    ]);
    expect(await refused({ scriptParameterValues: { n: 1 } })).toEqual([
      'scriptParameterValues: has values, and there is no script to take any: set dlpAlertScript.',
    ]);
    expect(await refused({ scriptParameterValues: [1] })).toHaveLength(1);
  });

  test('a script cannot be taken away while useMsg needs it, or values are left', async () => {
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

  test('values are taken back, also at a process that has heard of no script yet', async () => {
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

  test('useMsg leaves the script as it is, whatever its code is by now', async () => {
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

test('fields of the script that the type does not have are refused', async () => {
  const script = await makeScript(service, 'return true;', { fields: { portCalls: { port: { portName: '*' } } } });
  expect(await refused({ dlpAlertScript: script.code })).toEqual([
    expect.stringMatching(/^dlpAlertScript: the fields of AlertScript "script-\d+" do not fit Vessel: .*portCalls/),
  ]);
  await subscribeTo(service, { eventType: 'Voyage.U', url, dlpAlertScript: script.code });
});

test('fields that no longer fit are refused where the script is changed, or told at every change', async () => {
  const script = await makeScript(service, 'return true;');
  const vessel = await create(service, 'Vessel', { vesselName: 'Fits' });
  const made = await subscribeTo(service, { eventType: `Vessel.U.${vessel.key}`, url, dlpAlertScript: script.code });
  const changed = await service.put(`${scripts}/${script.key}`, { fields: { portCalls: '*' } });
  if (changed.status === 200) {
    await put(service, 'Vessel', vessel.key, { flag: 'B' });
    expect(await decisionsOf(service, made)).toMatchObject([
      { isNotified: false, message: expect.stringContaining('The fields of the script do not fit Vessel') },
    ]);
  } else mistakesOf(changed);
});

test('versions below 3.9 do not know them', async () => {
  const script = await makeScript(service, 'return true;');
  const made = await subscribeTo(service, { url, dlpAlertScript: script.code });
  const old = { 'api-version': '3.8' };
  const { body } = await service.get(pathOf(made), old);
  for (const name of ['dlpAlertScript', 'scriptParameterValues', 'useMsg']) expect(body).not.toHaveProperty(name);
  const answer = await service.post(subscriptions, { eventType: 'Vessel.U', url, dlpAlertScript: script.code }, old);
  expect(mistakesOf(answer)).toEqual([expect.stringMatching(/^dlpAlertScript: came with API version 3\.9/)]);
});
