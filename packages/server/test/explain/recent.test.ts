// A subscription against recent changes: real events that its event types cover, as each transaction left the objects.

import { beforeAll, describe, expect, test } from 'vitest';
import { subscribe } from '../match/heard.ts';
import { makeScript, prepared, stylesheet } from '../shape/shaped.ts';
import { createClient, type TestClient } from '../support/access.ts';
import { expectErrorBody } from '../support/error-body.ts';
import { bunkerOrderBody, create, createFleet, createVoyage, type Fleet, type Shown } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';

const service = useTestService();
const channelInfo = { channelType: 'STREAM' };
let fleet: Fleet;
let owner: TestClient;
beforeAll(async () => {
  fleet = await createFleet(service);
  owner = await createClient(service, ['write', 'webhook'], { edition: 'ENTERPRISE' });
});

const ask = (subscription: unknown, more: object = {}, headers?: TestClient['headers']) =>
  service.post('/ws/rest/WebhookSubscription/testRecent', { subscription, ...more }, headers);

interface Change {
  id: number;
  event: string;
  objectKey: number;
  name: string | null;
  subscribedObjectType: string;
  subscribedObjectKey: number;
  isMatch: boolean;
  reason: string;
  message: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into evaluations of every shape.
  evaluation: any;
  body: { contentType: string; text: string; bytes: number; subject: string | null } | null;
  log: string[] | null;
}

interface Tested {
  changes: Change[];
  matched: number;
  examined: number;
}

async function tested(subscription: object, more: object = {}, headers?: TestClient['headers']): Promise<Tested> {
  const answer = await ask({ channelInfo, ...subscription }, more, headers);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

async function put(path: string, body: object, headers?: TestClient['headers']): Promise<void> {
  const answer = await service.put(`/ws/rest/${path}`, body, headers);
  expect(answer.status, answer.text).toBe(200);
}

const resourceIn = ({ body }: Change) => JSON.parse(body!.text).resource;

describe('the newest changes', () => {
  test('show which match, why the others do not, and what would be sent for the newest three', async () => {
    const voyage = await createVoyage(service, fleet, { freight: 100 });
    for (const freight of [200, 150, 300, 400, 350, 500]) await put(`Voyage/${voyage.key}`, { freight });
    const eventType = `Voyage.U.${voyage.key}`;
    const { changes, ...counts } = await tested({ eventType, expression: 'freight > old.freight' });
    expect(counts).toEqual({ matched: 4, examined: 6 });
    expect(changes.map(({ isMatch, reason }) => [isMatch, reason])).toEqual([
      [true, 'NOTIFIED'],
      [false, 'EXPRESSION_FALSE'],
      [true, 'NOTIFIED'],
      [true, 'NOTIFIED'],
      [false, 'EXPRESSION_FALSE'],
      [true, 'NOTIFIED'],
    ]);
    expect(changes[1]).toMatchObject({
      event: 'Voyage.U',
      objectKey: voyage.key,
      name: `${voyage.referenceNo}, ${fleet.vessel.vesselName}`,
      subscribedObjectType: 'Voyage',
      subscribedObjectKey: voyage.key,
      message: 'The expression was false: freight > old.freight with freight = 350.0 and old.freight = 400.0.',
      evaluation: { text: 'freight > old.freight', value: 'false', isDecisive: true },
      body: null,
      log: null,
    });
    expect(changes.map(({ evaluation }) => evaluation !== null)).toEqual([false, true, false, false, true, false]);
    const sent = changes.filter(({ body }) => body !== null);
    expect(sent.map((each) => resourceIn(each).freight)).toEqual([500, 400, 300]);
    const [{ body, id }] = sent as [Change];
    expect(body).toMatchObject({
      contentType: 'application/json',
      subject: null,
      bytes: Buffer.byteLength(body!.text),
    });
    expect(JSON.parse(body!.text)).toMatchObject({ sequence: id, serviceObject: voyage.key });
  });

  test('show the object as the transaction of each change left it, also in its sub-objects', async () => {
    const voyage = await createVoyage(service, fleet);
    const [call] = voyage.portCalls;
    for (const speed of [9, 10, 11]) await put(`PortCall/${call.key}`, { speed });
    await put(`Voyage/${voyage.key}`, { comments: 'later' });
    const json = Buffer.from('{"comments":"*","portCalls":{"speed":"*"}}').toString('base64');
    const expression = 'changedObject.getSpeed() != null';
    const { changes } = await tested({ eventType: `Voyage.U.${voyage.key}`, expression, json });
    const slim = changes.filter(({ body }) => body).map((each) => resourceIn(each));
    expect(slim.map(({ comments, portCalls }) => [comments, portCalls[0].speed])).toEqual([
      [null, 11],
      [null, 10],
      [null, 9],
    ]);
    expect(changes.map(({ event, reason }) => `${event} ${reason}`)).toEqual([
      'Voyage.U EXPRESSION_FALSE',
      'PortCall.U NOTIFIED',
      'PortCall.U NOTIFIED',
      'PortCall.U NOTIFIED',
    ]);
  });

  test('are those that the event types cover: operations, keys, hierarchies and wildcards', async () => {
    const voyage = await createVoyage(service, fleet);
    const [call] = voyage.portCalls;
    const order = await create(service, 'BunkerOrder', bunkerOrderBody(fleet, call.key));
    await put(`PortCall/${call.key}`, { speed: 12 });
    await put(`BunkerOrder/${order.key}`, { bunkerOrderStatus: 'REQ' });
    const first = Math.min(...(await tested({ eventType: 'Voyage.C' }, { limit: 1 })).changes.map(({ id }) => id));
    const covered = async (eventTypes: string[]) => {
      const { changes } = await tested({ eventTypes });
      const here = changes.filter(({ id }) => id >= first);
      return here.map(({ event, subscribedObjectType: type }) =>
        event.startsWith(type) ? event : `${event} of ${type}`,
      );
    };
    expect(await covered(['Voyage.C'])).toEqual(['Voyage.C']);
    expect(await covered(['Voyage.D'])).toEqual([]);
    expect(await covered(['Voyage.U'])).toEqual(['PortCall.U of Voyage']);
    expect(await covered([`BunkerOrder.U.${order.key}`])).toEqual(['BunkerOrder.U', 'PortCall.U of BunkerOrder']);
    expect(await covered(['BunkerOrder.C', 'PortCall.U'])).toEqual(['PortCall.U', 'BunkerOrder.C']);
    expect(await covered([`*.D`, `Voyage.*.${voyage.key}`])).toEqual(['PortCall.U of Voyage', 'Voyage.C']);
    expect(await covered(['*.U'])).toEqual(['BunkerOrder.U', 'PortCall.U']);
    await service.delete(`/ws/rest/BunkerOrder/${order.key}`);
    expect(await covered(['BunkerOrder.D'])).toEqual(['BunkerOrder.D']);
  });

  test('have the reasons of the rules', async () => {
    const voyage = await createVoyage(service, fleet);
    await put(`Voyage/${voyage.key}`, { comments: 'mine' }, owner.headers);
    await put(`PortCall/${voyage.portCalls[0].key}`, { speed: 8 });
    const draft = { eventType: `Voyage.U.${voyage.key}`, onlyMainObject: true, notSendMyChanges: true };
    const { changes } = await tested(draft, {}, owner.headers);
    expect(changes.map(({ reason, isMatch, evaluation }) => [reason, isMatch, evaluation])).toEqual([
      ['ONLY_MAIN_OBJECT', false, null],
      ['OWN_CHANGE', false, null],
    ]);
  });

  test('are at most as many as asked for, and fifty', async () => {
    const vessel = await create(service, 'Vessel', { vesselName: 'Often' });
    for (let times = 0; times < 52; times += 1) await put(`Vessel/${vessel.key}`, { flag: `F${times}` });
    const eventType = `Vessel.U.${vessel.key}`;
    const flags = ({ changes }: Tested) => changes.flatMap((each) => (each.body ? [resourceIn(each).flag] : []));
    const two = await tested({ eventType }, { limit: 2 });
    expect([two.examined, two.matched, flags(two)]).toEqual([2, 2, ['F51', 'F50']]);
    const all = await tested({ eventType });
    expect([all.examined, all.matched, flags(all)]).toEqual([50, 50, ['F51', 'F50', 'F49']]);
  });

  test('have the same names as in the list of changes', async () => {
    const voyage = await createVoyage(service, fleet);
    const [call] = voyage.portCalls;
    await put(`PortCall/${call.key}`, { eta: '2026-12-31T15:42:10' });
    const log = await create(service, 'EventLog', { portCall: call.key, event: 'ARR' });
    await put(`EventLog/${log.key}`, { event: 'DEP' });
    const { changes } = await tested({ eventType: `Voyage.U.${voyage.key}` });
    expect(changes.map(({ name }) => name)).toEqual(['DEP', 'ARR', `${fleet.port.unLoCode}, 2026-12-31 15:42, L`]);
  });
});

describe('scripts and stylesheets are run', () => {
  let eventType: string;
  let voyage: Shown;
  beforeAll(async () => {
    voyage = await createVoyage(service, fleet);
    eventType = `Voyage.U.${voyage.key}`;
    for (const freight of [1, 2, 3, 4, 5, 6]) await put(`Voyage/${voyage.key}`, { freight });
  });
  const inTemplate = (content: string) =>
    stylesheet(`<xsl:output method="text"/><xsl:template match="/">${content}</xsl:template>`);
  const outcomes = ({ changes }: Tested) => changes.map(({ reason, isMatch, body }) => [reason, isMatch, body?.text]);

  test('a script decides, until three bodies are there', async () => {
    const { code } = await makeScript(service, 'console.log(svcObject.freight); return svcObject.freight !== 5;');
    const subscription = { eventType, dlpAlertScript: code, rawObject: true, json: { freight: '*' } };
    const result = await tested(subscription);
    expect(result.matched).toBe(5);
    expect(result.changes.map(({ reason, log }) => [reason, log])).toEqual([
      ['NOTIFIED', ['6']],
      ['SCRIPT_FALSE', ['5']],
      ['NOTIFIED', ['4']],
      ['NOTIFIED', ['3']],
      ['NOT_RUN', []],
      ['NOT_RUN', []],
    ]);
    const [{ body }] = result.changes as [Change];
    expect(JSON.parse(body!.text)).toMatchObject({ freight: 6 });
  });

  test('a script that fails says why, and one that takes too long ends', async () => {
    const { code } = await makeScript(service, 'if (svcObject.freight > 5) for (;;); svcObject.x.y; return true;');
    const { changes, matched } = await tested({ eventType, dlpAlertScript: code });
    expect(changes[0]).toMatchObject({ reason: 'SCRIPT_ERROR', isMatch: false, body: null });
    expect(changes[1]).toMatchObject({ reason: 'SCRIPT_ERROR', message: expect.stringContaining('undefined') });
    expect(matched).toBe(0);
  });

  test('a message of the script has a subject', async () => {
    const body = "message.subject = 'Freight ' + svcObject.freight; message.body = 'ship \u{1F6A2}'; return true;";
    const { code } = await makeScript(service, body);
    const { changes } = await tested({ eventType, dlpAlertScript: code, useMsg: true }, { limit: 1 });
    expect(changes[0]!.body).toEqual({
      contentType: 'text/plain; charset=utf-8',
      text: 'ship \u{1F6A2}',
      bytes: 9,
      subject: 'Freight 6',
    });
  });

  test('a stylesheet makes the body, or its error is shown', async () => {
    const xsl = inTemplate('<xsl:value-of select="Voyage/freight"/>');
    expect(outcomes(await tested({ eventType, xsl }, { limit: 2 }))).toEqual([
      ['NOTIFIED', true, '6'],
      ['NOTIFIED', true, '5'],
    ]);
    const failing = inTemplate('<xsl:message terminate="yes">no</xsl:message>');
    const { changes } = await tested({ eventType, xsl: failing }, { limit: 1 });
    expect(changes[0]).toMatchObject({ reason: 'STYLESHEET_ERROR', body: null });
  });
});

describe('a saved subscription', () => {
  test('is named by its key, and can be tried with changes, whatever its state is', async () => {
    const voyage = await createVoyage(service, fleet);
    const wishes = { eventType: `Voyage.U.${voyage.key}`, expression: 'freight > 5' };
    const key = await subscribe(service, wishes, owner);
    for (const freight of [4, 7]) await put(`Voyage/${voyage.key}`, { freight });
    const matches = async (subscription: unknown, headers?: TestClient['headers']) => {
      const answer = await ask(subscription, {}, headers);
      expect(answer.status, answer.text).toBe(200);
      return answer.body.changes.map(({ isMatch }: Change) => isMatch);
    };
    expect(await matches(key, owner.headers)).toEqual([true, false]);
    expect(await matches({ key, expression: 'freight < 5' }, owner.headers)).toEqual([false, true]);
    await put(`WebhookSubscription/${key}`, { unsubscribed: true }, owner.headers);
    expect(await matches(key)).toEqual([true, false]);
  });

  test('of another user is not found, and an administrator can try any', async () => {
    const key = await subscribe(service, { eventType: 'Voyage.U' });
    const { violations } = expectErrorBody(await ask(key, {}, owner.headers), 400);
    expect(violations).toEqual([{ path: 'subscription', message: `there is no WebhookSubscription with key ${key}.` }]);
    expect((await ask(key)).status).toBe(200);
  });
});

test('a request with mistakes is a 400 that says where', async () => {
  const good = { eventType: 'Voyage.U', channelInfo };
  for (const [body, path] of [
    [{ subscription: good, limit: 51 }, 'limit'],
    [{ subscription: good, limit: 0 }, 'limit'],
    [{ subscription: { ...good, expression: 'svcObject.getNothing()' } }, 'subscription.expression'],
    [{ subscription: { ...good, eventType: 'Voyge.U' } }, 'subscription.eventType'],
    [{ subscription: { eventType: 'Voyage.U' } }, 'subscription.url'],
    [{}, 'subscription'],
    [{ subscription: good, event: 1 }, 'event'],
  ] as const) {
    const answer = await service.post('/ws/rest/WebhookSubscription/testRecent', body);
    expect(expectErrorBody(answer, 400).violations).toMatchObject([{ path }]);
  }
  const reader = await createClient(service, ['read']);
  expectErrorBody(await ask(good, {}, reader.headers), 403);
});

test('a hostile expression ends at its limits, for each change', async () => {
  const voyage = await createVoyage(service, fleet, { comments: 'x'.repeat(60) });
  for (let times = 0; times < 12; times += 1) await put(`Voyage/${voyage.key}`, { freight: times });
  const calls = 'svcObject.getPortCalls().stream()';
  const words = 'svcObject.getComments().repeat(1000)';
  for (const expression of [
    `${words}.replace("x", "yy").replace("y", "zz").isEmpty()`,
    `${calls}.anyMatch(p -> ${words}.split("x").length == p.getKey() || ${words}.contains("${'x'.repeat(900)}y"))`,
    Array.from({ length: 180 }, (_, at) => `svcObject.getFreight() == ${at + 5000}`).join(' || '),
  ]) {
    const answer = await ask({ eventType: `Voyage.U.${voyage.key}`, channelInfo, expression });
    expect(answer.status, answer.text.slice(0, 300)).toBe(200);
    expect(answer.body).toMatchObject({ examined: 12, matched: 0 });
    for (const { evaluation, message } of answer.body.changes) {
      expect(message.length).toBeLessThan(1_500);
      expect(JSON.stringify(evaluation).length).toBeLessThan(40_000);
    }
  }
});

test('nothing is stored, whatever the result', async () => {
  const traces = async () => {
    await prepared(service);
    const { rows } = await service.database.pool.query(`select
      (select last_value from flaghoist.object_key) as key,
      (select count(*) from flaghoist_service.webhook_subscription) as subscriptions,
      (select count(*) from flaghoist_service.webhook_notification) as notifications,
      (select count(*) from flaghoist_service.audit_log) as audits,
      (select max(id) from flaghoist_system.event) as events,
      (select count(*) from flaghoist_system.suppressed_match) as suppressed,
      (select count(*) from flaghoist_system.unshaped_object) as texts,
      (select count(*) from flaghoist_system.script_log) as logs,
      (select count(*) from flaghoist_system.shaping_health) as health`);
    return rows[0];
  };
  const { code } = await makeScript(service, 'console.log(1); return true;');
  const before = await traces();
  await tested({ eventType: 'Voyage.U', dlpAlertScript: code, expression: 'freight > 3' });
  await tested({ eventTypes: ['*.*'] });
  expect(await traces()).toEqual(before);
});
