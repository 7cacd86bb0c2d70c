// The example that keeps a copy of all bunker orders. It is fed with recorded deliveries of a random history: in any
// order, some of them twice, and as they would be replayed.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { closedPort } from '../channels/receiver.ts';
import { matched } from '../match/heard.ts';
import { bunkerOrderBody, createFleet, createVoyage, type Fleet, type Shown } from '../support/fleet.ts';
import { useTestService } from '../support/test-service.ts';
import { type Received, startHooks, subscribeTo } from './hooks.ts';

const service = useTestService();
let fleet: Fleet;
let voyage: Shown;
beforeAll(async () => {
  fleet = await createFleet(service);
  voyage = await createVoyage(service, fleet);
});

describe('the copy of all bunker orders', () => {
  test('equals those of the service after any order of deliveries, duplicates and replays', {
    timeout: 60_000,
  }, async () => {
    const { secret, received } = await record(() => writeHistory(fc.sample(history, { numRuns: 1, seed: 20262 })[0]!));
    const expected = await readAll();
    expect(expected.length).toBeGreaterThan(2);
    const changes = received.map(({ headers }) => String(headers['flaghoist-event']).replace(/\.\d+$/, ''));
    expect(new Set(changes)).toEqual(new Set(everyChange));
    for (const seed of [1, 2]) {
      const copy = await startCopy(secret);
      const [order] = fc.sample(reordered(received), { numRuns: 1, seed });
      expect(new Set(await Promise.all(order!.map((delivery) => feed(copy, delivery))))).toEqual(new Set([204]));
      expect(await copied(copy)).toEqual(expected);
      await Promise.all(received.map((delivery) => feed(copy, delivery)));
      expect(await copied(copy)).toEqual(expected);
    }
  });

  test('keeps a deleted order deleted when older deliveries come late', async () => {
    const { secret, received } = await record(() =>
      writeHistory([
        ['create', 0],
        ['status', 0],
        ['delete', 0],
      ]),
    );
    const copy = await startCopy(secret);
    const deletions = received.filter(({ body }) => JSON.parse(body).eventType === 'D');
    expect(deletions).toHaveLength(1);
    for (const delivery of [...deletions, ...received]) await feed(copy, delivery);
    expect(await copied(copy)).toEqual([]);
  });

  test('takes nothing that is not signed by its subscription, and survives what is cut off', async () => {
    const { secret, received } = await record(() => writeHistory([['create', 0]]));
    const copy = await startCopy(secret);
    const [delivery] = received;
    expect(await feed(copy, { ...delivery!, body: delivery!.body.replace('PLN', 'CAN') })).toBe(401);
    expect(await feed(copy, { ...delivery!, headers: { 'content-type': 'application/json' } })).toBe(401);
    const late = { ...delivery!.headers, 'webhook-timestamp': '1700000000' };
    expect(await feed(copy, { ...delivery!, headers: late })).toBe(401);
    const cut = new AbortController();
    const upload = new ReadableStream({ start: (stream) => stream.enqueue(new TextEncoder().encode('{')) });
    const request = fetch(copy, { method: 'POST', body: upload, duplex: 'half', signal: cut.signal } as RequestInit);
    cut.abort();
    await expect(request).rejects.toThrow();
    expect(await copied(copy)).toEqual([]);
  });
});

/** An operation on the order of this number, among those that exist, or on a port call. */
type Step = [operation: keyof typeof operations, choice: number];

const operations = {
  create: (choice: number) => service.post('/ws/rest/BunkerOrder', bunkerOrderBody(fleet, portCall(choice))),
  status: (choice: number) =>
    changeOrder(choice, () => ({ bunkerOrderStatus: ['REQ', 'ORD', 'DLV', 'INV'][choice % 4]! })),
  move: (choice: number) => changeOrder(choice, () => ({ portCall: portCall(choice) })),
  lines: (choice: number) =>
    changeOrder(choice, ({ bunkerOrderLines: [first] }) => ({
      bunkerOrderLines: [
        { key: first.key, unitPrice: choice },
        { minQuantity: 1, maxQuantity: choice + 1, unitPrice: 3.5, bunkerType: fleet.bunkerType.key },
      ],
    })),
  eta: (choice: number) =>
    service.put(`/ws/rest/PortCall/${portCall(choice)}`, {
      eta: `2026-12-01T00:00:${String(choice).padStart(2, '0')}`,
    }),
  delete: async (choice: number) => {
    const key = await orderKey(choice);
    return key === undefined ? undefined : service.delete(`/ws/rest/BunkerOrder/${key}`);
  },
};

const step = fc.tuple(
  fc.constantFrom(...(['create', 'create', 'create', 'status', 'move', 'lines', 'eta', 'delete'] as const)),
  fc.nat(30),
);
const history = fc.array(step, { minLength: 40, maxLength: 40 });

const everyChange = [
  ...['BunkerOrder.C', 'BunkerOrder.U', 'BunkerOrder.D'],
  ...['BunkerOrderLine.C', 'BunkerOrderLine.U', 'BunkerOrderLine.D', 'PortCall.U'],
];

/** Every delivery at least once, and some of them again, in any order. */
function reordered(received: Received[]): fc.Arbitrary<Received[]> {
  const twice = [...received, ...received];
  return fc
    .shuffledSubarray(twice, { minLength: Math.ceil(received.length * 1.5) })
    .map((some) => [...some, ...received.filter((delivery) => !some.includes(delivery))]);
}

/** Two writers at once, so that changes overlap. */
async function writeHistory(steps: Step[]): Promise<void> {
  for (let at = 0; at < steps.length; at += 2)
    await Promise.all(steps.slice(at, at + 2).map(([operation, choice]) => operations[operation](choice)));
}

function portCall(choice: number): number {
  return voyage.portCalls[choice % 2].key;
}

async function orderKeys(): Promise<number[]> {
  return (await service.get('/ws/rest/BunkerOrder?sort=key(AS)')).body.map(({ key }: Shown) => key);
}

async function orderKey(choice: number): Promise<number | undefined> {
  const keys = await orderKeys();
  return keys[choice % keys.length];
}

async function changeOrder(choice: number, changes: (order: Shown) => object) {
  const key = await orderKey(choice);
  const path = `/ws/rest/BunkerOrder/${key}`;
  return key === undefined ? undefined : service.put(path, changes((await service.get(path)).body));
}

/** The deliveries of what is written meanwhile. Orders of earlier tests are gone. */
async function record(write: () => Promise<void>): Promise<{ secret: string; received: Received[] }> {
  for (const key of await orderKeys()) await service.delete(`/ws/rest/BunkerOrder/${key}`);
  const hooks = await startHooks();
  const all = { eventType: undefined, eventTypes: ['BunkerOrder.*'], url: hooks.url };
  const { key, signingSecret: secret } = await subscribeTo(service, all);
  await write();
  await matched(service);
  const pending = async () => (await service.get('/ws/rest/WebhookNotification?filter=status(EQ)PENDING')).body.length;
  await expect.poll(pending, { timeout: 20_000 }).toBe(0);
  await service.put(`/ws/rest/WebhookSubscription/${key}`, { unsubscribed: true });
  return { secret, received: hooks.received };
}

/** Answers its URL. */
async function startCopy(secret: string): Promise<string> {
  const port = await closedPort();
  const child = spawn(process.execPath, ['examples/bunker-order-copy.mjs', String(port)], {
    cwd: fileURLToPath(new URL('../../../../', import.meta.url)),
    env: { PATH: process.env.PATH, SIGNING_SECRET: secret },
  });
  onTestFinished(() => void child.kill());
  await once(child.stdout, 'data');
  return `http://127.0.0.1:${port}/`;
}

async function feed(copy: string, { headers, body }: Pick<Received, 'headers' | 'body'>): Promise<number> {
  const passed = Object.entries(headers).filter(([name]) => /^(webhook|flaghoist|content-type)/.test(name));
  const response = await fetch(copy, { method: 'POST', headers: passed as [string, string][], body });
  return response.status;
}

async function copied(copy: string): Promise<Shown[]> {
  const orders = (await (await fetch(copy)).json()) as Shown[];
  return orders.sort((one, other) => one.key - other.key);
}

async function readAll(): Promise<Shown[]> {
  const keys = await orderKeys();
  return Promise.all(keys.map(async (key) => (await service.get(`/ws/rest/BunkerOrder/${key}`)).body));
}
