// Clients that go away in every way and at every moment, and what must be left of them: nothing.

import { once } from 'node:events';
import type { Socket } from 'node:net';
import { expect, vi } from 'vitest';
import { openSocket, withToken } from '../support/raw-http.ts';
import type { TestService } from '../support/test-service.ts';

/** Connections to the database may come up meanwhile; they are at most this many. */
export const poolSockets = 16;

/** Of this process: the ends of the service and of its clients alike. */
export function countSockets(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
}

export async function connectTo(service: TestService): Promise<Socket> {
  const socket = openSocket(service.url());
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** Each round has ten clients for each way to leave, all at once. */
export async function leaveNothingBehind(service: TestService, rounds: number): Promise<void> {
  const before = countSockets();
  for (let round = 0; round < rounds; round += 1)
    await Promise.all(
      endings(service).flatMap(([bytes, ending]) => Array.from({ length: 10 }, () => leave(service, bytes, ending))),
    );
  await vi.waitFor(() => expect(countSockets()).toBeLessThan(before + poolSockets), { timeout: 20_000 });
  await expect.poll(() => countBusy(service), { timeout: 10_000, interval: 10 }).toBe(0);
}

type Ending = 'destroy' | 'resetAndDestroy' | 'end';

function endings(service: TestService): [string, Ending][] {
  const get = withToken(service.token(), 'GET /ws/rest/Vessel?limit=100 HTTP/1.1\r\nHost: x\r\n\r\n');
  const post = (rest: string) =>
    withToken(service.token(), `POST /ws/rest/Vessel HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${rest}`);
  return [
    // At once, and at once with a reset.
    ['', 'destroy'],
    ['', 'resetAndDestroy'],
    // In the request line, in a header, in a body, in a chunk.
    ['GET /ws/re', 'destroy'],
    ['GET /ws/rest/Vessel HTTP/1.1\r\nHos', 'resetAndDestroy'],
    [post('Content-Length: 99\r\n\r\n{'), 'destroy'],
    [post('Transfer-Encoding: chunked\r\n\r\nff\r\n{'), 'resetAndDestroy'],
    // Before the answer, with a reset too, and before many answers.
    [get, 'destroy'],
    [get, 'resetAndDestroy'],
    [get.repeat(20), 'resetAndDestroy'],
    // Halfway, and listen.
    [get, 'end'],
  ];
}

async function leave(service: TestService, bytes: string, ending: Ending): Promise<void> {
  const socket = await connectTo(service);
  const closed = once(socket, 'close');
  socket.resume();
  if (bytes !== '') await new Promise((resolve) => socket.write(bytes, resolve));
  socket[ending]();
  await closed;
}

/** Connections to the database that have something to do; one asks every now and then who may still call. */
async function countBusy(service: TestService): Promise<number> {
  const { rows } = await service.database.pool.query(
    "select count(*)::int from pg_stat_activity where application_name = 'flaghoist' and datname = " +
      "current_database() and state <> 'idle'",
  );
  return rows[0].count;
}
