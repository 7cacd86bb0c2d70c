// A receiver that accepts everything at once. It records the ids under which the mark of each change arrived, and
// whether the bytes of one id were always the same. Requests to `/extra` are only counted.

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface ReceivedMarks {
  /** The ids of each mark. */
  ids: ReadonlyMap<string, ReadonlySet<string>>;
  /** Ids that arrived with different bytes. */
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
      // An incomplete request was not received.
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
    // Objects that writers reference have none.
    if (mark === undefined) return;
    this.ids.set(mark, (this.ids.get(mark) ?? new Set()).add(id));
    if ((this.#bodies.get(id) ?? body) !== body) this.altered.add(id);
    this.#bodies.set(id, body);
  }
}
