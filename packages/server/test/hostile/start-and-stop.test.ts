// The service starts and stops under load: before it is ready it says so, and when it stops no accepted request is
// lost.

import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Environment, loadSettings } from '../../src/config/load-settings.ts';
import { OperatorError } from '../../src/errors.ts';
import type { Observation } from '../../src/observe/observation.ts';
import { type Service, startService } from '../../src/service.ts';
import { administrator, administratorSettings, fetchToken } from '../support/access.ts';
import { expectErrorBody } from '../support/error-body.ts';
import { freshCode } from '../support/fleet.ts';
import { converse, openSocket, type RawAnswer, readAnswers, withToken } from '../support/raw-http.ts';
import { useTestDatabase } from '../support/test-database.ts';

const database = useTestDatabase();
const observations: Observation[] = [];
const running: Service[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((service) => service.stop()));
});

async function start(environment: Environment = {}): Promise<Service> {
  const { settings } = loadSettings({
    FLAGHOIST_PORT: '0',
    FLAGHOIST_REFERENCE_DATA: 'skip',
    DATABASE_URL: database.url,
    ...administratorSettings,
    ...environment,
  });
  const service = await startService(settings, (observation) => observations.push(observation));
  running.push(service);
  return service;
}

/** A function that writes requests to create a vessel, with a token of the service. */
async function startPosting({ localUrl }: Service): Promise<(vesselName: string) => string> {
  const token = await fetchToken(localUrl, administrator);
  return (vesselName) => {
    const body = JSON.stringify({ vesselName });
    const head =
      `POST /ws/rest/Vessel HTTP/1.1\r\nHost: x\r\nContent-Type: ` +
      `application/json\r\nContent-Length: ${body.length}`;
    return withToken(token, `${head}\r\n\r\n${body}`);
  };
}

async function countVessels(prefix: string): Promise<number> {
  const { rows } = await database.pool.query('select count(*)::int from flaghoist.vessel where vessel_name like $1', [
    `${prefix}%`,
  ]);
  return rows[0].count;
}

async function connectTo({ localUrl }: Service): Promise<Socket> {
  const socket = openSocket(localUrl);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** Also of a connection that was reset. */
function ended(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.destroyed) resolve();
    else socket.resume().on('close', () => resolve());
  });
}

/** The answer to what was just sent; nothing if the connection ended without a byte of it. */
function nextAnswer(socket: Socket): Promise<RawAnswer | undefined> {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0);
    const onData = (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      const [answer] = readAnswers(received).answers;
      if (answer) settle(() => resolve(answer));
    };
    const onClose = () =>
      settle(() => (received.length === 0 ? resolve(undefined) : reject(new Error(`cut off: ${received}`))));
    const settle = (then: () => void) => {
      socket.off('data', onData).off('close', onClose);
      then();
    };
    if (socket.destroyed) resolve(undefined);
    else socket.on('data', onData).on('close', onClose);
  });
}

/** Holds every write to vessels until it is called again. */
async function holdVessels(): Promise<{ waiters(count: number): Promise<void>; letGo(): Promise<void> }> {
  const client = await database.pool.connect();
  await client.query('begin');
  await client.query('lock table flaghoist.vessel in share mode');
  const count = async () => {
    const { rows } = await database.pool.query(
      "select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return rows[0].count;
  };
  return {
    waiters: async (wanted) => void (await expect.poll(count, { timeout: 10_000, interval: 10 }).toBe(wanted)),
    letGo: async () => {
      await client.query('rollback');
      client.release();
    },
  };
}

describe('a stop', () => {
  test('in the middle of load drops no accepted request: what was not answered was not done either', async () => {
    const service = await start();
    const post = await startPosting(service);
    const prefix = freshCode('Load', 10);
    let sent = 0;
    const acknowledged: number[] = [];
    const client = async () => {
      const socket = await connectTo(service);
      while (!socket.destroyed && socket.writable) {
        const answered = nextAnswer(socket);
        sent += 1;
        socket.write(post(`${prefix} ${sent}`));
        const answer = await answered;
        if (answer === undefined) return;
        expect(answer.status).toBe(201);
        acknowledged.push(answer.body.key);
        if (answer.headers.get('connection') === 'close') return;
      }
    };
    const clients = Array.from({ length: 32 }, client);
    await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(200), { timeout: 20_000, interval: 5 });
    await service.stop();
    await Promise.all(clients);
    expect(await countVessels(prefix)).toBe(acknowledged.length);
    expect(new Set(acknowledged).size).toBe(acknowledged.length);
  });

  test('waits for what is being worked on, and takes nothing new', async () => {
    const service = await start();
    const post = await startPosting(service);
    const prefix = freshCode('Wait', 10);
    const [busy, idle] = [await connectTo(service), await connectTo(service)];
    const held = await holdVessels();
    const answered = nextAnswer(busy);
    busy.write(post(prefix));
    await held.waiters(1);
    const stopped = service.stop();
    await expect.poll(() => isRefused(service), { timeout: 10_000, interval: 20 }).toBe(true);
    await ended(idle);
    await held.letGo();
    expect((await answered)?.status).toBe(201);
    await ended(busy);
    await stopped;
    expect(await countVessels(prefix)).toBe(1);
  });

  test('tells a connection that is still open that the service is not ready, and ends it', async () => {
    const service = await start();
    const socket = await connectTo(service);
    const stopped = service.stop();
    const answered = nextAnswer(socket);
    socket.write('GET /health/ready HTTP/1.1\r\nHost: x\r\n\r\n');
    const answer = (await answered)!;
    expectErrorBody(answer, 503);
    expect([answer.headers.get('connection'), answer.headers.get('retry-after')]).toEqual(['close', '5']);
    await stopped;
  });

  test('carries out the first of several requests on a connection, and none that would get no answer', async () => {
    const service = await start();
    const post = await startPosting(service);
    const prefix = freshCode('Pipe', 10);
    const socket = await connectTo(service);
    const stopped = service.stop();
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.write(post(`${prefix} 1`) + post(`${prefix} 2`) + post(`${prefix} 3`));
    await ended(socket);
    await stopped;
    const { answers, rest } = readAnswers(Buffer.concat(chunks));
    expect([answers.map(({ status }) => status), rest.length, await countVessels(prefix)]).toEqual([[201], 0, 1]);
  });

  test('does not wait for ever: a request beyond the time limit is cut off', async () => {
    const service = await start({ FLAGHOIST_STOP_TIMEOUT_SECONDS: '1' });
    const post = await startPosting(service);
    const held = await holdVessels();
    const socket = await connectTo(service);
    socket.write(post(freshCode('Never', 10)));
    await held.waiters(1);
    const closed = ended(socket);
    const stopped = service.stop();
    await closed;
    await held.letGo();
    await stopped;
  });

  test('with clients that hold 200 connections open and say nothing takes no longer', async () => {
    const service = await start();
    const sockets = await Promise.all(Array.from({ length: 200 }, () => connectTo(service)));
    const closed = sockets.map(ended);
    await service.stop();
    await Promise.all(closed);
  });

  function isRefused({ localUrl }: Service): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = openSocket(localUrl);
      socket.on('connect', () => resolve(false)).on('error', () => resolve(true));
      socket.on('connect', () => socket.destroy());
    });
  }
});

describe('a start', () => {
  test('answers 503 with the error body until the service is ready, and nothing twice', async () => {
    const port = await freePort();
    const baseUrl = 'https://fleet.example';
    const url = `http://127.0.0.1:${port}`;
    let isReady = false;
    const starting = start({ FLAGHOIST_PORT: String(port), FLAGHOIST_BASE_URL: baseUrl }).then(() => {
      isReady = true;
    });
    const statuses = new Set<number>();
    while (!isReady) {
      const { answers } = await converse(
        url,
        'GET /ws/rest/Vessel?limit=1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      );
      if (answers.length === 0) continue;
      expect(answers).toHaveLength(1);
      statuses.add(answers[0]!.status);
      // Nobody can have a token of a service that has just started.
      if (answers[0]!.status === 401) continue;
      expect(expectErrorBody(answers[0]!, 503).uri).toBe(`${baseUrl}/ws/rest/Vessel?limit=1`);
      expect(answers[0]!.headers.get('retry-after')).toBe('1');
    }
    await starting;
    expect(statuses.has(503)).toBe(true);
    const get = 'GET /ws/rest/Vessel?limit=1 HTTP/1.1\r\nHost: x\r\n\r\n';
    const request = withToken(await fetchToken(url, administrator), get);
    const { answers } = await converse(url, request, { answers: 1 });
    expect(answers[0]?.status).toBe(200);
  });

  test('on a taken port says so in words, and leaves the other program alone', async () => {
    const taken = createServer((socket) => socket.end('mine'));
    const port = await listenOn(taken);
    await expect(start({ FLAGHOIST_PORT: String(port) })).rejects.toThrow(OperatorError);
    await expect(start({ FLAGHOIST_PORT: String(port) })).rejects.toThrow(
      new RegExp(`Port ${port} on 127\\.0\\.0\\.1 is taken .*FLAGHOIST_PORT`),
    );
    const [greeting] = await once(openSocket(`http://127.0.0.1:${port}`), 'data');
    expect(String(greeting)).toBe('mine');
    taken.close();
  });

  test('on an address of another machine says so in words', async () => {
    await expect(start({ FLAGHOIST_HOST: '203.0.113.1' })).rejects.toThrow(/no address 203\.0\.113\.1.*FLAGHOIST_HOST/);
  });

  test('after a failed start the port is free again', async () => {
    const port = await freePort();
    const nowhere = 'postgres://nobody:wrong@127.0.0.1:1/none?connect_timeout=1';
    const failed = start({
      FLAGHOIST_PORT: String(port),
      FLAGHOIST_MODEL_FILE: '/no/such/file',
      DATABASE_URL: nowhere,
    });
    await expect(failed).rejects.toThrow();
    const free = createServer();
    expect(await listenOn(free, port)).toBe(port);
    free.close();
  });

  async function freePort(): Promise<number> {
    const server = createServer();
    const port = await listenOn(server);
    await new Promise((resolve) => server.close(resolve));
    return port;
  }

  function listenOn(server: Server, port = 0): Promise<number> {
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
    });
  }
});

test('no request has failed by a fault of ours', () => {
  expect(observations.filter(({ kind }) => kind === 'request.failed')).toEqual([]);
});
