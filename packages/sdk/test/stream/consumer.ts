// A consumer of the stream of a real service, for tests: with a ledger of what was handled and what was acknowledged.

import { expect, onTestFinished } from 'vitest';
import { administrator } from '../../../server/test/support/access.ts';
import type { TestService } from '../../../server/test/support/test-service.ts';
import { createClient, type Notification, type StreamOptions } from '../../src/index.ts';

export interface Ledger {
  /** Names of what was handled to the end, in this order. */
  handled: string[];
  errors: string[];
  /** The keys of notifications that were acknowledged before their handler had finished. */
  early: number[];
  acknowledged: Set<number>;
  /** The most handlers that ran at a time. */
  atOnceMax: number;
  /** Aborts, and waits for the end. */
  stop(): Promise<void>;
  /** Settles with the stream. */
  ended: Promise<void>;
  /** Waits until so many different ones are handled. */
  reach(count: number, timeout?: number): Promise<void>;
}

export const nameIn = ({ resource }: Notification) => (resource as { vesselName: string }).vesselName;

/** Ends with the test. Acknowledgements pass a ledger on their way to the service. */
export function consume(
  url: string,
  subscriptionKey: number,
  handler: (notification: Notification) => unknown = () => undefined,
  options: StreamOptions = {},
  onRequest: (path: string) => void = () => undefined,
): Ledger {
  const finished = new Set<number>();
  const stop = new AbortController();
  let running = 0;
  const ledgerFetch: typeof fetch = async (input, init) => {
    const { pathname } = new URL(String(input));
    onRequest(pathname);
    if (pathname.endsWith('/acknowledge')) {
      const { notifications } = JSON.parse(String(init!.body)) as { notifications: number[] };
      for (const key of notifications) {
        ledger.acknowledged.add(key);
        if (!finished.has(key)) ledger.early.push(key);
      }
    }
    return fetch(input, init);
  };
  const client = createClient({ url, ...administrator, fetch: ledgerFetch });
  const handle = async (notification: Notification) => {
    running += 1;
    ledger.atOnceMax = Math.max(ledger.atOnceMax, running);
    try {
      await handler(notification);
      finished.add(Number(notification.id.split('-')[1]));
      ledger.handled.push(nameIn(notification));
    } finally {
      running -= 1;
    }
  };
  const ended = client.stream(subscriptionKey, handle, {
    signal: stop.signal,
    onError: (error) => ledger.errors.push((error as Error).message),
    ...options,
  });
  const ledger: Ledger = {
    handled: [],
    errors: [],
    early: [],
    acknowledged: new Set(),
    atOnceMax: 0,
    ended,
    stop: () => {
      stop.abort();
      return ended;
    },
    reach: async (count, timeout = 10_000) => {
      await expect.poll(() => new Set(ledger.handled).size, { timeout, interval: 10 }).toBeGreaterThanOrEqual(count);
    },
  };
  // A test that looks at it sees the error.
  ended.catch(() => undefined);
  onTestFinished(() => ledger.stop().catch(() => undefined));
  return ledger;
}

export async function subscribeToStream(service: TestService, more: object = {}): Promise<number> {
  const body = { eventType: 'Vessel.C', channelInfo: { channelType: 'STREAM' }, ...more };
  const answer = await service.post('/ws/rest/WebhookSubscription', body);
  expect(answer.status, answer.text).toBe(201);
  service.secrets.plant('a signing secret', answer.body.signingSecret);
  return answer.body.key;
}

let count = 0;

/** So many vessels, one request each. Answers their names. */
export async function createVessels(service: TestService, times: number): Promise<string[]> {
  const names: string[] = [];
  for (let time = 0; time < times; time += 1) {
    count += 1;
    const answer = await service.post('/ws/rest/Vessel', { vesselName: `Vessel ${count} ⚓` });
    expect(answer.status, answer.text).toBe(201);
    names.push(answer.body.vesselName);
  }
  return names;
}

/** Waits until the service has nothing left to send. */
export async function isDelivered(service: TestService, subscription: number, expected: number, timeout = 10_000) {
  const path = `/ws/rest/WebhookNotification?filter=subscription(EQ)${subscription}&limit=2000`;
  const read = async () => (await service.get(`${path}&filter=status(EQ)DELIVERED`)).body.length;
  await expect.poll(read, { timeout, interval: 50 }).toBe(expected);
}

/** A promise that a test ends. */
export function gate(): { open(): void; passed: Promise<void> } {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, passed };
}

/** In the order of the changes. */
export async function statusesOf(service: TestService, subscription: number): Promise<string[]> {
  const { body } = await service.get(
    `/ws/rest/WebhookNotification?filter=subscription(EQ)${subscription}&sort=key(AS)`,
  );
  return body.map(({ status }: { status: string }) => status);
}
