// A client that reads too slowly costs a bounded amount of memory: what it misses is counted and left out.

import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fastify } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { openEventResponse } from '../../src/edge/routes/event-response.ts';
import { LiveFeed } from '../../src/live/live-feed.ts';
import { buildModel } from '../../src/model/build-model.ts';
import type { EventResponse } from '../../src/objects/action-call.ts';

async function connect() {
  const app = fastify({ forceCloseConnections: true });
  onTestFinished(() => app.close());
  let response: EventResponse | undefined;
  let feed: LiveFeed | undefined;
  let isClosed = false;
  app.get('/', (request, reply) => {
    response = openEventResponse(request, reply, async () => true);
    const viewer = {
      client: 'c',
      sees: 'all',
      model: buildModel({}),
      wants: { notifications: true, changes: true },
    } as const;
    feed = new LiveFeed(viewer, response, () => {
      isClosed = true;
    });
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const [incoming] = (await once(get({ port, host: '127.0.0.1', agent: false }), 'response')) as [IncomingMessage];
  let text = '';
  incoming.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  return { response: response!, feed: feed!, incoming, text: () => text, isClosed: () => isClosed };
}

test('what it does not read is counted, and comes as `skipped` with the next rows that it can read', async () => {
  const { response, feed, incoming, text } = await connect();
  incoming.pause();
  const row = JSON.stringify({ text: 'x'.repeat(100_000) });
  let sent = 0;
  // More than the buffers of any operating system hold.
  for (; sent < 1_000; sent += 1) {
    feed.sendRows('notifications', [row], 0);
    feed.sendFigures('figures', '{}');
    feed.sendSubscriptions([sent + 1]);
    expect(response.unreadBytes()).toBeLessThan(500_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const before = text().length;
  incoming.resume();
  const received = () =>
    [...text().matchAll(/^event: notifications\ndata: (.+)$/gm)].map(([, data]) => JSON.parse(data!));
  const keys = () =>
    [...text().matchAll(/^event: subscriptions\ndata: (.+)$/gm)].flatMap(([, data]) => JSON.parse(data!).keys);
  await expect
    .poll(() => {
      feed.sendRows('notifications', ['{"text":"last"}'], 0);
      sent += 1;
      return received().some(({ rows }) => rows[0].text === 'last');
    })
    .toBe(true);
  expect(text().length).toBeGreaterThan(before);
  await expect.poll(() => received().reduce((sum, { rows, skipped }) => sum + rows.length + skipped, 0)).toBe(sent);
  expect(received().some(({ skipped }) => skipped > 0)).toBe(true);
  // Nothing more happens, and the rest comes with the figures.
  await expect
    .poll(() => {
      feed.sendFigures('figures', '{}');
      return new Set(keys()).size;
    })
    .toBe(1_000);
});

test('a connection that is lost is told to its hub once, and can still be written to', async () => {
  const { feed, incoming, isClosed } = await connect();
  incoming.destroy();
  await expect.poll(isClosed).toBe(true);
  feed.sendRows('changes', ['{}'], 0);
  feed.sendFigures('figures', '{}');
  feed.beat();
  feed.end();
});
