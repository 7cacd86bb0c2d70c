// The stream consumer, checked without a test runner over the `fetch` of the runtime: a server cuts its first connection
// in the middle of a character, and a handler fails once.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import process from 'node:process';
import { createClient } from '../../dist/index.js';

const acknowledged = [];
const left = new Set([1100, 1101, 1102, 1103]);
let connections = 0;

function eventOf(notification) {
  const body = JSON.stringify({
    id: `52011-${notification}`,
    objectType: 'Voyage',
    eventType: 'U',
    serviceObject: 7,
    subscription: { key: 1009, eventType: 'Voyage.U' },
    resource: { key: 7, self: 'http://127.0.0.1/ws/rest/Voyage/7', comments: 'Ålesund 🚢' },
    sequence: 52011,
    occurredAt: '2026-11-15T12:58:39.665000Z',
  });
  const headers = { 'webhook-id': `52011-${notification}`, 'flaghoist-attempt': '1' };
  return `id: ${notification}\nevent: notification\ndata: ${JSON.stringify({ notification, headers, body })}\n\n`;
}

const server = createServer(async (request, response) => {
  assert.equal(request.headers.authorization, 'Bearer token');
  if (request.method === 'POST') {
    let text = '';
    for await (const piece of request) text += piece;
    for (const key of JSON.parse(text).notifications) {
      acknowledged.push(key);
      left.delete(key);
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"acknowledged":1}');
    return;
  }
  connections += 1;
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  response.write('retry: 10\n\n:\n\n');
  const events = Buffer.from([...left].map(eventOf).join(''));
  if (connections > 2) {
    response.write(events);
    return;
  }
  // Then the connection is lost, or the service ends it: the second one gets as far as the character.
  const part = events.subarray(0, events.indexOf('🚢') + 2);
  response.write(connections === 1 ? part : events, () => {
    setTimeout(() => (connections === 1 ? response.destroy() : response.end()), 50);
  });
}).listen(0, '127.0.0.1');
await once(server, 'listening');

const handled = [];
const errors = [];
const stop = new AbortController();
let hasFailed = false;
const on = {
  async 'Voyage.U'({ id, resource }) {
    await new Promise((resolve) => {
      setTimeout(resolve, 1);
    });
    if (id === '52011-1102' && !hasFailed) {
      hasFailed = true;
      throw new Error('It fails once.');
    }
    assert.ok(!acknowledged.includes(Number(id.slice(6))));
    assert.equal(resource.comments, 'Ålesund 🚢');
    handled.push(id);
    if (handled.length === 4) stop.abort();
  },
};
const fallback = ({ event }) => assert.fail(event);
const client = createClient({ url: `http://127.0.0.1:${server.address().port}`, token: 'token' });
await client.stream(1009, { on, fallback }, { signal: stop.signal, onError: (error) => errors.push(error.message) });

assert.deepEqual([...handled].sort(), ['52011-1100', '52011-1101', '52011-1102', '52011-1103']);
assert.deepEqual([...acknowledged].sort(), [1100, 1101, 1102, 1103]);
assert.ok(errors.includes('It fails once.'));
assert.ok(connections >= 3);
server.close();
server.closeAllConnections?.();
process.stdout.write(`${connections} connections, all handled.\n`);
