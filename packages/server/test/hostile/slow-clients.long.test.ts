// Clients that never finish: the edge of the service, with its own parts but short time limits, gets rid of each of
// them.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { openScriptSandbox } from '@flaghoist/script-sandbox';
import { openStylesheets } from '@flaghoist/stylesheets';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessActions } from '../../src/auth/clients/access-actions.ts';
import { makeFirstClient } from '../../src/auth/clients/bootstrap-client.ts';
import { accessRules } from '../../src/auth/clients/client-rules.ts';
import { loadEncryption } from '../../src/auth/encryption/encryption-key.ts';
import { type Auth, openAuth } from '../../src/auth/open-auth.ts';
import { openChannels } from '../../src/channels/registry/open-channels.ts';
import { systemClock } from '../../src/clock.ts';
import { loadSettings } from '../../src/config/load-settings.ts';
import { Database } from '../../src/database/database.ts';
import { ServerHosts } from '../../src/database/server-hosts.ts';
import { deliveryActions } from '../../src/deliver/delivery-actions.ts';
import { statisticsActions } from '../../src/deliver/statistics/statistics-actions.ts';
import { openStreams, type Streams } from '../../src/deliver/stream/open-streams.ts';
import { openStream, streamActions } from '../../src/deliver/stream/stream-actions.ts';
import { type Listener, openListener, usualTimeouts } from '../../src/edge/listener.ts';
import { respondToParseError } from '../../src/edge/response/respond-on-socket.ts';
import { ResponsesInFlight } from '../../src/edge/response/responses-in-flight.ts';
import { HttpServer } from '../../src/edge/server.ts';
import { explainActions } from '../../src/explain/explain-actions.ts';
import { buildModel } from '../../src/model/build-model.ts';
import { catalogue } from '../../src/model/catalogue/catalogue.ts';
import { openObjects } from '../../src/objects/objects.ts';
import { createMetrics } from '../../src/observe/metrics.ts';
import type { Observation } from '../../src/observe/observation.ts';
import { restPath } from '../../src/paths.ts';
import { SandboxTurns } from '../../src/scripts/sandbox-turns.ts';
import { administrator, administratorSettings, fetchToken } from '../support/access.ts';
import { expectErrorBody } from '../support/error-body.ts';
import { modelDigest } from '../support/model-digest.ts';
import { converse, openSocket, readAnswers, withToken } from '../support/raw-http.ts';
import { useTestDatabase } from '../support/test-database.ts';
import { unusedOperations } from '../support/unused-operations.ts';

const testDatabase = useTestDatabase();
const timeouts = { headersMs: 1000, requestMs: 2000, checkedEveryMs: 200, unreadMs: 3000 };
const observations: Observation[] = [];
let listener: Listener;
let database: Database;
let auth: Auth;
let streams: Streams;
let server: HttpServer;
let url: string;
let token: string;
beforeAll(async () => {
  const observe = (observation: Observation) => void observations.push(observation);
  const model = buildModel(catalogue);
  const { settings } = loadSettings({ FLAGHOIST_STOP_TIMEOUT_SECONDS: '1', ...administratorSettings });
  listener = await openListener('127.0.0.1', 0, { timeouts });
  url = `http://127.0.0.1:${listener.port}`;
  database = new Database({ url: testDatabase.url, observe, connectionsMax: 4, statementTimeoutMs: 30_000 });
  const encryption = await loadEncryption(settings, database);
  const engines = { scripts: openScriptSandbox({ threads: 1 }), stylesheets: openStylesheets({ threads: 1 }) };
  const rules = accessRules(settings, encryption, systemClock);
  const objects = openObjects(database, model, { restUrl: url + restPath, arrayObjectsMax: 1000, rules });
  const common = { settings, baseUrl: url, database, observe, clock: systemClock };
  auth = await openAuth({ ...common, encryption, directoryDatabase: database });
  const links = { restUrl: url + restPath };
  streams = openStreams({ hosts: new ServerHosts(testDatabase.url, observe), database, encryption, links, observe });
  const { hub, queueDatabase, wake: wakeStreams, wakeWaiting } = streams;
  const streaming = { database, queueDatabase, observe, hub, wakeStreams, wakeWaiting };
  server = new HttpServer({
    ...common,
    listener,
    model,
    modelDigest,
    authenticator: auth.authenticator,
    tokenEndpoint: auth.tokenEndpoint,
    consoleParts: auth.consoleParts,
    streams: new Map([['WebhookSubscription.stream', openStream(streaming)]]),
    operations: unusedOperations,
    operationStreams: unusedOperations,
    actions: new Map([
      ...accessActions({ database, encryption, issuerUrl: undefined, writes: { after: (writing) => writing } }),
      ...explainActions({
        ...common,
        model,
        links,
        objects,
        engines,
        turns: new SandboxTurns(),
      }),
      ...deliveryActions({
        ...common,
        channels: openChannels({ settings, version: '0', clock: systemClock }, observe).byType,
        links,
        encryption,
      }),
      ...streamActions(streaming),
      ...statisticsActions({ database, model }),
    ]),
    objects,
    healthDatabase: database,
    responses: new ResponsesInFlight({ bytesMax: settings.answerBytesMax }),
    metrics: createMetrics(),
  });
  await server.prepare();
  server.open();
  await makeFirstClient({ ...common, encryption });
  token = await fetchToken(url, administrator);
});
afterAll(async () => {
  await server.stop(0);
  await streams.stop();
  await auth.stop();
  await database.close();
});

async function open(bytes = ''): Promise<Socket> {
  const socket = openSocket(url);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  if (bytes !== '') socket.write(bytes);
  return socket;
}

/** A POST up to what is said of its body, and what else is sent. */
function post(rest: string): string {
  return withToken(token, `POST /ws/rest/Vessel HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${rest}`);
}

describe.concurrent('a client is told 408 and cut off', () => {
  test.each<[string, () => string]>([
    ['that says nothing', () => ''],
    ['that stops in its request line', () => 'GET /ws/rest/Ves'],
    ['that stops in its headers', () => 'GET /ws/rest/Vessel HTTP/1.1\r\nHost: x\r\nX-Slow: '],
    ['that stops in its body', () => post('Content-Length: 100\r\n\r\n{"vesselName":')],
    ['that stops in a chunk', () => post('Transfer-Encoding: chunked\r\n\r\nff\r\n{"vesselName":')],
    ['that stops between chunks', () => post('Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n')],
  ])('%s', async (_, bytes) => {
    const { answers, isClosed } = await converse(url, bytes());
    expect(isClosed).toBe(true);
    expectErrorBody(answers.at(-1)!, 408);
  });

  test.each<[string, () => string, string]>([
    ['headers', () => 'GET /ws/rest/Vessel HTTP/1.1\r\nHost: x\r\n', 'X: y\r\n'],
    ['a body', () => post('Content-Length: 100000\r\n\r\n'), ' '],
    ['chunks', () => post('Transfer-Encoding: chunked\r\n\r\n'), '1\r\n \r\n'],
  ])('that drips %s, however steadily', async (_, start, drop) => {
    const socket = await open(start());
    const received: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => received.push(chunk));
    const dripping = setInterval(() => socket.write(drop), 100);
    await once(socket, 'close');
    clearInterval(dripping);
    expectErrorBody(readAnswers(Buffer.concat(received)).answers.at(-1)!, 408);
  });
});

describe('a connection is ended', () => {
  test.each(['nonsense\r\n\r\n', 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n'])(
    'of a client that got its 400 and does not let go: %j',
    async (bytes) => {
      const before = await countConnections();
      const socket = connect({ host: '127.0.0.1', port: listener.port, allowHalfOpen: true });
      socket.write(bytes);
      await once(socket, 'data');
      await expect.poll(() => countConnections(), { timeout: 20_000, interval: 200 }).toBe(before);
      socket.destroy();
    },
  );

  test('of a client that goes on sending after its 413', async () => {
    const socket = await open(post('Transfer-Encoding: chunked\r\n\r\n'));
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    const received: Buffer[] = [];
    socket.on('data', (data: Buffer) => received.push(data));
    const sending = setInterval(() => socket.write(chunk), 20);
    await new Promise((resolve) => socket.once('close', resolve));
    clearInterval(sending);
    expectErrorBody(readAnswers(Buffer.concat(received)).answers[0]!, 413);
  });

  test('of a client that does not read its answers', async () => {
    const body = JSON.stringify({ vesselName: 'Unread', vesselType: 'x'.repeat(1_000_000) });
    const created = await fetch(`${url}/ws/rest/Vessel`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body,
    });
    const location = new URL(created.headers.get('location')!);
    const before = await countConnections();
    const get = withToken(token, `GET ${location.pathname} HTTP/1.1\r\nHost: x\r\n\r\n`);
    const socket = await open(get.repeat(20));
    socket.pause();
    await expect.poll(() => countConnections(), { timeout: 20_000, interval: 200 }).toBe(before);
    socket.destroy();
  });

  describe('where an answer may lie there for a second', () => {
    const body = Buffer.alloc(32 * 1024 * 1024);
    let large: Listener;
    beforeAll(async () => {
      large = await openListener('127.0.0.1', 0, { timeouts: { ...timeouts, unreadMs: 1000 } });
      large.serveWith((_, response) => response.end(body));
      const context = { baseUrl: url, clock: systemClock, observe: () => undefined };
      large.server.on('clientError', (error, socket) => respondToParseError(error, socket as Socket, context));
    });
    afterAll(() => large.close(0));

    /** Has its first bytes, and reads no more yet. */
    async function ask(): Promise<Socket> {
      const socket = openSocket(`http://127.0.0.1:${large.port}`);
      socket.on('error', () => undefined);
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
      await once(socket, 'readable');
      return socket;
    }

    test.each([
      ['the start of another request', 'GET /x HTTP/1.1\r\nHost: x\r\nX: ', 'x'],
      ['whole requests', '', 'GET /x HTTP/1.1\r\nHost: x\r\n\r\n'],
    ])('of a client that reads nothing, and sends %s all the while', async (_, start, drop) => {
      const socket = await ask();
      socket.write(start);
      const dripping = setInterval(() => socket.write(drop), 50);
      await expect.poll(() => countConnections(large), { timeout: 20_000, interval: 200 }).toBe(0);
      clearInterval(dripping);
      socket.destroy();
    });

    test('not of a client that reads slowly, also if it leaves its next request unfinished', async () => {
      const socket = await ask();
      socket.write('GET /x HTTP/1.1\r\n');
      let received = 0;
      socket.on('data', (chunk: Buffer) => {
        received += chunk.length;
        socket.pause();
      });
      // Chunks have up to 64 kB: it takes several times as long as an answer may lie there unread.
      const reading = setInterval(() => socket.resume(), 10);
      await once(socket, 'close');
      clearInterval(reading);
      expect(received).toBeGreaterThan(body.length);
    });
  });

  test('with 408 where a request does not arrive, also if answers may lie there for less long', async () => {
    const strict = await openListener('127.0.0.1', 0, { timeouts: { ...timeouts, unreadMs: 100 } });
    const { answers } = await converse(`http://127.0.0.1:${strict.port}`, 'GET /ws/rest/Ves', { answers: 1 });
    expect(answers[0]!.status).toBe(408);
    await strict.close(0);
  });

  function countConnections({ server } = listener): Promise<number> {
    return new Promise((resolve) => server.getConnections((_, count) => resolve(count)));
  }
});

test('the limits of the service itself are below a minute or at it', async () => {
  const usual = await openListener('127.0.0.1', 0);
  expect(usual.server.headersTimeout).toBeLessThanOrEqual(60_000);
  expect(usual.server.requestTimeout).toBeLessThanOrEqual(60_000);
  expect(usual.server.headersTimeout * usual.server.requestTimeout).toBeGreaterThan(0);
  expect(usualTimeouts.unreadMs).toBe(20_000);
  await usual.close(0);
});

test('no request has failed by a fault of ours', () => {
  expect(observations.filter(({ kind }) => kind === 'request.failed')).toEqual([]);
});
