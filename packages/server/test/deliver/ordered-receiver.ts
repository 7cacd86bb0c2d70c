// A receiver for ordered subscriptions: what arrived about each object, in which order, and how many at once.

import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type pg from 'pg';
import { onTestFinished } from 'vitest';

export interface Arrival {
  id: string;
  /** The id of the event. */
  sequence: number;
  /** The subscribed object. */
  object: number;
  body: string;
  status: number;
}

/** The status to answer with, at once or later. */
export type Judge = (arrival: Arrival) => number | Promise<number>;

export interface OrderedReceiver {
  url: string;
  /** Every request, in order. */
  arrivals: Arrival[];
  /** From now on. */
  judge: Judge;
  /** Objects about which two requests were under way at the same time. */
  overlaps: Set<number>;
  /** Sequences about the object as they arrived, without repeats. */
  firsts(object: number): number[];
  /** The statuses of the requests about an object. */
  statuses(object: number): number[];
}

/** Bodies are those of `rawObject`: the object alone. Gone when the test is over. */
export async function startOrderedReceiver(judge: Judge = () => 200): Promise<OrderedReceiver> {
  const under = new Set<number>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const arrival = readArrival(String(request.headers['webhook-id']), Buffer.concat(chunks).toString());
    receiver.arrivals.push(arrival);
    if (under.has(arrival.object)) receiver.overlaps.add(arrival.object);
    under.add(arrival.object);
    await answer(arrival, response);
  });
  const answer = async (arrival: Arrival, response: ServerResponse) => {
    arrival.status = await receiver.judge(arrival);
    under.delete(arrival.object);
    response.writeHead(arrival.status).end();
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const about = (object: number) => receiver.arrivals.filter((each) => each.object === object);
  const receiver: OrderedReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    arrivals: [],
    judge,
    overlaps: new Set(),
    firsts: (object) => [...new Set(about(object).map(({ sequence }) => sequence))],
    statuses: (object) => about(object).map(({ status }) => status),
  };
  return receiver;
}

function readArrival(id: string, body: string): Arrival {
  return { id, sequence: Number(id.split('-')[0]), object: Number(/"key":\s*(\d+)/.exec(body)?.[1]), body, status: 0 };
}

/** A transaction of another process. Rolled back with the test, at the latest. */
export async function openTransaction(pool: pg.Pool): Promise<pg.PoolClient> {
  const client = await pool.connect();
  onTestFinished(() => client.release(true));
  await client.query('begin');
  return client;
}

export function ascending(sequences: readonly number[]): number[] {
  return [...sequences].sort((one, other) => one - other);
}
