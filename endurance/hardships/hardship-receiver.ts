// A receiver that takes everything at once, and notes under which ids the mark of each change has arrived, and whether
// the bytes under one id were always the same. What comes to `/extra` is counted only.

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface ReceivedMarks {
  /** The ids of each mark. */
  ids: ReadonlyMap<string, ReadonlySet<string>>;
  /** Ids that have come with different bytes. */
  altered: ReadonlySet<string>;
}

export class HardshipReceiver implements ReceivedMarks {
  readonly ids = new Map<string, Set<string>>();
  readonly altered = new Set<string>();
  /** All requests, repeats included. */
  count = 0;
  readonly origin: string;
  readonly #bodies = new Map<string, string>();
  readonly #server: Server;

  static async start(): Promise<HardshipReceiver> {
    const server = createServer({ keepAliveTimeout: 30_000 });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new HardshipReceiver(server);
  }

  private constructor(server: Server) {
    this.#server = server;
    this.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', async (request, response) => {
      // What was cut off on the way was not received.
      const body = await text(request).catch(() => undefined);
      if (body === undefined) return;
      this.count += 1;
      if (request.url === '/hook') this.#note(String(request.headers['webhook-id']), body);
      response.writeHead(200).end('ok');
    });
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #note(id: string, body: string): void {
    const [, mark] = /"externalObjectKey":"([^"]+)"/.exec(body) ?? [];
    // Objects that writers refer to have none.
    if (mark === undefined) return;
    this.ids.set(mark, (this.ids.get(mark) ?? new Set()).add(id));
    if ((this.#bodies.get(id) ?? body) !== body) this.altered.add(id);
    this.#bodies.set(id, body);
  }
}
