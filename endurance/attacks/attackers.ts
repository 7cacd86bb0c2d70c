// The attackers, within bounds: they request large responses on many connections, and read all of them or none.

import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { Finding } from '../finding.ts';

export interface Attack {
  origin: string;
  headers: Record<string, string>;
}

export interface AttackRequest {
  path: string;
  /** Makes the request a POST. */
  body?: string;
}

/** Responses to an attack: status → count; 0: the connection ended. */
export type Statuses = Map<number, number>;

const call = '"eta":"*","etb":"*","etd":"*","speed":"*","reasonForCall":"*","port":{"unLoCode":"*","portName":"*"}';

/** Four levels deep: 13 kB per port call. */
export function largePath(limit: number): string {
  const fields = `{"voyage":{"comments":"*","portCalls":{${call},"voyage":{"vessel":{"vesselName":"*"}}}}}`;
  return `/ws/rest/PortCall?limit=${limit}&fields=${encodeURIComponent(fields)}`;
}

/** 60 kB per port call: with 2,000 of them, more than a response may have. */
export function tooLargePath(limit: number): string {
  const fields = '{"voyage":{"portCalls":{"voyage":{"vessel":{"vesselType":"*"}}}}}';
  return `/ws/rest/PortCall?limit=${limit}&fields=${encodeURIComponent(fields)}`;
}

/** Repeats requests on this many connections, one at a time on each, and reads everything. */
export async function readMuch(
  target: Attack,
  requests: readonly AttackRequest[],
  connections: number,
  endsAtMs: number,
): Promise<Statuses> {
  const statuses: Statuses = new Map();
  const dispatcher = new Agent({ connections, headersTimeout: 0, bodyTimeout: 0 });
  const attack = async (_: unknown, connection: number) => {
    let next = connection;
    do {
      count(statuses, await ask(target, requests[next % requests.length]!, dispatcher));
      next += 1;
    } while (performance.now() < endsAtMs);
  };
  await Promise.all(Array.from({ length: connections }, attack));
  await dispatcher.close();
  return statuses;
}

/** The status; 0 if the connection ended. */
async function ask({ origin, headers }: Attack, { path, body }: AttackRequest, dispatcher: Agent): Promise<number> {
  const posted = { method: 'POST', body, headers: { ...headers, 'content-type': 'application/json' } } as const;
  try {
    const answer = await request(`${origin}${path}`, { headers, dispatcher, ...(body === undefined ? {} : posted) });
    await answer.body.dump({ limit: Number.MAX_SAFE_INTEGER });
    return answer.statusCode;
  } catch {
    return 0;
  }
}

/** Opens sockets one after the other, sends one request on each, and never reads. */
export async function readNothing(
  { origin, headers }: Attack,
  path: string,
  sockets: number,
  pauseMs: number,
): Promise<() => void> {
  const { hostname, port } = new URL(origin);
  const open: Socket[] = [];
  for (let n = 0; n < sockets; n += 1) {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.pause();
    socket.write(`GET ${path} HTTP/1.1\r\nHost: attacked\r\nAuthorization: ${headers.authorization}\r\n\r\n`);
    open.push(socket);
    await sleep(pauseMs);
  }
  return () => {
    for (const socket of open) socket.destroy();
  };
}

/** Each must be rejected. */
export async function askTooMuch({ origin, headers }: Attack, path: string, times: number): Promise<Finding[]> {
  const asked = Array.from({ length: times }, async () => {
    const { statusCode, body } = await request(`${origin}${path}`, { headers, headersTimeout: 0 });
    await body.dump();
    return statusCode;
  });
  return (await Promise.all(asked)).flatMap((status) =>
    [413, 429, 503].includes(status)
      ? []
      : [{ kind: 'wrong answer', text: `an answer that is too large got ${status}` } as const],
  );
}

function count(statuses: Statuses, status: number): void {
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
}
