// The receiver in the servers that people use: node:http, Express, Fastify and Hono.

import { once } from 'node:events';
import { request as open } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  createReceiver,
  type Notification,
  toExpress,
  toFastify,
  toFetchHandler,
  toNodeHandler,
} from '../../src/index.ts';
import { serve } from './serve.ts';
import { envelope, secret, signed } from './sign-delivery.ts';

function newReceiver() {
  const received: Notification[] = [];
  const errors: Error[] = [];
  const receiver = createReceiver({
    secret,
    on: { 'BunkerOrder.U': (notification) => received.push(notification) },
    fallback: ({ event }) => {
      throw new Error(event);
    },
    onError: (error) => errors.push(error as Error),
  });
  return { receiver, received, errors };
}

type Receiving = ReturnType<typeof newReceiver>;

async function startFastify(receiver: Receiving['receiver'], bodyBytesMax?: number): Promise<string> {
  const app = fastify();
  app.register(toFastify(receiver, bodyBytesMax === undefined ? {} : { bodyBytesMax }), { prefix: '/hook' });
  app.post('/json', async (request) => request.body);
  await app.listen({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => app.close());
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
}

function startExpress(receiver: Receiving['receiver'], bodyBytesMax?: number): Promise<string> {
  const app = express();
  app.post('/hook', toExpress(receiver, bodyBytesMax === undefined ? {} : { bodyBytesMax }));
  app.use(express.json());
  app.post('/json', (request, response) => response.json(request.body));
  return serve(app);
}

function startHono(receiver: Receiving['receiver'], bodyBytesMax?: number): Promise<string> {
  const app = new Hono();
  const handle = toFetchHandler(receiver, bodyBytesMax === undefined ? {} : { bodyBytesMax });
  app.post('/hook', (context) => handle(context.req.raw));
  app.post('/json', async (context) => context.json(await context.req.json()));
  // A server that works with Request and Response, as those of Deno, Bun and Workers.
  return serve(async (request, response) => {
    const { method = 'GET', headers, url } = request;
    const given = new Request(`http://127.0.0.1${url}`, {
      method,
      headers: headers as Record<string, string>,
      body: method === 'GET' ? null : (request as unknown as ReadableStream),
      duplex: 'half',
    } as RequestInit);
    const answer = await app.fetch(given);
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
  });
}

function startNode(receiver: Receiving['receiver'], bodyBytesMax?: number): Promise<string> {
  const handle = toNodeHandler(receiver, bodyBytesMax === undefined ? {} : { bodyBytesMax });
  return serve((request, response) => {
    if (request.url === '/json') request.pipe(response.setHeader('content-type', 'application/json'));
    else void handle(request, response);
  });
}

const servers = [
  { name: 'node:http', start: startNode },
  { name: 'Express', start: startExpress },
  { name: 'Fastify', start: startFastify },
  { name: 'Hono', start: startHono },
];

const post = (url: string, body: string | Buffer, headers: Record<string, string> = {}) =>
  fetch(`${url}/hook`, { method: 'POST', body: Buffer.from(body), headers });

describe.each(servers)('$name', ({ start }) => {
  test('takes what is signed, and nothing else', async () => {
    const { receiver, received, errors } = newReceiver();
    const url = await start(receiver);
    const body = envelope();
    const right = await post(url, body, signed(body));
    expect([right.status, await right.text()]).toEqual([204, '']);
    expect(received).toMatchObject([{ id: '52011-1100', resource: { comments: 'Kærligt Århus' }, body }]);
    const wrong = await post(url, `${body} `, signed(body));
    expect([wrong.status, await wrong.text()]).toEqual([401, 'The signature does not match the secret.']);
    expect((await post(url, body)).status).toBe(401);
    const failing = envelope({ eventType: 'D' });
    expect((await post(url, failing, signed(failing))).status).toBe(500);
    expect([received.length, errors.map(({ message }) => message)]).toEqual([1, ['BunkerOrder.D']]);
  });

  test('verifies a body of whatever content type, also if it is no JSON', async () => {
    const { receiver, received } = newReceiver();
    const url = await start(receiver);
    for (const type of [
      'application/json',
      'text/xml; charset=utf-8',
      'application/json; charset=utf-8',
      'application/x-anything',
    ]) {
      const body = '{ "not": json';
      expect((await post(url, body, signed(body, { headers: { 'content-type': type } }))).status).toBe(204);
    }
    expect(received.map(({ body }) => body)).toEqual(Array(4).fill('{ "not": json'));
  });

  test('leaves other routes, and their parsers, as they are', async () => {
    const { receiver } = newReceiver();
    const url = await start(receiver);
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${url}/json`, { method: 'POST', body: '{"a":1}', headers });
    expect(await answer.json()).toEqual({ a: 1 });
  });

  test('does not read a body that is too large', async () => {
    const { receiver } = newReceiver();
    const url = await start(receiver, 1_000);
    expect((await post(url, Buffer.alloc(1_001, 'x'))).status).toBe(413);
    const body = 'x'.repeat(1_000);
    expect((await post(url, body, signed(body))).status).toBe(204);
  });

  test('goes on when a client leaves in the middle of a body', async () => {
    const { receiver, received } = newReceiver();
    const url = await start(receiver);
    const body = envelope();
    const headers = { ...signed(body), 'content-length': String(Buffer.byteLength(body)) };
    const request = open(`${url}/hook`, { method: 'POST', headers }).on('error', () => undefined);
    request.write(body.slice(0, 100));
    await once(request, 'socket');
    await new Promise((resolve) => setImmediate(resolve));
    request.destroy();
    expect((await post(url, body, signed(body))).status).toBe(204);
    expect(received.length).toBe(1);
  });
});

describe('Express with body parsers before the receiver', () => {
  const startWith = (parser: express.RequestHandler, receiver: Receiving['receiver']) => {
    const app = express();
    app.use(parser);
    app.post('/hook', toExpress(receiver));
    return serve(app);
  };

  test('a body that express.json() has parsed is a clear error, in the answer and for onError', async () => {
    const { receiver, received, errors } = newReceiver();
    const url = await startWith(express.json(), receiver);
    const body = envelope();
    const answer = await post(url, body, signed(body));
    expect([answer.status, received]).toEqual([500, []]);
    expect(await answer.text()).toContain('express.raw');
    expect(errors).toMatchObject([{ name: 'TypeError', message: expect.stringContaining('express.json()') }]);
  });

  test('bytes of express.raw() and text of express.text() are verified', async () => {
    for (const parser of [express.raw({ type: '*/*' }), express.text({ type: '*/*' })]) {
      const { receiver, received } = newReceiver();
      const url = await startWith(parser, receiver);
      const body = envelope();
      expect((await post(url, body, signed(body))).status).toBe(204);
      expect(received.length).toBe(1);
    }
  });

  test('bytes that a parser has kept are verified', async () => {
    const { receiver, received } = newReceiver();
    const keep = (request: object, _response: unknown, bytes: Buffer) =>
      void Object.assign(request, { rawBody: bytes });
    const url = await startWith(express.json({ verify: keep }), receiver);
    const body = envelope();
    expect((await post(url, body, signed(body))).status).toBe(204);
    expect(received.length).toBe(1);
  });
});

test('a GET is a 405 that says so', async () => {
  const { receiver } = newReceiver();
  const url = await startNode(receiver);
  const answer = await fetch(`${url}/hook`);
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
});

test('a handler that finishes after somebody else has answered does no harm', async () => {
  const { receiver, received } = newReceiver();
  let handled: Promise<void> | undefined;
  const url = await serve((request, response) => {
    response.writeHead(504).end();
    handled = toNodeHandler(receiver)(request, response);
  });
  const body = envelope();
  expect((await post(url, body, signed(body))).status).toBe(504);
  await handled;
  expect(received.length).toBe(1);
});
