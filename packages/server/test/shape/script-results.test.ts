// Each result of a script is recorded with its log, and affects no other subscription.

import { describe, expect, test } from 'vitest';
import { notificationsOf, readSubscription, startHooks, subscribeTo } from '../deliver/hooks.ts';
import { create, type Shown } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { decisionsOf, makeScript, prepared, put } from './shaped.ts';

const service = useTestService();
const url = 'http://127.0.0.1:9/';
const timeout = 60_000;
let flags = 0;

/** One change of a separate vessel, and its decision. */
async function resultOf(body: string): Promise<Shown> {
  const vessel = await create(service, 'Vessel', { vesselName: 'Judged' });
  const { code } = await makeScript(service, body);
  const made = await subscribeTo(service, { eventType: `Vessel.U.${vessel.key}`, url, dlpAlertScript: code });
  await change(vessel);
  return (await decisionsOf(service, made))[0];
}

async function change({ key }: Shown): Promise<void> {
  flags += 1;
  await put(service, 'Vessel', key, { flag: `F${flags}` });
}

describe('each result is recorded, with the log', () => {
  test.each([
    ['true', 'console.log("a", 1, { b: [2] }); return true;', 'NOTIFIED', /created/, ['a 1 {"b":[2]}']],
    ['false', 'console.log("no"); return false;', 'SCRIPT_FALSE', /returned false/, ['no']],
    ['a message', 'message.body = "x";', 'NOTIFIED', /created/, []],
    ['a message, and false', 'message.body = "x"; return false;', 'SCRIPT_FALSE', /returned false/, []],
    [
      'an error',
      'console.log("here");\nconst a = 1;\n  throw new Error("of mine");',
      'SCRIPT_ERROR',
      /^The script failed\. Error in line 3, column \d+: of mine$/,
      ['here'],
    ],
    ['a null', 'return svcObject.nothing.name;', 'SCRIPT_ERROR', /line 1, column \d+: .*undefined/, []],
    ['something that is no error', 'throw { a: 1 };', 'SCRIPT_ERROR', /threw an object/, []],
    ['undefined', 'throw undefined;', 'SCRIPT_ERROR', /threw undefined/, []],
    ['nothing', 'svcObject.key;', 'SCRIPT_ERROR', /must return true or false.*returned nothing/, []],
    ['a number', 'return 1;', 'SCRIPT_ERROR', /must return true or false.*the number 1/, []],
    ['a text', 'return "true";', 'SCRIPT_ERROR', /must return true or false.*the text "true"/, []],
    ['a promise', 'return (async () => true)();', 'SCRIPT_ERROR', /must return true or false.*Promise/, []],
    ['a subject that is no text', 'message.subject = 1;', 'SCRIPT_ERROR', /message\.subject must be a text/, []],
    ['a NUL', 'message.body = "a\\u0000b";', 'SCRIPT_ERROR', /U\+0000/, []],
    ['a body that is no JSON', 'message.body = () => 1;', 'SCRIPT_ERROR', /message\.body must be/, []],
    [
      'too long',
      'console.log("begun"); while (true) {}',
      'SCRIPT_ERROR',
      /took longer than allowed/,
      expect.anything(),
    ],
    ['memory', 'const a = []; for (;;) a.push(new Uint8Array(1e7));', 'SCRIPT_ERROR', /memory/, []],
    [
      'lines',
      'console.log("a\\nb\\u0000c"); return false;',
      'SCRIPT_FALSE',
      /false/,
      [expect.stringMatching(/^a⏎b.*c$/)],
    ],
  ])('%s', { timeout }, async (_, body, reason, message, log) => {
    const decision = await resultOf(body);
    expect(decision).toMatchObject({ reason, isNotified: reason === 'NOTIFIED', log });
    expect(decision.message).toMatch(message);
  });

  test('without a script, there is no log', async () => {
    const vessel = await create(service, 'Vessel', { vesselName: 'Plain' });
    const made = await subscribeTo(service, { eventType: `Vessel.U.${vessel.key}`, url });
    await change(vessel);
    expect(await decisionsOf(service, made)).toMatchObject([{ reason: 'NOTIFIED', log: null }]);
  });
});

test('a script does not affect other subscriptions to the same change', { timeout }, async () => {
  const hooks = await startHooks();
  const vessel = await create(service, 'Vessel', { vesselName: 'Shared' });
  const bodies = [
    undefined,
    'return true;',
    'return false;',
    'throw new Error("x");',
    'return 7;',
    'for (;;);',
    'return true;',
  ];
  for (const [n, body] of bodies.entries()) {
    const script = body === undefined ? {} : { dlpAlertScript: (await makeScript(service, body)).code };
    await subscribeTo(service, { eventType: `Vessel.U.${vessel.key}`, url: `${hooks.url}/${n}`, ...script });
  }
  await change(vessel);
  await prepared(service);
  await expect
    .poll(() => hooks.received.map(({ path }) => path).sort(), { timeout: 10_000 })
    .toEqual(['/0', '/1', '/6']);
});

describe('a script that fails again and again', () => {
  test('shows on the subscription from the third failure on, until it succeeds', { timeout }, async () => {
    const vessel = await create(service, 'Vessel', { vesselName: 'Ailing' });
    const script = await makeScript(service, 'throw new Error("out of order");');
    const made = await subscribeTo(service, { eventType: `Vessel.U.${vessel.key}`, url, dlpAlertScript: script.code });
    expect(await readSubscription(service, made)).toMatchObject({ shapingFailures: 0, shapingError: null });
    for (const [failures, shapingError] of [
      [1, null],
      [2, null],
      [3, 'Error in line 1, column 11: out of order'],
      [4, 'Error in line 1, column 11: out of order'],
    ]) {
      await change(vessel);
      await prepared(service);
      expect(await readSubscription(service, made)).toMatchObject({ shapingFailures: failures, shapingError });
    }
    expect(await readSubscription(service, made)).toMatchObject({ state: 'ACTIVE', consecutiveFailures: 0 });
    expect(await notificationsOf(service, made)).toEqual([]);
    await put(service, 'AlertScript', script.key, { body: 'return false;' });
    await change(vessel);
    await prepared(service);
    expect(await readSubscription(service, made)).toMatchObject({ shapingFailures: 0, shapingError: null });
  });

  test('can be found by a filter', { timeout }, async () => {
    const vessel = await create(service, 'Vessel', { vesselName: 'Found' });
    const script = await makeScript(service, 'throw new Error("found");');
    const made = await subscribeTo(service, { eventType: `Vessel.U.${vessel.key}`, url, dlpAlertScript: script.code });
    for (let n = 0; n < 3; n += 1) await change(vessel);
    await prepared(service);
    const found = await service.get('/ws/rest/WebhookSubscription?filter=shapingFailures(GTE)3');
    expect(found.status, found.text).toBe(200);
    expect(found.body.map(({ key }: Shown) => key)).toEqual([made.key]);
  });
});
