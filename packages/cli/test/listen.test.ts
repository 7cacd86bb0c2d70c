// `flaghoist listen`, as a program beside a service.

import { randomBytes } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { administrator, createClient } from '../../server/test/support/access.ts';
import { createFleet, createVoyage } from '../../server/test/support/fleet.ts';
import { useTestService } from '../../server/test/support/test-service.ts';
import { type RunningCli, useCli } from './support/cli.ts';
import { startTarget } from './support/target.ts';

const service = useTestService();
const cli = useCli(service.url);
const secret = `whsec_${randomBytes(32).toString('base64')}`;

let voyage: number;
let portCall: number;

beforeAll(async () => {
  const created = await createVoyage(service, await createFleet(service));
  voyage = created.key;
  portCall = created.portCalls[0].key;
});

async function comment(...all: string[]): Promise<void> {
  for (const comments of all) expect((await service.put(`/ws/rest/Voyage/${voyage}`, { comments })).status).toBe(200);
}

/** The key of its subscription, once it listens. */
async function listening(program: RunningCli): Promise<number> {
  const [, key] = await program.says(/^Listening to .*?(\d+)\)/m);
  return Number(key);
}

const stateOf = async (key: number) => (await service.get(`/ws/rest/WebhookSubscription/${key}`)).body.state;

test('each notification is forwarded with its headers, shown as one line, and acknowledged; the end unsubscribes', async () => {
  const target = await startTarget({ secret });
  const program = cli.start([
    'listen',
    '--event',
    'Voyage.U',
    '--forward-to',
    target.url,
    '--secret',
    secret,
    '--changes',
  ]);
  const key = await listening(program);
  await comment('first');
  await service.put(`/ws/rest/PortCall/${portCall}`, { eta: '2026-11-20T10:00:00' });
  const [own, inHierarchy] = await program.lines(2);
  expect(own).toMatchObject({
    origin: 'stream',
    event: 'Voyage.U',
    resourceKey: voyage,
    objectType: 'Voyage',
    operation: 'U',
    objectKey: voyage,
    attempt: 1,
    status: 204,
    answer: '204 No Content',
    isDelivered: true,
    retryInMs: null,
  });
  expect(JSON.parse(own.body).changes).toMatchObject([{ attribute: 'comments', new: 'first' }]);
  expect(inHierarchy).toMatchObject({
    event: 'Voyage.U',
    resourceKey: voyage,
    objectType: 'PortCall',
    objectKey: portCall,
  });
  expect(target.accepted()).toEqual([own.id, inHierarchy.id]);
  expect(target.deliveries[0]).toMatchObject({
    body: own.body,
    headers: { 'content-type': 'application/json', 'flaghoist-event': `Voyage.U.${voyage}`, 'flaghoist-attempt': '1' },
  });
  const log = `/ws/rest/WebhookNotification?filter=subscription(EQ)${key}&filter=status(EQ)PENDING`;
  await expect.poll(async () => (await service.get(log)).body, { timeout: 10_000 }).toEqual([]);
  expect(await program.end('SIGTERM')).toBe(0);
  expect(program.stderr).toMatch(/\nUnsubscribed\.\n$/);
  expect(await stateOf(key)).toBe('UNSUBSCRIBED');
  expect(program.stdout + program.stderr).not.toContain(secret);
});

test('what the target refuses is sent again until it is accepted, and later ones wait for it', async () => {
  const target = await startTarget();
  target.status = 500;
  const args = ['listen', '--event', 'Voyage.U', '--forward-to', target.url, '--count', '2', '--no-json'];
  const program = cli.start(args);
  const key = await listening(program);
  await comment('refused', 'waits');
  await expect.poll(() => target.deliveries.length, { timeout: 20_000 }).toBeGreaterThan(1);
  expect(new Set(target.deliveries.map(({ id }) => id)).size).toBe(1);
  expect(target.deliveries[1]!.headers['flaghoist-attempt']).toBe('2');
  target.status = 204;
  expect(await program.ended).toBe(0);
  expect(new Set(target.accepted()).size).toBe(2);
  const lines = program.stdout.trimEnd().split('\n');
  expect(lines[0]).toMatch(
    new RegExp(
      `^\\d\\d:\\d\\d:\\d\\d  Voyage\\.U  ${voyage} +#1  500 Internal Server Error +\\d+ ms  again in 1 s  as told$`,
    ),
  );
  expect(lines.at(-1)).toMatch(/ {2}#1 {2}204 No Content +\d+ ms$/);
  expect(await stateOf(key)).toBe('UNSUBSCRIBED');
  // For people, the secret is shown once.
  const [, shown] = /Signing secret.*: (whsec_\S+)\n/.exec(program.stderr)!;
  service.secrets.plant('the shown secret', shown!);
});

test('with --retries, what is refused is given up and acknowledged', async () => {
  const target = await startTarget();
  target.status = 503;
  const listen = ['listen', '--event', 'Voyage.U', '--forward-to', target.url, '--retries', '0', '--count', '1'];
  const program = cli.start(listen);
  await listening(program);
  await comment('given up');
  expect(await program.ended).toBe(0);
  expect(await program.lines(1)).toMatchObject([
    { status: 503, detail: 'as told', isDelivered: false, retryInMs: null },
  ]);
});

test('a target that rejects the signature: the hint about the secret comes once', async () => {
  const target = await startTarget({ secret });
  const listen = ['listen', '--event', 'Voyage.U', '--forward-to', target.url, '--retries', '0', '--count', '2'];
  const program = cli.start(listen);
  await listening(program);
  await comment('unauthorized', 'again');
  expect(await program.ended).toBe(0);
  expect(await program.lines(2)).toMatchObject([{ status: 401 }, { status: 401 }]);
  expect(program.stderr.split('The target answers 401.').length - 1).toBe(1);
});

test('a target that does not answer in time is an attempt that failed', async () => {
  const target = await startTarget();
  target.status = 0;
  const program = cli.start(['listen', '--event', 'Voyage.U', '--forward-to', target.url, '--timeout', '0.5']);
  await listening(program);
  await comment('slow');
  const [line] = await program.lines(1);
  expect(line).toMatchObject({ status: null, answer: 'no answer in 0.5 s', isDelivered: false, retryInMs: 1000 });
  target.status = 204;
  await program.lines(1, ({ isDelivered }) => isDelivered);
  expect(await program.end('SIGINT')).toBe(0);
});

test('--since shows what happened before, oldest first, and then what is new: nothing twice, nothing left out', async () => {
  const other = (await createVoyage(service, await createFleet(service))).key;
  const put = (comments: string) => service.put(`/ws/rest/Voyage/${other}`, { comments });
  for (const text of ['one', 'two', 'three']) expect((await put(text)).status).toBe(200);
  const target = await startTarget({ secret });
  const of = ['--event', `Voyage.U.${other}`, '--expression', '.comments != two'];
  const program = cli.start(['listen', ...of, '--since', '1h', '--forward-to', target.url, '--secret', secret]);
  await program.says(/2 from before the subscription/);
  await put('four');
  const lines = await program.lines(3);
  expect(lines.map(({ origin, body }) => [origin, JSON.parse(body).resource.comments])).toEqual([
    ['since', 'one'],
    ['since', 'three'],
    ['stream', 'four'],
  ]);
  // The target has verified the signatures of them all.
  expect(target.accepted()).toHaveLength(3);
  const sequences = lines.map(({ sequence }) => sequence);
  expect(sequences).toEqual([...sequences].sort((one, next) => one - next));
  await program.end();
});

test('with a name, nothing is lost while nobody listens; --since replays what was delivered', async () => {
  const target = await startTarget();
  const named = ['listen', '--name', 'orders', '--forward-to', target.url];
  const first = cli.start([...named, '--event', 'Voyage.U', '--show-secret']);
  const key = await listening(first);
  const [, shown] = await first.says(/(whsec_\S+)/);
  service.secrets.plant('the shown secret', shown!);
  await comment('while listening');
  await first.lines(1);
  expect(await first.end('SIGHUP')).toBe(0);
  expect(first.stderr).toContain('Nothing is lost: continue with  flaghoist listen --name orders');
  expect(await stateOf(key)).toBe('ACTIVE');
  await comment('away one', 'away two');
  const second = cli.start(named);
  expect(await listening(second)).toBe(key);
  const commentsOf = (lines: { body: string }[]) => lines.map(({ body }) => JSON.parse(body).resource.comments);
  expect(commentsOf(await second.lines(2))).toEqual(['away one', 'away two']);
  await second.end();

  const third = cli.start([...named, '--since', '1h']);
  await third.says(/Replaying 3 delivered notifications since/);
  expect(new Set(commentsOf(await third.lines(3, ({ origin }) => origin === 'replay'))).size).toBe(3);
  await third.end();
  expect(await cli.refusal(2, ...named, '--event', 'Port.U')).toContain('listens to Voyage.U. Leave out --event');
  expect(await cli.refusal(2, 'listen', '--name', 'ordres')).toContain('There is no subscription "ordres" yet.');
});

test('without the secret, what a target could not take in time reaches it with a newer signature', async () => {
  const toleranceSeconds = 3;
  const target = await startTarget({ secret, toleranceSeconds });
  target.status = 500;
  const { body, status } = await service.post('/ws/rest/WebhookSubscription', {
    ...{ name: 'patient', eventType: 'Voyage.U', channelInfo: { channelType: 'STREAM' } },
    ...{ acknowledgeSeconds: 1, signingSecret: secret },
  });
  expect(status).toBe(201);
  const program = cli.start(['listen', '--name', 'patient', '--forward-to', target.url]);
  expect(await listening(program)).toBe(body.key);
  await comment('down', 'waits');
  // After 0, 1 and 3 seconds.
  await expect.poll(() => target.deliveries.length, { timeout: 20_000 }).toBe(3);
  target.status = 204;
  await expect.poll(() => new Set(target.accepted()).size, { timeout: 30_000 }).toBe(2);
  const [first, last] = [target.deliveries[0]!, target.deliveries.find(({ status }) => status === 204)!];
  expect(last.id).toBe(first.id);
  const signedAt = ({ headers }: typeof first) => Number(headers['webhook-timestamp']);
  expect(signedAt(last) - signedAt(first)).toBeGreaterThan(toleranceSeconds);
  await program.end();
});

test('interrupted in the middle of the past and started again with the same name, --since loses nothing', async () => {
  const other = (await createVoyage(service, await createFleet(service))).key;
  const put = (comments: string) => service.put(`/ws/rest/Voyage/${other}`, { comments });
  for (const text of ['one', 'two', 'three']) expect((await put(text)).status).toBe(200);
  const target = await startTarget({ secret });
  const named = ['listen', '--name', 'historian', '--since', '1h', '--forward-to', target.url];
  const start = (...more: string[]) => cli.start([...named, '--secret', secret, ...more]);
  const isRefused = ({ status }: { status: number }) => status === 500;

  target.acceptedMax = 1;
  const killed = start('--event', `Voyage.U.${other}`);
  await killed.lines(1, isRefused);
  await killed.end('SIGKILL');
  await put('four');
  target.acceptedMax = 3;
  const stopped = start();
  await stopped.lines(1, isRefused);
  expect(await stopped.end('SIGTERM')).toBe(0);
  expect(stopped.stderr).toMatch(/continue with {2}flaghoist listen --name historian --since \d{4}-\S+\n$/);
  target.acceptedMax = Number.POSITIVE_INFINITY;
  const last = start();
  const lines = await last.lines(4);
  expect(lines.map(({ origin, body }) => [origin, JSON.parse(body).resource.comments])).toEqual([
    ['since', 'one'],
    ['since', 'two'],
    ['since', 'three'],
    ['stream', 'four'],
  ]);
  // What was forwarded before the interruption comes again, with the same id.
  expect(target.accepted()).toHaveLength(1 + 2 + 4);
  expect(new Set(target.accepted()).size).toBe(4);
  await last.end();

  const unsigned = cli.start([...named, '--retries', '0', '--count', '1']);
  await unsigned.says(/before the subscription is not signed.* Pass --secret\./);
  expect(await unsigned.ended).toBe(0);
  expect(await unsigned.lines(1)).toMatchObject([{ origin: 'since', status: 401 }]);
});

test('another user with the same name has another subscription, also for an administrator', async () => {
  const client = await createClient(service, ['read', 'webhook']);
  const environment = { FLAGHOIST_CLIENT_ID: client.clientId, FLAGHOIST_CLIENT_SECRET: client.clientSecret };
  const listen = ['listen', '--name', 'shared', '--event', 'Voyage.U'];
  const theirs = cli.start(listen, environment);
  const mine = cli.start(listen);
  expect(await listening(mine)).not.toBe(await listening(theirs));
  await comment('for both');
  for (const program of [mine, theirs])
    expect(await program.lines(1)).toMatchObject([{ status: null, objectKey: voyage }]);
});

test('what a killed listen has left is unsubscribed by the next one, a day later', async () => {
  const leftOver = await cli.json(
    'subscription',
    'create',
    '--event',
    'Voyage.U',
    '--name',
    'flaghoist listen until 2026-01-01T00:00:00',
  );
  const running = await cli.json(
    'subscription',
    'create',
    '--event',
    'Voyage.U',
    '--name',
    'flaghoist listen until 2999-01-01T00:00:00',
  );
  for (const { signingSecret } of [leftOver, running]) service.secrets.plant('the signing secret', signingSecret);
  const program = cli.start(['listen', '--event', 'Voyage.D']);
  await program.says(new RegExp(`Unsubscribed what an earlier listen has left: ${leftOver.key}\\.`));
  await listening(program);
  expect([await stateOf(leftOver.key), await stateOf(running.key)]).toEqual(['UNSUBSCRIBED', 'ACTIVE']);
  await program.end();
});

test('mistakes are found before anything is created', async () => {
  const count = async () => (await service.get('/ws/rest/WebhookSubscription')).body.length;
  const before = await count();
  expect(await cli.refusal(2, 'listen')).toContain('Pass --event');
  expect(await cli.refusal(1, 'listen', '--event', 'Voyag.U')).toContain('Did you mean "Voyage"?');
  expect(await cli.refusal(2, 'listen', '--event', 'Voyage.U', '--forward-to', 'ht tp')).toContain(
    '--forward-to takes',
  );
  expect(await cli.refusal(2, 'listen', '--event', 'Voyage.U', '--since', 'now')).toContain(
    '--since: "now" is not a time',
  );
  const text = await cli.refusal(2, 'listen', '--event', 'Voyage.U', '--secret', 'not-a-secret');
  expect(text).toContain('--secret takes a signing secret');
  expect(text).not.toContain('not-a-secret');
  expect(await count()).toBe(before);
  expect(administrator.clientSecret).not.toBe('');
});
