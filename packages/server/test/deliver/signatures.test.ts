// Deliveries are verified by the package `standardwebhooks`, which is not ours, by the snippets of the page on
// receiving, and by the example receiver.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Webhook } from 'standardwebhooks';
import { describe, expect, onTestFinished, test } from 'vitest';
import { closedPort } from '../channels/receiver.ts';
import { useTestService } from '../support/test-service.ts';
import { createVoyage, type Received, settled, startHooks, subscribeTo } from './hooks.ts';
import { queue } from './queued.ts';

const service = useTestService({ FLAGHOIST_DELIVERY_ATTEMPTS: '5', FLAGHOIST_DELIVERY_INTERVAL_SECONDS: '1' });

const page = readFileSync(new URL('../../../../docs/how-to/receive-notifications.md', import.meta.url), 'utf8');

const hasPython = spawnSync('python3', ['--version']).status === 0;
if (!hasPython) process.stderr.write('There is no python3 here: its test is left out.\n');

/** The program of the page in this language that has this in it. */
function snippet(language: string, part: string): string {
  const found = [...page.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].find(([, code]) =>
    code!.includes(part),
  );
  expect(found, `the page shows ${part} in ${language}`).toBeDefined();
  return found![1]!;
}

/** What it prints, or how it fails, when it is given this. */
async function run(command: string, args: string[], input: unknown): Promise<string> {
  const child = spawn(command, args, { cwd: projectFolder });
  const printed = printedBy(child);
  child.stdin.end(JSON.stringify(input));
  await once(child, 'close');
  return printed().trim();
}

function printedBy(child: ChildProcess): () => string {
  let printed = '';
  for (const output of [child.stdout!, child.stderr!])
    output.on('data', (chunk: Buffer) => {
      printed += chunk;
    });
  return () => printed;
}

const projectFolder = fileURLToPath(new URL('../../../../', import.meta.url));

const path = ({ key }: { key: number }) => `/ws/rest/WebhookSubscription/${key}`;

function verify(secret: string, { headers, body }: Received): unknown {
  return new Webhook(secret).verify(body, headers as Record<string, string>);
}

/** What a receiver is sent of a change. */
async function deliver(wishes: object = {}) {
  const hooks = await startHooks();
  const subscription = await subscribeTo(service, { url: `${hooks.url}/verified`, ...wishes });
  await createVoyage(service, { comments: 'Kærligt Århus' });
  await settled(service, subscription, ['DELIVERED']);
  const { headers, body } = hooks.received[0]!;
  return { secret: subscription.signingSecret as string, headers, body };
}

async function rotate(subscription: { key: number }, body: object = {}): Promise<string> {
  const answer = await service.post(`${path(subscription)}/rotateSecret`, body);
  expect(answer.status, answer.text).toBe(200);
  service.secrets.plant('a rotated signing secret', answer.body.signingSecret);
  return answer.body.signingSecret;
}

test('standardwebhooks verifies a delivery, and no other secret does (SIG-02, SIG-13, SIG-16)', async () => {
  const hooks = await startHooks();
  const one = await subscribeTo(service, { url: `${hooks.url}/one` });
  const other = await subscribeTo(service, { url: `${hooks.url}/other` });
  await createVoyage(service, { comments: 'Ålesund € \u{1F6A2} \u2028' });
  await settled(service, one, ['DELIVERED']);
  await settled(service, other, ['DELIVERED']);
  const delivery = hooks.at('/one')[0]!;
  // What is signed is separated by dots: none of the parts has one.
  expect(delivery.headers['webhook-id']).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
  expect(delivery.headers['webhook-timestamp']).toMatch(/^\d{10}$/);
  const { id } = (await service.post(`${path(one)}/ping`, {})).body;
  expect(id).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
  expect(verify(one.signingSecret, delivery)).toEqual(JSON.parse(delivery.body));
  expect(() => verify(other.signingSecret, delivery)).toThrow();
  expect(one.signingSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(delivery.headers['content-length']).toBe(String(Buffer.byteLength(delivery.body)));
});

test.skipIf(!hasPython)('SIG-05: the Python of the page verifies a raw object, and no changed one', async () => {
  const { secret, headers, body } = await deliver({ rawObject: true });
  const program = `${snippet('python', 'def is_authentic')}
import sys, json
d = json.load(sys.stdin)
print(is_authentic(d["secret"], d["headers"], d["body"].encode("utf-8")))`;
  expect(await run('python3', ['-c', program], { secret, headers, body })).toBe('True');
  expect(await run('python3', ['-c', program], { secret, headers, body: `${body} ` })).toBe('False');
});

test('the JavaScript of the page verifies it too, and no changed one', async () => {
  const { secret, headers, body } = await deliver();
  const program = `import { readFileSync } from 'node:fs';
const { signingSecret, bodyAsText, request } = JSON.parse(readFileSync(0, 'utf8'));
${snippet('js', 'new Webhook(')}
console.log(message.id);`;
  const verifying = (bodyAsText: string) =>
    run(process.execPath, ['--input-type=module', '-e', program], {
      signingSecret: secret,
      bodyAsText,
      request: { headers },
    });
  expect(await verifying(body)).toBe(headers['webhook-id']);
  expect(await verifying(`${body} `)).toContain('WebhookVerificationError');
});

test('the example takes what is signed with its secret, shows it, and refuses the rest', async () => {
  const port = await closedPort();
  const url = `http://127.0.0.1:${port}/`;
  const subscription = await subscribeTo(service, { url });
  const child = spawn(process.execPath, ['examples/receiver.mjs', String(port)], {
    cwd: projectFolder,
    env: { PATH: process.env.PATH, SIGNING_SECRET: subscription.signingSecret },
  });
  onTestFinished(() => void child.kill());
  const printed = printedBy(child);
  await expect.poll(printed, { timeout: 10_000 }).toContain(url);
  const voyage = await createVoyage(service, { comments: 'Kærligt Århus' });
  const [one] = await settled(service, subscription, ['DELIVERED']);
  await expect.poll(printed).toContain(`Voyage.C.${voyage}  ${one.id}`);
  await expect.poll(printed).toContain('Kærligt Århus');
  const other = await subscribeTo(service, { url });
  const answer = await service.post(`${path(other)}/ping`, {});
  expect(answer.body).toMatchObject({ isDelivered: false, statusCode: 401 });
});

test('SIG-07: each of five attempts has the same id, a time of its own, and verifies', async () => {
  const hooks = await startHooks((response) => {
    response.statusCode = hooks.received.length < 5 ? 500 : 200;
    response.end();
  });
  const subscription = await subscribeTo(service, { url: `${hooks.url}/again` });
  await createVoyage(service);
  await settled(service, subscription, ['DELIVERED'], 20_000);
  for (const delivery of hooks.received) verify(subscription.signingSecret, delivery);
  expect(new Set(hooks.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(new Set(hooks.received.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(5);
});

test('SIG-08: what has waited is signed with the time at which it is sent', async () => {
  const hooks = await startHooks();
  const user = await service.post('/ws/rest/ApiUser', { userCode: 'sleeper', name: 'Sleeper' });
  const userPath = `/ws/rest/ApiUser/${user.body.key}`;
  const subscription = await subscribeTo(service, {
    url: `${hooks.url}/late`,
    eventType: 'Vessel.D',
    user: user.body.key,
  });
  expect((await service.put(userPath, { active: false })).status).toBe(200);
  await queue(service.database.pool, subscription.key);
  await service.database.pool.query(
    "update flaghoist_service.webhook_notification set occurred_at = occurred_at - interval '10 minutes' where " +
      'subscription = $1',
    [subscription.key],
  );
  const beforeMs = Date.now();
  expect((await service.put(userPath, { active: true })).status).toBe(200);
  const [one] = await settled(service, subscription, ['DELIVERED']);
  const delivery = hooks.received[0]!;
  expect(Number(delivery.headers['webhook-timestamp'])).toBeGreaterThanOrEqual(Math.floor(beforeMs / 1000));
  expect(Date.parse(`${one.eventTime}Z`)).toBeLessThan(beforeMs - 9 * 60_000);
  // It refuses what is older than five minutes.
  verify(subscription.signingSecret, delivery);
});

test('after a rotation both secrets verify; after the grace time only the new one (SIG-10, SIG-11)', async () => {
  const hooks = await startHooks();
  const subscription = await subscribeTo(service, { url: `${hooks.url}/rotated` });
  const second = await rotate(subscription);
  await createVoyage(service);
  await settled(service, subscription, ['DELIVERED']);
  const [both] = hooks.received;
  expect(both!.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
  for (const secret of [subscription.signingSecret, second]) verify(secret, both!);
  const third = await rotate(subscription, { graceSeconds: 0 });
  await createVoyage(service);
  await settled(service, subscription, ['DELIVERED', 'DELIVERED']);
  const last = hooks.received[1]!;
  verify(third, last);
  expect(last.headers['webhook-signature']).toMatch(/^v1,\S+$/);
  expect(() => verify(second, last)).toThrow();
});

describe('a subscription that replaces another one', () => {
  const replace = async (old: { key: number }, wishes: object) => {
    await service.database.pool.query(
      "update flaghoist_service.webhook_subscription set state = 'DEACTIVATED' where key = $1",
      [old.key],
    );
    return await subscribeTo(service, { ...wishes, replaces: old.key });
  };

  test('keeps its secret, and one that was rotated out shortly before; neither is shown again', async () => {
    const hooks = await startHooks();
    const old = await subscribeTo(service, { url: hooks.url, eventType: 'Vessel.D' });
    const second = await rotate(old);
    const made = await replace(old, { url: hooks.url, eventType: 'Vessel.D' });
    expect(made).not.toHaveProperty('signingSecret');
    await queue(service.database.pool, made.key);
    await settled(service, made, ['DELIVERED']);
    for (const secret of [old.signingSecret, second]) verify(secret, hooks.received[0]!);
    expect(hooks.received[0]!.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
  });

  test('does not keep one whose time is over', async () => {
    const hooks = await startHooks();
    const old = await subscribeTo(service, { url: hooks.url, eventType: 'Vessel.D' });
    const second = await rotate(old, { graceSeconds: 0 });
    const made = await replace(old, { url: hooks.url, eventType: 'Vessel.D' });
    await queue(service.database.pool, made.key);
    await settled(service, made, ['DELIVERED']);
    verify(second, hooks.received[0]!);
    expect(hooks.received[0]!.headers['webhook-signature']).toMatch(/^v1,\S+$/);
  });

  test('with another secret, signs with both for a day', async () => {
    const hooks = await startHooks();
    const old = await subscribeTo(service, { url: hooks.url, eventType: 'Vessel.D' });
    const signingSecret = `whsec_${Buffer.alloc(24, 'given').toString('base64')}`;
    const made = await replace(old, { url: hooks.url, eventType: 'Vessel.D', signingSecret });
    expect(made.signingSecret).toBe(signingSecret);
    await queue(service.database.pool, made.key);
    await settled(service, made, ['DELIVERED']);
    for (const secret of [old.signingSecret, signingSecret]) verify(secret, hooks.received[0]!);
  });
});

test('after the encryption key was lost, one rotation is enough: messages are signed with the new secret', async () => {
  const hooks = await startHooks();
  const subscription = await subscribeTo(service, { url: hooks.url, eventType: 'Vessel.D' });
  await service.database.pool.query(
    `update flaghoist_service.webhook_subscription set signing_secret_sealed = 'of another key' where key = $1`,
    [subscription.key],
  );
  expect((await service.post(`${path(subscription)}/ping`, {})).status).toBe(409);
  await queue(service.database.pool, subscription.key);
  const secret = await rotate(subscription);
  await settled(service, subscription, ['DELIVERED']);
  verify(secret, hooks.received[0]!);
  expect(hooks.received[0]!.headers['webhook-signature']).toMatch(/^v1,\S+$/);
});

test('a new secret is shown once: a repeat with the same Idempotency-Key leaves it out', async () => {
  const subscription = await subscribeTo(service, { url: 'http://127.0.0.1:9/' });
  const headers = { 'idempotency-key': 'rotate-once' };
  const first = await service.post(`${path(subscription)}/rotateSecret`, {}, headers);
  service.secrets.plant('a rotated signing secret', first.body.signingSecret);
  const again = await service.post(`${path(subscription)}/rotateSecret`, {}, headers);
  expect(again.body).toEqual({
    key: subscription.key,
    previousSecretExpiresDate: first.body.previousSecretExpiresDate,
  });
});

test('the headers of a delivery are these, each once (SIG-19, SIG-20)', async () => {
  const hooks = await startHooks();
  const credentials = { webhookUsername: 'desk', webhookPassword: 'p\u00e5ss:word-7Zk2' };
  service.secrets.plant('a webhook password', credentials.webhookPassword);
  const subscription = await subscribeTo(service, { url: `${hooks.url}/hook?a=1&b=%20`, ...credentials });
  const voyage = await createVoyage(service);
  const [one] = await settled(service, subscription, ['DELIVERED']);
  const { rawHeaders, headers, path: called } = hooks.received[0]!;
  expect(called).toBe('/hook?a=1&b=%20');
  expect(
    rawHeaders
      .filter((_, index) => index % 2 === 0)
      .map((name) => name.toLowerCase())
      .sort(),
  ).toEqual(
    [
      'authorization',
      'connection',
      'content-length',
      'content-type',
      'flaghoist-attempt',
      'flaghoist-event',
      'flaghoist-sequence',
      'flaghoist-subscription',
      'host',
      'user-agent',
      'webhook-id',
      'webhook-signature',
      'webhook-timestamp',
    ].sort(),
  );
  expect(headers).toMatchObject({
    authorization: `Basic ${Buffer.from('desk:p\u00e5ss:word-7Zk2').toString('base64')}`,
    'content-type': 'application/json',
    'flaghoist-event': `Voyage.C.${voyage}`,
    'user-agent': expect.stringMatching(/^Flaghoist\/\d+\.\d+\.\d+$/),
    'webhook-id': one.id,
  });
});
