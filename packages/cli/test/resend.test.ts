// `flaghoist resend` and `flaghoist replay`.

import { describe, expect, test } from 'vitest';
import {
  deactivate,
  ended,
  resent,
  stateOf,
  storedOf,
  storeFailed,
  subscribeTo,
} from '../../server/test/deliver/failed-notifications.ts';
import { storeDelivered } from '../../server/test/deliver/replays.ts';
import { startSwitchedReceiver } from '../../server/test/deliver/switched-receiver.ts';
import { createClient } from '../../server/test/support/access.ts';
import { useTestService } from '../../server/test/support/test-service.ts';
import { useCli } from './support/cli.ts';

const service = useTestService({ FLAGHOIST_DELIVERY_INTERVAL_SECONDS: '0.2', FLAGHOIST_DELIVERY_ATTEMPTS: '2' });
const cli = useCli(service.url);

test('the failed notifications of a subscription are sent again, and its end can be waited for', async () => {
  const receiver = await startSwitchedReceiver();
  const key = await subscribeTo(service, receiver.url, { name: 'agent' });
  const ids = await storeFailed(service, key, 3);
  await deactivate(service, key);
  const counted = await cli.answer('resend', '--subscription', 'agent', '--dry-run');
  expect(counted).toBe('3 notifications would be sent again.\n');
  const told = await cli.answer('resend', '--subscription', String(key), '--wait');
  expect(told).toMatch(/^3 notifications are going to be sent again: ResendJob \d+, http\S+\/ResendJob\/\d+\n/);
  expect(told).toMatch(/ResendJob \d+ is done: 3 of 3 delivered, 0 failed\.\n$/);
  expect(receiver.taken().sort()).toEqual(ids.sort());
  expect(await stateOf(service, key)).toBe('DEACTIVATED');
  expect(await cli.answer('resend', '--subscription', String(key))).toBe('There is nothing to send again.\n');
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
  const started = await cli.json('resend', '--user', 'agent', ...window);
  expect(started).toMatchObject([{ total: 2 }, { total: 2 }]);
  for (const { job } of started) expect(await ended(service, job)).toMatchObject({ done: 2 });
  // The user itself.
  const own = ['resend', '--all', '--wait', '--json'];
  const { stdout } = await cli.run(own, {
    FLAGHOIST_CLIENT_ID: client.clientId,
    FLAGHOIST_CLIENT_SECRET: client.clientSecret,
  });
  expect(JSON.parse(stdout)).toMatchObject({ status: 'DONE', done: 1, user: { key: client.userKey } });
});

test('all that match filters of the list', async () => {
  const receiver = await startSwitchedReceiver();
  const key = await subscribeTo(service, receiver.url);
  const ids = [...(await storeFailed(service, key, 2)), ...(await storeDelivered(service, key, 1))];
  await storeDelivered(service, key, 1, { objectKey: 77 });
  const filter = ['resend', '--filter', `subscription(EQ)${key}`, 'objectKey(EQ)1'];
  expect(await cli.answer(...filter, '--dry-run')).toBe('3 notifications would be sent again.\n');
  expect(await cli.json(...filter, '--dry-run')).toMatchObject({ total: 3, isEstimate: false, job: null });
  expect(await cli.answer(...filter, '--wait')).toMatch(/ResendJob \d+ is done: 3 of 3 delivered, 0 failed\.\n$/);
  expect(receiver.taken().sort()).toEqual(ids.sort());
  expect(await cli.answer('resend', '--filter', 'objectKey(EQ)999999999')).toBe('There is nothing to send again.\n');
});

test('only those with the given keys', async () => {
  const receiver = await startSwitchedReceiver();
  const key = await subscribeTo(service, receiver.url);
  const [first, , third] = await storeFailed(service, key, 3);
  const [one, , other] = await storedOf(service, key);
  const chosen = ['--subscription', String(key), '--notifications', `${one!.key}, ${other!.key}`];
  expect(await cli.json('resend', ...chosen, '--wait')).toMatchObject({ status: 'DONE', total: 2, done: 2 });
  expect(receiver.taken().sort()).toEqual([first, third].sort());
});

test('invalid options are rejected with a clear message', async () => {
  const mine = await subscribeTo(service, 'http://127.0.0.1:9/hook');
  const refusal = (...args: string[]) => cli.refusal(2, 'resend', ...args);
  expect(await refusal()).toContain('--subscription <subscription>, --all for yours, --user <userCode>, or --filter');
  expect(await refusal('--subscription', String(mine), '--user', 'other')).toContain('Choose what to resend');
  expect(await refusal('--subscription', String(mine), '--notifications', '7,x')).toContain('"x" is not a key');
  expect(await refusal('--cancel', '1', '--wait')).toContain('--cancel <job> cannot be combined');
  expect(await refusal('--subscription', String(mine), '--from', 'now')).toContain('--from: "now" is not a time');
  expect(await cli.refusal(1, 'resend', '--subscription', 'x')).toContain('no subscription with the name "x"');
  expect(await cli.refusal(1, 'resend', '--user', 'nobody')).toContain('There is no user "nobody"');
  expect(await cli.refusal(1, 'resend', '--subscription', '999999999')).toContain('999999999');
  expect(await cli.refusal(1, 'resend', '--cancel', '999999999')).toContain('999999999');
  await storeFailed(service, mine, 1);
  expect((await resent(service, mine, { dryRun: true })).total).toBe(1);
});

test('replay sends what was delivered again, by object and status', async () => {
  const receiver = await startSwitchedReceiver();
  const key = await subscribeTo(service, receiver.url);
  await storeDelivered(service, key, 2);
  const ids = await storeDelivered(service, key, 3, { objectKey: 71 });
  await storeFailed(service, key, 1);
  const replay = ['replay', '--subscription', String(key)];
  expect(await cli.answer(...replay, '--dry-run')).toBe('6 notifications would be sent again.\n');
  const told = await cli.answer(...replay, '--object', '71', '--status', 'DELIVERED', '--wait');
  expect(told).toMatch(/ResendJob \d+ is done: 3 of 3 delivered, 0 failed\.\n$/);
  expect(receiver.taken().sort()).toEqual(ids.sort());
  expect(await cli.json(...replay, '--dry-run', '--status', 'failed')).toMatchObject({ total: 1, job: null });
  expect(await cli.refusal(2, ...replay, '--status', 'PENDING')).toContain('must be DELIVERED or FAILED');
  expect(await cli.refusal(2, ...replay, '--object', 'x')).toContain('--object: "x" is not a key');
  expect(await cli.refusal(2, 'replay')).toContain("required option '--subscription <subscription>'");
});

describe('without a worker', () => {
  const idle = useTestService({ FLAGHOIST_ROLES: 'api' });
  const besideIdle = useCli(idle.url);

  test('--wait goes on until the job is cancelled', async () => {
    const key = await subscribeTo(idle, 'http://127.0.0.1:9/hook');
    await storeFailed(idle, key, 2);
    const waiting = besideIdle.start(['resend', '--subscription', String(key), '--wait']);
    await expect.poll(() => waiting.stdout, { timeout: 20_000 }).toContain('0 of 2 delivered, 0 failed.');
    const [, job] = /ResendJob (\d+),/.exec(waiting.stdout)!;
    const end = `ResendJob ${job} is cancelled: 0 of 2 delivered, 0 failed.\n`;
    expect(await besideIdle.answer('resend', '--cancel', job!)).toBe(end);
    expect(await waiting.ended).toBe(0);
    expect(waiting.stdout.endsWith(end)).toBe(true);
    expect(await besideIdle.refusal(1, 'resend', '--cancel', job!)).toContain('is already cancelled');
  });
});
