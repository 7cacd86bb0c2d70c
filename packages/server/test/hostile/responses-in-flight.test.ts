// What answers hold in memory is counted until nobody can read them any more, however a connection ends.

import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { respondInOrder } from '../../src/edge/response/respond-in-order.ts';
import { ResponsesInFlight } from '../../src/edge/response/responses-in-flight.ts';
import type { ApiError } from '../../src/errors.ts';

const bytesMax = 40_000_000;
let freed: string[];
let answers: ResponsesInFlight;
let server: Server;
let sockets: Socket[];

/**
 * `GET /alice/20000000`: the client, and how many bytes it is answered with; `/held`: that are read, and never sent.
 * `PUT`: that are never refused.
 */
beforeEach(async () => {
  freed = [];
  sockets = [];
  answers = new ResponsesInFlight({ bytesMax, onFreed: (client) => freed.push(client) });
  server = createServer(respondInOrder(respond)).listen(0, '127.0.0.1');
  await once(server, 'listening');
});

function respond(request: IncomingMessage, response: ServerResponse): void {
  const [, client = '', bytes, held] = request.url!.split('/');
  const exchange = { request, response, client };
  let body = Buffer.alloc(Number(bytes));
  try {
    if (request.method !== 'PUT') answers.receive(exchange)(body.length);
  } catch (error) {
    response.statusCode = (error as ApiError).status;
    body = Buffer.from((error as ApiError).message);
  }
  if (held && response.statusCode === 200) return;
  answers.send(exchange, body.length);
  response.end(body);
}

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await expect.poll(() => answers.bytes).toBe(0);
  server.close();
});

/** Reads nothing of the answers unless told to. */
async function ask(...paths: string[]): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(paths.map((path) => `${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''));
  return socket;
}

function url(path: string): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
}

describe('an answer is counted', () => {
  test('until it was read', async () => {
    const socket = await ask('GET /alice/20000000');
    await expect.poll(() => answers.bytes).toBe(20_000_000);
    socket.resume();
    await expect.poll(() => answers.bytes).toBe(0);
    expect(freed).toContain('alice');
  });

  test('until its connection has ended', async () => {
    const socket = await ask('GET /alice/20000000');
    await expect.poll(() => answers.bytes).toBe(20_000_000);
    socket.destroy();
    await expect.poll(() => answers.bytes).toBe(0);
  });

  test('alone: those behind it on the same connection are made when it was read', async () => {
    const socket = await ask('GET /alice/8000000', 'GET /alice/6000000', 'GET /alice/5000000');
    let [received, most] = [0, 0];
    await expect.poll(() => answers.bytes).toBe(8_000_000);
    socket.on('data', ({ length }) => {
      received += length;
      most = Math.max(most, answers.bytes);
    });
    await expect.poll(() => received).toBeGreaterThan(19_000_000);
    expect(most).toBe(8_000_000);
  });

  test('by what is sent in the end, where that is less than was read', async () => {
    await (await fetch(url('/alice/30000'), { method: 'HEAD' })).text();
    await expect.poll(() => answers.bytes).toBe(0);
  });
});

test('an answer over the bound for all is refused; a small one may go a quarter over it', async () => {
  await ask('GET /alice/20000000');
  await ask('GET /bob/19990000');
  await expect.poll(() => answers.bytes).toBe(39_990_000);
  const refused = await fetch(url('/carol/2000000'));
  expect(refused.status).toBe(503);
  expect(await refused.text()).toMatch(/page through the list with limit, or select less with fields/);
  for (let n = 0; n < 3; n += 1) expect((await fetch(url('/carol/60000'))).status).toBe(200);
});

test('answers that are small are refused when they are a quarter over the bound together', async () => {
  await ask('GET /alice/20000000');
  await ask('GET /bob/19990000');
  await expect.poll(() => answers.bytes).toBe(39_990_000);
  for (let n = 0; n < 167; n += 1) await ask('GET /carol/60000/held');
  await expect.poll(() => answers.bytes).toBeGreaterThan(bytesMax * 1.25 - 60_000);
  expect((await fetch(url('/dave/60000'))).status).toBe(503);
});

test('an answer of more than half of the bound is too large, however little is held', async () => {
  const refused = await fetch(url('/alice/20000001'));
  expect(refused.status).toBe(413);
  expect(await refused.text()).toMatch(/more than 19 MB/);
});

test('one client holds half at most, whatever it has begun at the same time', async () => {
  await ask('GET /alice/9000000');
  await ask('GET /alice/9000000');
  await expect.poll(() => answers.bytes).toBe(18_000_000);
  expect((await fetch(url('/alice/9000000'))).status).toBe(503);
  const answer = await fetch(url('/bob/9000000'));
  expect(answer.status).toBe(200);
  await answer.arrayBuffer();
});

test('a client may start nothing while it holds more than a quarter; the others may', async () => {
  const socket = await ask('GET /alice/10000001');
  await expect.poll(() => answers.bytes).toBe(10_000_001);
  expect([answers.mayStart('alice'), answers.mayStart('bob')]).toEqual(['later', 'now']);
  socket.resume();
  await expect.poll(() => answers.mayStart('alice')).toBe('now');
});

test(
  'nobody may start anything while answers are a quarter ' + 'over the bound, as those to writes may become',
  async () => {
    const written = ['alice', 'bob', 'carol'].map((client) => ask(`PUT /${client}/17000000`));
    const [first] = await Promise.all(written);
    await expect.poll(() => answers.bytes).toBe(51_000_000);
    expect(answers.mayStart('dave')).toMatchObject({ code: 'busy', status: 503 });
    expect(answers.mayStart('alice')).toBe('later');
    first!.destroy();
    await expect.poll(() => answers.mayStart('dave')).toBe('now');
  },
);
