// A subscription that a program sets up when it starts: as wanted afterwards, one, and nothing is lost on the way.

import { describe, expect, test } from 'vitest';
import { webhooks } from '../../server/src/model/catalogue/webhooks.ts';
import { deactivate, storedOf, storeFailed } from '../../server/test/deliver/failed-notifications.ts';
import { startSwitchedReceiver } from '../../server/test/deliver/switched-receiver.ts';
import { administrator, createClient as createCaller } from '../../server/test/support/access.ts';
import { useTestService } from '../../server/test/support/test-service.ts';
import { isOfFixed } from '../src/client/subscription-changes.ts';
import { createClient, type FlaghoistError, type SubscriptionWish } from '../src/index.ts';
import { errorOf } from './support/error-of.ts';

const service = useTestService();

let count = 0;
/** A wish with a name of its own. */
function wishFor(more: Partial<SubscriptionWish> = {}): SubscriptionWish {
  count += 1;
  return { name: `Ensured ${count} ⚓`, eventTypes: ['Vessel.C'], channelInfo: { channelType: 'STREAM' }, ...more };
}

/** A process of its own: nothing is shared but the service. */
function newProcess(requests: string[] = []) {
  const watched: typeof fetch = async (input, init) => {
    if (!String(input).includes('oauth')) requests.push(init!.method!);
    return fetch(input, init);
  };
  return createClient({ url: service.url(), ...administrator, fetch: watched });
}

async function ensure(wish: SubscriptionWish, client = newProcess()) {
  const ensured = await client.ensureSubscription(wish);
  if (ensured.signingSecret) service.secrets.plant('a signing secret', ensured.signingSecret);
  return ensured;
}

/** Those of this name, as `key STATE`. */
async function statesOf({ name }: SubscriptionWish): Promise<string[]> {
  const { objects } = await newProcess().page('WebhookSubscription', {
    filter: [['name', 'EQ', name]],
    sort: ['key(AS)'],
  });
  return objects.map(({ key, state }) => `${key} ${state}`);
}

const newVessel = (vesselName: string) => service.post('/ws/rest/Vessel', { vesselName });

describe('at the start of a program', () => {
  test('it is created, with its secret, and can be streamed', async () => {
    const wish = wishFor();
    const { key, outcome, subscription, signingSecret } = await ensure(wish);
    expect([outcome, subscription.state, subscription.name]).toEqual(['created', 'ACTIVE', wish.name]);
    expect(signingSecret).toMatch(/^whsec_/);
    await newVessel('Streamed');
    const stop = new AbortController();
    await newProcess().stream(key, () => stop.abort(), { signal: stop.signal });
    expect(await statesOf(wish)).toEqual([`${key} ACTIVE`]);
  });

  test('a rerun writes nothing, in whatever form it is wanted', async () => {
    const wish = wishFor({
      eventTypes: ['BunkerOrder.U'],
      expression: '.extraCost > 10',
      json: { extraCost: '*' },
      acknowledgeSeconds: 60,
      includeChanges: true,
    });
    const first = await ensure(wish);
    const requests: string[] = [];
    const inBase64 = { ...wish, json: first.subscription.json!, eventTypes: null, eventType: 'BunkerOrder.U' };
    const again = await ensure(inBase64, newProcess(requests));
    expect(again).toMatchObject({ key: first.key, outcome: 'unchanged', signingSecret: undefined });
    expect(requests.filter((method) => method !== 'GET')).toEqual([]);
    // A field selection as JSON is another form of what the service shows.
    const byObject = await ensure(wish);
    expect([byObject.outcome, byObject.subscription]).toEqual(['unchanged', first.subscription]);
  });

  test('what can be changed is changed, what is left out becomes the default, and nothing pending is lost', async () => {
    const dead = await startSwitchedReceiver(500);
    const alive = await startSwitchedReceiver();
    const { channelInfo: _, ...http } = wishFor({ retryPolicy: { attempts: 5, intervalSeconds: 1 } });
    const wish = { ...http, url: dead.url, expression: '.vesselName != none', doNotUnsubscribe: true };
    const { key } = await ensure(wish);
    await newVessel('Pending');
    await expect.poll(() => dead.deliveries.length).toBe(1);
    const changed = await ensure({ ...http, url: alive.url });
    expect(changed).toMatchObject({
      key,
      outcome: 'updated',
      subscription: { url: alive.url, expression: null, doNotUnsubscribe: false, channelInfo: { URL: alive.url } },
    });
    await expect.poll(() => alive.deliveries.length, { timeout: 10_000 }).toBe(1);
    expect(await statesOf(http)).toEqual([`${key} ACTIVE`]);
  });

  test('what is fixed is changed by a replacement that takes over what is pending', async () => {
    const wish = wishFor();
    const first = await ensure(wish);
    await newVessel('Before');
    const second = await ensure({ ...wish, eventTypes: ['Vessel.*'], ordering: 'OBJECT' });
    expect(second).toMatchObject({
      outcome: 'replaced',
      signingSecret: undefined,
      subscription: { eventTypes: ['Vessel.*'], ordering: 'OBJECT', replaces: first.key },
    });
    await newVessel('After');
    const names: string[] = [];
    const stop = new AbortController();
    const on = (notification: { resource: unknown }) => {
      names.push((notification.resource as { vesselName: string }).vesselName);
      if (names.length === 2) stop.abort();
    };
    await newProcess().stream(second.key, on, { signal: stop.signal });
    expect(names.sort()).toEqual(['After', 'Before']);
    expect(await statesOf(wish)).toEqual([`${first.key} UNSUBSCRIBED`, `${second.key} ACTIVE`]);
    // From STREAM to HTTP and back.
    const { channelInfo: _, ...http } = wish;
    const third = await ensure({ ...http, url: 'http://127.0.0.1:9/hook' });
    expect(third).toMatchObject({ outcome: 'replaced', subscription: { channelInfo: { channelType: 'HTTP' } } });
    expect((await ensure(wish)).outcome).toBe('replaced');
    expect((await ensure(wish)).outcome).toBe('unchanged');
  });

  test('a deactivated one is replaced, and what it failed to deliver is sent', async () => {
    const receiver = await startSwitchedReceiver();
    const { channelInfo: _, ...http } = wishFor();
    const wish = { ...http, url: receiver.url };
    const first = await ensure(wish);
    const ids = await storeFailed(service, first.key, 3);
    await deactivate(service, first.key);
    const second = await ensure(wish);
    expect(second).toMatchObject({ outcome: 'replaced', subscription: { state: 'ACTIVE', replaces: first.key } });
    await expect.poll(() => receiver.taken().sort(), { timeout: 10_000 }).toEqual(ids.sort());
    const statuses = async () => (await storedOf(service, second.key)).map(({ status }) => status);
    await expect.poll(statuses).toEqual(Array(3).fill('DELIVERED'));
  });

  test('one that was unsubscribed, renamed or deleted meanwhile is created anew, as often as it takes', async () => {
    const wish = wishFor();
    const client = newProcess();
    const first = await ensure(wish);
    await client.update('WebhookSubscription', first.key, { unsubscribed: true });
    const second = await ensure(wish);
    await client.update('WebhookSubscription', second.key, { name: 'Another name' });
    const third = await ensure(wish);
    await client.update('WebhookSubscription', third.key, { unsubscribed: true });
    await client.delete('WebhookSubscription', third.key);
    const fourth = await ensure(wish);
    expect([second, third, fourth].map(({ outcome }) => outcome)).toEqual(['created', 'created', 'created']);
    expect(await statesOf(wish)).toEqual([`${first.key} UNSUBSCRIBED`, `${fourth.key} ACTIVE`]);
  });
});

describe('processes that start at once', () => {
  const settle = async (wishes: readonly SubscriptionWish[], client?: typeof newProcess) =>
    Promise.all(wishes.map((wish) => ensure(wish, client?.())));
  const keysOf = (all: readonly { key: number }[]) => [...new Set(all.map(({ key }) => key))];

  test('leave one, where there was none', async () => {
    const wish = wishFor();
    const all = await settle(Array(8).fill(wish));
    expect(keysOf(all)).toHaveLength(1);
    expect(await statesOf(wish)).toEqual([`${all[0]!.key} ACTIVE`]);
    expect(all.map(({ outcome }) => outcome).filter((outcome) => outcome === 'created')).toHaveLength(1);
  });

  test('leave one, where there was one with other event types', async () => {
    const wish = wishFor();
    const { key } = await ensure(wish);
    const all = await settle(Array(8).fill({ ...wish, eventTypes: ['Port.*'] }));
    expect(keysOf(all)).toHaveLength(1);
    expect(await statesOf(wish)).toEqual([`${key} UNSUBSCRIBED`, `${all[0]!.key} ACTIVE`]);
  });

  test('leave one, if they want different ones: as the last of them wants it', async () => {
    const wish = wishFor();
    const expressions = Array.from({ length: 6 }, (_, index) => `.vesselName = v${index}`);
    const all = await settle(expressions.map((expression) => ({ ...wish, expression })));
    expect(keysOf(all)).toHaveLength(1);
    const { expression } = await newProcess().get('WebhookSubscription', all[0]!.key);
    expect(expressions).toContain(expression);
    expect(await statesOf(wish)).toHaveLength(1);
  });

  test('leave one, if they are different clients of a user', async () => {
    const one = await createCaller(service, ['read', 'webhook']);
    const other = await service.post('/ws/rest/ApiClient', { user: one.userKey, scopes: ['read', 'webhook'] });
    service.secrets.plant('a client secret', other.body.clientSecret);
    const clients = [one, other.body].map(({ clientId, clientSecret }) =>
      createClient({ url: service.url(), clientId, clientSecret }),
    );
    // Their tokens come first, so that they start at once.
    await Promise.all(clients.map((client) => client.count('Vessel')));
    const wish = wishFor();
    const all = await Promise.all(clients.map((client) => ensure(wish, client)));
    expect(keysOf(all)).toHaveLength(1);
    expect((await statesOf(wish)).filter((state) => state.endsWith(' ACTIVE'))).toHaveLength(1);
  });
});

describe('secrets', () => {
  test('that are not shown are sent again, because they may have changed', async () => {
    const { channelInfo: _, ...http } = wishFor();
    const basic = {
      webhookUsername: 'agent',
      webhookPassword: 'ensured-pass-1',
      headers: { 'X-Key': 'ensured-key-1' },
    };
    const wish = { ...http, url: 'http://127.0.0.1:9/hook', ...basic };
    const { key } = await ensure(wish);
    const requests: string[] = [];
    const again = await ensure({ ...wish, webhookPassword: 'ensured-pass-2' }, newProcess(requests));
    expect([again.key, requests.includes('PUT')]).toEqual([key, true]);
    const without = await ensure({ ...http, url: wish.url });
    expect(without.subscription).toMatchObject({ webhookUsername: null, headers: null });
    expect((await ensure({ ...http, url: wish.url })).outcome).toBe('unchanged');
  });

  test('an own signing secret is used when the subscription is created or replaced', async () => {
    const signingSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const wish = wishFor({ signingSecret });
    expect(await newProcess().ensureSubscription(wish)).toMatchObject({ outcome: 'created', signingSecret });
    expect(await newProcess().ensureSubscription(wish)).toMatchObject({ outcome: 'unchanged' });
    const replaced = await newProcess().ensureSubscription({ ...wish, eventTypes: ['Port.C'] });
    expect(replaced).toMatchObject({ outcome: 'replaced', signingSecret });
    service.secrets.plant('the own signing secret', signingSecret);
  });
});

describe('whose it is', () => {
  test('an administrator leaves those of other users alone, by id and secret or by token', async () => {
    const caller = await createCaller(service, ['read', 'webhook']);
    const theirs = createClient({ url: service.url(), token: caller.token });
    const wish = wishFor();
    const their = await ensure(wish, theirs);
    const mine = await ensure(wish);
    expect(mine.key).not.toBe(their.key);
    const byToken = createClient({ url: service.url(), token: () => service.token() });
    expect(await ensure({ ...wish, expression: '.vesselName = x' }, byToken)).toMatchObject({ key: mine.key });
    expect(await ensure(wish, theirs)).toMatchObject({ key: their.key, outcome: 'unchanged' });
    // Or the one of another user, if that is wanted.
    for (const user of [caller.userKey, { key: caller.userKey }, their.subscription.user.userCode])
      expect(await ensure({ ...wish, user })).toMatchObject({ key: their.key, outcome: 'unchanged' });
  });
});

test('it knows all attributes that are fixed at creation', () => {
  const { attributes } = webhooks.WebhookSubscription!;
  const fixed = Object.keys(attributes).filter((name) => (attributes[name] as { isFixed?: boolean }).isFixed);
  expect(fixed.filter((path) => !isOfFixed({ path, message: '' }))).toEqual(['replaces']);
});

describe('what cannot be', () => {
  test('several of the name are an error that names them', async () => {
    const wish = wishFor();
    const client = newProcess();
    for (let time = 0; time < 2; time += 1)
      service.secrets.plant('a secret', (await client.create('WebhookSubscription', wish)).signingSecret);
    const before = await statesOf(wish);
    const error = await errorOf(client.ensureSubscription(wish));
    expect(error.code).toBe('notUnique');
    for (const state of before) expect(error.message).toContain(state.split(' ')[0]);
    expect(await statesOf(wish)).toEqual(before);
  });

  test('mistakes in the wish are reported as the service does, and nothing is changed', async () => {
    const wish = wishFor();
    const mistaken = { ...wish, eventTypes: ['Vesel.C'], expression: '.vesselNam = x' };
    const pathsOf = ({ violations }: FlaghoistError) => violations.map(({ path }) => path);
    expect(pathsOf(await errorOf(newProcess().ensureSubscription(mistaken)))).toContain('eventTypes[0]');
    expect(await statesOf(wish)).toEqual([]);
    const { key, subscription } = await ensure(wish);
    expect(pathsOf(await errorOf(newProcess().ensureSubscription(mistaken)))).toContain('eventTypes[0]');
    const other = { ...wish, expression: '.vesselNam = x' };
    expect(pathsOf(await errorOf(newProcess().ensureSubscription(other)))).toEqual(['expression']);
    expect(await newProcess().get('WebhookSubscription', key)).toEqual(subscription);
    for (const name of ['', undefined as never])
      expect((await errorOf(newProcess().ensureSubscription({ ...wish, name }))).code).toBe('invalidRequest');
  });

  test('without the scope webhook, the error says so', async () => {
    const { token } = await createCaller(service, ['read']);
    const client = createClient({ url: service.url(), token });
    expect(await errorOf(client.ensureSubscription(wishFor()))).toMatchObject({ status: 403 });
  });

  test('an abort ends it', async () => {
    const signal = AbortSignal.abort();
    expect((await errorOf(newProcess().ensureSubscription(wishFor(), { signal }))).code).toBe('aborted');
  });
});
