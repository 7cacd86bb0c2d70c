// A connection that is replaced stays until it has sent what its successor may not have.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LiveConnections } from '../src/service/live-connections.ts';

interface Feed {
  send(event: string, data?: unknown): Promise<void>;
  end(): void;
  isCancelled: boolean;
}

const feeds: Feed[] = [];
const received: string[] = [];
const connected: boolean[] = [];
let connections: LiveConnections;

function openFeed(): Response {
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  const feed: Feed = {
    isCancelled: false,
    send: async (event, data = {}) => {
      controller.enqueue(new TextEncoder().encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`));
      await new Promise((resolve) => setTimeout(resolve, 20));
    },
    end: () => controller.close(),
  };
  feeds.push(feed);
  const body = new ReadableStream<Uint8Array>({
    start: (started) => {
      controller = started;
    },
    cancel: () => {
      feed.isCancelled = true;
    },
  });
  return new Response(body);
}

beforeEach(async () => {
  for (const list of [feeds, received, connected]) list.length = 0;
  connections = new LiveConnections({
    connect: async () => openFeed(),
    onState: () => undefined,
    onConnected: (wasLost) => void connected.push(wasLost),
    onEvent: (event, data) => void received.push(`${event} ${data}`),
  });
  await vi.waitFor(() => expect(feeds).toHaveLength(1));
  await feeds[0]!.send('ready');
  connections.useRenewedToken();
  await vi.waitFor(() => expect(feeds).toHaveLength(2));
});

afterEach(() => connections.close());

const rows = (...keys: number[]) => ({ rows: keys.map((key) => ({ key })), skipped: 0 });

test('rows of both arrive, but none of the old one that its successor has sent: it may be older', async () => {
  const [old, next] = feeds as [Feed, Feed];
  await old.send('notifications', rows(1));
  await next.send('ready');
  await next.send('notifications', rows(2));
  await old.send('notifications', rows(2, 3));
  const arrived = received.filter((each) => each.startsWith('notifications'));
  expect(arrived.map((each) => JSON.parse(each.slice('notifications '.length)))).toEqual([rows(1), rows(2), rows(3)]);
});

test('the old connection is closed after two more figures, which are not shown, and no gap is reported', async () => {
  const [old, next] = feeds as [Feed, Feed];
  await next.send('ready');
  await old.send('figures', { of: 'old' });
  expect(old.isCancelled).toBe(false);
  await old.send('figures', { of: 'old' });
  expect(old.isCancelled).toBe(true);
  await next.send('figures', { of: 'next' });
  expect(received.filter((each) => each.startsWith('figures'))).toEqual(['figures {"of":"next"}']);
  expect(connected).toEqual([false]);
});

test('a gap is reported if the old connection ends before its successor is ready, or before it has sent the rest', async () => {
  const [old, next] = feeds as [Feed, Feed];
  await next.send('ready');
  old.end();
  await vi.waitFor(() => expect(connected).toEqual([false, true]));
  connections.useRenewedToken();
  await vi.waitFor(() => expect(feeds).toHaveLength(3));
  next.end();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(connected).toEqual([false, true]);
  await feeds[2]!.send('ready');
  expect(connected).toEqual([false, true, true]);
});
