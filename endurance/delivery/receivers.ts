// The receivers of a run, each on its own port, and what each received: id, bytes, time, and its response. Some are
// flaky until they are set healthy; a dead one stays dead.

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Dice } from '../dice.ts';

export type Behaviour = 'well' | 'fails a third' | 'hangs' | 'resets' | 'slow' | 'dead';

/** The result of one request. `late`: 200, after the timeout of the sender. */
export type Said = '200' | 'late' | '500' | 'nothing';

export interface Arrival {
  at: number;
  said: Said;
}

/** All requests with one id. */
export interface Received {
  receiver: number;
  digest: string;
  /** Whether bytes and receiver were the same each time. */
  isSame: boolean;
  arrivals: Arrival[];
}

export const behaviours: readonly Behaviour[] = [
  ...Array<Behaviour>(9).fill('well'),
  ...Array<Behaviour>(4).fill('fails a third'),
  ...(['hangs', 'hangs', 'resets', 'resets', 'slow', 'slow', 'dead'] as const),
];

/** The timeout of the sender is one second. */
const lateMs = 1_400;

export class Receivers {
  readonly urls: string[] = [];
  /** By id. */
  readonly received = new Map<string, Received>();
  readonly #dice: Dice;
  readonly #servers: Server[] = [];
  #areWell = false;

  static async start(dice: Dice): Promise<Receivers> {
    const receivers = new Receivers(dice);
    for (const index of behaviours.keys()) await receivers.#listen(index);
    return receivers;
  }

  private constructor(dice: Dice) {
    this.#dice = dice;
  }

  /** From now on all respond at once; dead ones stay dead. */
  heal(): void {
    this.#areWell = true;
  }

  async stop(): Promise<void> {
    for (const server of this.#servers) {
      server.closeAllConnections();
      server.close();
    }
  }

  async #listen(index: number): Promise<void> {
    const server = createServer({ keepAliveTimeout: 30_000 }, (request, response) => {
      void this.#take(index, request, response).catch(() => undefined);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    this.#servers.push(server);
    this.urls.push(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`);
  }

  /** An incomplete request was not received. */
  async #take(index: number, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const said = this.#choose(behaviours[index]!);
    const arrival: Arrival = { at: performance.now(), said };
    this.#note(index, String(request.headers['webhook-id']), body, arrival);
    switch (said) {
      case '200':
      case '500':
        response.writeHead(Number(said)).end(said === '200' ? 'ok' : 'no');
        return;
      case 'late':
        setTimeout(() => response.writeHead(200).end('ok'), lateMs).unref();
        return;
      case 'nothing':
        if (behaviours[index] === 'resets') request.socket.resetAndDestroy();
    }
  }

  #choose(behaviour: Behaviour): Said {
    if (behaviour === 'dead') return '500';
    if (behaviour === 'well' || this.#areWell) return '200';
    const isBad = this.#dice.isBelow(behaviour === 'fails a third' ? 1 / 3 : 0.2);
    if (!isBad) return '200';
    return behaviour === 'fails a third' ? '500' : behaviour === 'slow' ? 'late' : 'nothing';
  }

  #note(receiver: number, id: string, body: Buffer, arrival: Arrival): void {
    const digest = createHash('md5').update(body).digest('hex');
    const known = this.received.get(id);
    if (!known) {
      this.received.set(id, { receiver, digest, isSame: true, arrivals: [arrival] });
      return;
    }
    known.isSame &&= known.receiver === receiver && known.digest === digest;
    known.arrivals.push(arrival);
  }
}
