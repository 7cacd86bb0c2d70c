// `flaghoist resend` and `flaghoist replay`, run as programs beside a service.

import { once } from 'node:events';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  deactivate,
  ended,
  resent,
  stateOf,
  storedOf,
  storeFailed,
  subscribeTo,
} from '../deliver/failed-notifications.ts';
import { storeDelivered } from '../deliver/replays.ts';
import { startSwitchedReceiver } from '../deliver/switched-receiver.ts';
import { administratorSettings, createClient } from '../support/access.ts';
import { type Ending, runFlaghoist, spawnFlaghoist } from '../support/run-compiled.ts';
import { useTestService } from '../support/test-service.ts';

const service = useTestService({ FLAGHOIST_DELIVERY_INTERVAL_SECONDS: '0.2', FLAGHOIST_DELIVERY_ATTEMPTS: '2' });

function run(...args: string[]): Promise<Ending> {
  return runFlaghoist(['resend', ...args], { DATABASE_URL: service.database.url, ...administratorSettings });
}

async function answer(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

async function refusal(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(...args);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).not.toMatch(/^\s+at /m);
  return stderr.trim();
}

test('the failed notifications of a subscription are sent again, and its end can be waited for', async () => {
  const receiver = await startSwitchedReceiver();
  const key = await subscribeTo(service, receiver.url);
  const ids = await storeFailed(service, key, 3);
  await deactivate(service, key);
  expect(await answer('--subscription', String(key), '--dry-run')).toBe('3 notifications would be sent again.\n');
  const told = await answer('--subscription', String(key), '--wait');
  expect(told).toMatch(
    /^3 notifications are going to be sent again: ResendJob \d+, http\S+\/ResendJob\/\d+\n.*role worker.*\n/,
  );
  expect(told).toMatch(/ResendJob \d+ is done: 3 of 3 delivered, 0 failed\.\n$/);
  expect(receiver.taken().sort()).toEqual(ids.sort());
  expect(await stateOf(service, key)).toBe('DEACTIVATED');
  expect(await answer('--subscription', String(key))).toBe('There is nothing to send again.\n');
});

test('those of all subscriptions of a user, in a time window, with the result as JSON', async () => {
  const client = await createClient(service, ['read', 'webhook'], { userCode: 'agent' });
  const receiver = await startSwitchedReceiver();
  const keys = [
    await subscribeTo(service, receiver.url, {}, client),
    await subscribeTo(service, receiver.url, {}, client),
  ];
  for (const key of keys) await storeFailed(service, key, 2, '2026-11-01T00:00:00');
  await storeFailed(service, keys[0]!, 1, '2026-11-05T00:00:00');
  const window = ['--from', '2026-11-01T00:00:00', '--to', '2026-11-05T00:00:00'];
  const started = JSON.parse(await answer('--user', 'agent', ...window, '--json'));
  expect(started).toMatchObject({ total: 4 });
  expect(await ended(service, started.job)).toMatchObject({ done: 4, user: { key: client.userKey } });
  expect(JSON.parse(await answer('--user', 'agent', '--wait', '--json'))).toMatchObject({ status: 'DONE', done: 1 });
});

test('only those with the given keys', async () => {
  const receiver = await startSwitchedReceiver();
  const key = await subscribeTo(service, receiver.url);
  const [first, , third] = await storeFailed(service, key, 3);
  const [one, , other] = await storedOf(service, key);
  const chosen = ['--subscription', String(key), '--notifications', `${one!.key}, ${other!.key}`];
  expect(await answer(...chosen, '--wait')).toMatch(/is done: 2 of 2 delivered, 0 failed\.\n$/);
  expect(receiver.taken().sort()).toEqual([first, third].sort());
});

test('invalid options are rejected with a clear message', async () => {
  const client = await createClient(service, ['read', 'webhook'], { userCode: 'other' });
  const mine = await subscribeTo(service, 'http://127.0.0.1:9/hook');
  expect(client.userKey).toBeGreaterThan(0);
  expect(await refusal()).toContain('--subscription <key>, or --user <userCode>');
  expect(await refusal('--subscription', 'x')).toContain('"x" is not a key');
  expect(await refusal('--user', 'nobody')).toContain('There is no user "nobody"');
  expect(await refusal('--subscription', '999999999')).toContain('There is no WebhookSubscription with key 999999999.');
  expect(await refusal('--subscription', String(mine), '--user', 'other')).toContain('There is no WebhookSubscription');
  expect(await refusal('--subscription', String(mine), '--notifications', '7,x')).toContain('"x" is not a key');
  expect(await refusal('--subscription', String(mine), '--notifications', '999999999')).toContain('notifications[0]');
  expect(await refusal('--cancel', '1', '--wait')).toContain('--cancel <job> cannot be combined');
  expect(await refusal('--cancel', '999999999')).toContain('There is no ResendJob with key 999999999.');
  expect(await refusal('--subscription', String(mine), '--from', 'now')).toContain('- from: ');
  await storeFailed(service, mine, 1);
  expect((await resent(service, mine, { dryRun: true })).total).toBe(1);
});

test('replay sends what was delivered again, by object and status', async () => {
  const environment = { DATABASE_URL: service.database.url, ...administratorSettings };
  const receiver = await startSwitchedReceiver();
  const key = await subscribeTo(service, receiver.url);
  await storeDelivered(service, key, 2);
  const ids = await storeDelivered(service, key, 3, { objectKey: 71 });
  await storeFailed(service, key, 1);
  const replay = (...args: string[]) => runFlaghoist(['replay', '--subscription', String(key), ...args], environment);
  expect((await replay('--dry-run')).stdout).toBe('6 notifications would be sent again.\n');
  const { code, stdout } = await replay('--object', '71', '--status', 'DELIVERED', '--wait');
  expect(code).toBe(0);
  expect(stdout).toMatch(/ResendJob \d+ is done: 3 of 3 delivered, 0 failed\.\n$/);
  expect(receiver.taken().sort()).toEqual(ids.sort());
  expect((await replay('--status', 'PENDING')).stderr).toContain('- status: must be "DELIVERED" or "FAILED"');
  expect((await replay('--object', 'x')).stderr).toContain('--object: "x" is not a key');
  expect((await runFlaghoist(['replay'], environment)).stderr).toContain("required option '--subscription <key>'");
});

describe('without a worker', () => {
  const idle = useTestService({ FLAGHOIST_ROLES: 'api' });

  test('--wait warns about it, and ends when the resend is cancelled', async () => {
    const environment = { DATABASE_URL: idle.database.url, ...administratorSettings };
    const key = await subscribeTo(idle, 'http://127.0.0.1:9/hook');
    await storeFailed(idle, key, 2);
    const waiting = spawnFlaghoist(['resend', '--subscription', String(key), '--wait'], environment);
    onTestFinished(() => void waiting.kill());
    const told = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) waiting[name]!.on('data', (chunk) => (told[name] += chunk));
    await expect.poll(() => told.stderr, { timeout: 20_000 }).toContain('No service with the role worker is running');
    const [, job] = /flaghoist resend --cancel (\d+)/.exec(told.stderr)!;
    const cancelled = await runFlaghoist(['resend', '--cancel', job!], environment);
    const end = `ResendJob ${job} is cancelled: 0 of 2 delivered, 0 failed.\n`;
    expect(cancelled).toEqual({ code: 0, stdout: end, stderr: '' });
    const [code] = await once(waiting, 'close');
    expect({ code, isEnded: told.stdout.endsWith(end) }).toEqual({ code: 0, isEnded: true });
    expect((await runFlaghoist(['resend', '--cancel', job!], environment)).stderr).toContain('is already cancelled');
  });
});
