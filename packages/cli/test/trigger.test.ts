// `flaghoist trigger`: real changes, checked before they are made.

import { beforeAll, expect, test } from 'vitest';
import { createClient } from '../../server/test/support/access.ts';
import { createFleet, createVoyage, type Fleet, freshCode, read } from '../../server/test/support/fleet.ts';
import { useTestService } from '../../server/test/support/test-service.ts';
import { useCli } from './support/cli.ts';

const service = useTestService();
const cli = useCli(service.url);

let fleet: Fleet;
let voyage: number;

beforeAll(async () => {
  fleet = await createFleet(service);
  voyage = (await createVoyage(service, fleet)).key;
});

test('an update sets attributes by their types, and says what has changed and who was notified', async () => {
  const subscription = (name: string, expression: string) =>
    cli.json('subscription', 'create', '--event', 'Voyage.U', '--name', name, '--expression', expression);
  const late = await subscription('late', '.comments = "not in time"');
  const early = await subscription('early', '.comments = early');
  for (const { signingSecret } of [late, early]) service.secrets.plant('the signing secret', signingSecret);
  const change = ['comments=not in time', 'isTc=true', 'daysTotal=12345678.12345678', `vessel=${fleet.vessel.key}`];
  const result = await cli.json('trigger', 'Voyage.U', '--key', String(voyage), '--set', ...change);
  expect(result).toMatchObject({ event: 'Voyage.U', key: voyage, object: { comments: 'not in time', isTc: true } });
  expect(result.changes.map(({ attribute }: { attribute: string }) => attribute)).toEqual([
    'comments',
    'isTc',
    'daysTotal',
  ]);
  expect(result.decisions).toContainEqual(
    expect.objectContaining({ subscription: late.key, isNotified: true, notification: expect.any(Number) }),
  );
  expect(result.decisions).toContainEqual(
    expect.objectContaining({ subscription: early.key, reason: 'EXPRESSION_FALSE' }),
  );
  const text = await cli.answer(
    'trigger',
    'voyage.u',
    '--key',
    String(voyage),
    '--set',
    'comments="null"',
    'isTc=null',
  );
  expect(text).toContain(`Voyage ${voyage} is updated.\n  comments: "not in time" → "null"\n  isTc: true → null\n`);
  expect(text).toContain(`Subscription ${late.key} "late" is not notified: The expression was false: `);
  const same = ['trigger', 'Voyage.U', '--key', String(voyage), '--set', 'comments="null"'];
  expect(await cli.refusal(1, ...same)).toContain('Nothing has changed, so there is no event.');
});

test('no number loses digits', async () => {
  const days = '123456789012.12345678';
  await cli.answer('trigger', 'Voyage.U', '--key', String(voyage), '--set', `daysLoading=${days}`);
  expect((await service.get(`/ws/rest/Voyage/${voyage}`)).text).toContain(`"daysLoading":${days}`);
});

test('an object is created from --set and --data, and deleted when that is confirmed', async () => {
  const code = freshCode('ZZ', 5);
  const data = JSON.stringify({ portName: 'by data', unLoCode: code });
  const created = await cli.json('trigger', 'Port.C', '--data', data, '--set', 'portName=by set');
  expect(await read(service, 'Port', created.key)).toMatchObject({ portName: 'by set', unLoCode: code });
  const remove = ['trigger', 'Port.D', '--key', String(created.key)];
  expect(await cli.refusal(2, ...remove)).toBe(
    `error: This deletes the real Port ${created.key}. Add --yes to confirm.\n`,
  );
  expect(await cli.answer(...remove, '--yes')).toContain(`Port ${created.key} is deleted.\n`);
  expect((await service.get(`/ws/rest/Port/${created.key}`)).status).toBe(404);
  expect(await cli.refusal(1, ...remove, '--yes')).toContain('404');
});

test('unknown types and attributes and wrong values are mistakes, with a suggestion, and nothing is changed', async () => {
  const before = await read(service, 'Voyage', voyage);
  const refusal = (...args: string[]) => cli.refusal(2, 'trigger', ...args);
  const key = ['--key', String(voyage)];
  expect(await refusal('Voyge.U', ...key, '--set', 'a=b')).toContain(
    'There is no object type "Voyge". Did you mean "Voyage"?',
  );
  expect(await refusal('Voyage.U', ...key, '--set', 'coments=late')).toMatch(
    /Voyage has no attribute "coments"\. Did you mean "comments"\? It has: .*voyageStatus/,
  );
  expect(await refusal('Voyage.U', ...key, '--set', 'isTc=1')).toContain('isTc: "1" is not true or false');
  expect(await refusal('Voyage.U', ...key, '--set', 'daysTotal=many')).toContain('daysTotal: "many" is not a number');
  expect(await refusal('Voyage.U', ...key, '--set', 'createdDate=2026-01-01')).toContain('is set by the service');
  expect(await refusal('Voyage.U', ...key, '--set', 'portCalls.eta=2026-01-01')).toContain('trigger PortCall.U --key');
  expect(await refusal('Voyage.U', ...key, '--set', 'comments')).toContain('write attribute=value');
  expect(await refusal('Voyage.U', ...key)).toContain('Pass --set');
  expect(await refusal('Voyage.U', '--set', 'comments=x')).toContain('Which Voyage? Pass --key.');
  expect(await refusal('Voyage.X', ...key)).toContain('is not an event');
  expect(await refusal('Voyage.C', ...key)).toContain('the service chooses the key');
  // What only the service can check.
  expect(await cli.refusal(1, 'trigger', 'Voyage.U', ...key, '--set', 'voyageStatus=GONE')).toMatch(
    /^error: The service answered 400:\n- voyageStatus: /,
  );
  expect(await read(service, 'Voyage', voyage)).toEqual(before);
});

test('a client without the scope webhook changes objects without learning who was notified', async () => {
  const client = await createClient(service, ['read', 'write']);
  const environment = { FLAGHOIST_CLIENT_ID: client.clientId, FLAGHOIST_CLIENT_SECRET: client.clientSecret };
  const args = ['trigger', 'Voyage.U', '--key', String(voyage), '--set', 'comments=by a writer'];
  const { code, stdout } = await cli.run(args, environment);
  expect(code).toBe(0);
  expect(stdout).toContain('Who was notified is not known: the client lacks the scope webhook.\n');
});
