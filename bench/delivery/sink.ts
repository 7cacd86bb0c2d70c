// A separate program that receives notifications on many ports: each a receiver that responds at once, late, or never.
// It records the id and time of every request. A plain receiver is an ordinary `node:http` server. A lean one parses
// HTTP by hand, to leave as much of the machine as possible to the senders.

import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';
import { nowMs } from './moment.ts';

export type Behaviour =
  | { kind: 'prompt' }
  | { kind: 'late'; delayMs: number }
  | { kind: 'silent' }
  | { kind: 'refusing' };

export type SinkMake = 'plain' | 'lean';

export type SinkRequest =
  | { kind: 'open'; make: SinkMake; behaviours: Behaviour[] }
  /** From now on. A refusing receiver keeps refusing. */
  | { kind: 'behave'; receiver: number; behaviour: Behaviour }
  | { kind: 'begin' }
  /** Waits until this many requests came to prompt receivers, or none came for this long. */
  | { kind: 'wait'; count: number; patienceMs: number }
  | { kind: 'take' };

export interface Received {
  /** In order of arrival, each with its time and receiver. */
  ids: string[];
  atMs: number[];
  receivers: number[];
  /** Some complete requests. */
  samples: string[];
}

const sampledEvery = 1_000;
const answer = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 2\r\n\r\nok';

const behaviours: Behaviour[] = [];
let received: Received = { ids: [], atMs: [], receivers: [], samples: [] };
let prompt = 0;
let progressedAtMs = 0;
let waiting: { count: number; timer: NodeJS.Timeout } | undefined;

process.on('message', async (request: SinkRequest) => {
  switch (request.kind) {
    case 'open':
      behaviours.push(...request.behaviours);
      return process.send!({
        ports: await Promise.all(request.behaviours.map((behaviour, n) => open(request.make, behaviour, n))),
      });
    case 'behave':
      behaviours[request.receiver] = request.behaviour;
      return process.send!({});
    case 'begin':
      received = { ids: [], atMs: [], receivers: [], samples: [] };
      prompt = 0;
      return process.send!({});
    case 'wait':
      return wait(request);
    case 'take':
      return process.send!(received);
  }
});
process.on('disconnect', () => process.exit());

function wait({ count, patienceMs }: SinkRequest & { kind: 'wait' }): void {
  progressedAtMs = nowMs();
  const timer = setInterval(() => {
    if (nowMs() - progressedAtMs > patienceMs) endWait();
  }, 100);
  waiting = { count, timer };
  if (prompt >= count) endWait();
}

function endWait(): void {
  clearInterval(waiting!.timer);
  waiting = undefined;
  process.send!({ received: prompt });
}

function open(make: SinkMake, behaviour: Behaviour, receiver: number): Promise<number> {
  return new Promise((resolve) => {
    const server: Server =
      make === 'lean'
        ? createServer({ noDelay: true }, (socket) => serve(socket, receiver))
        : createHttpServer({ keepAliveTimeout: 60_000 }, (request, response) => receive(request, response, receiver));
    server.listen(0, '127.0.0.1', 1024, () => {
      const { port } = server.address() as { port: number };
      if (behaviour.kind === 'refusing') server.close();
      resolve(port);
    });
  });
}

function receive(request: IncomingMessage, response: ServerResponse, receiver: number): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const behaviour = behaviours[receiver]!;
    note(String(request.headers['webhook-id']), receiver, behaviour, () => wholeOf(request, chunks));
    const answer = () => response.end('ok');
    if (behaviour.kind === 'prompt') answer();
    if (behaviour.kind === 'late') setTimeout(answer, behaviour.delayMs);
  });
}

function wholeOf({ method, url, httpVersion, rawHeaders }: IncomingMessage, chunks: readonly Buffer[]): string {
  const head = [`${method} ${url} HTTP/${httpVersion}`];
  for (let n = 0; n < rawHeaders.length; n += 2) head.push(`${rawHeaders[n]}: ${rawHeaders[n + 1]}`);
  return `${head.join('\r\n')}\r\n\r\n${Buffer.concat(chunks)}`;
}

function serve(socket: Socket, receiver: number): void {
  let rest: Buffer | undefined;
  socket.on('error', () => undefined);
  socket.on('data', (chunk: Buffer) => {
    let bytes = rest ? Buffer.concat([rest, chunk]) : chunk;
    for (;;) {
      const length = requestLength(bytes);
      if (length === undefined || bytes.length < length) break;
      const behaviour = behaviours[receiver]!;
      const request = bytes.subarray(0, length);
      note(idOf(request), receiver, behaviour, () => request.toString());
      reply(socket, behaviour);
      bytes = bytes.subarray(length);
    }
    rest = bytes.length > 0 ? bytes : undefined;
  });
}

/** A request with its body; undefined while its head is incomplete. */
function requestLength(bytes: Buffer): number | undefined {
  const headLength = bytes.indexOf('\r\n\r\n');
  if (headLength < 0) return undefined;
  const head = bytes.toString('latin1', 0, headLength);
  return headLength + 4 + Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
}

function idOf(request: Buffer): string {
  return /\r\nwebhook-id: *([^\r]+)/i.exec(request.toString('latin1', 0, 1_000))?.[1] ?? '';
}

function note(id: string, receiver: number, behaviour: Behaviour, whole: () => string): void {
  if (received.ids.length % sampledEvery === 0) received.samples.push(whole());
  received.ids.push(id);
  received.atMs.push(nowMs());
  received.receivers.push(receiver);
  if (behaviour.kind !== 'prompt') return;
  prompt += 1;
  progressedAtMs = nowMs();
  if (waiting && prompt >= waiting.count) endWait();
}

function reply(socket: Socket, behaviour: Behaviour): void {
  if (behaviour.kind === 'prompt') socket.write(answer);
  if (behaviour.kind === 'late') setTimeout(() => socket.writable && socket.write(answer), behaviour.delayMs);
}
