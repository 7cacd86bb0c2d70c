// A relay between the service and PostgreSQL that counts statements: each Query and each Execute message of the
// protocol. Used only in runs that are not timed.

import { connect, createServer, type Server } from 'node:net';

export class StatementRelay {
  readonly url: string;
  readonly #server: Server;
  /** BEGIN, COMMIT and the setting of the acting user count as well. */
  statements = 0;

  static async open(databaseUrl: string): Promise<StatementRelay> {
    const target = new URL(databaseUrl);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = new URL(databaseUrl);
    url.port = String((server.address() as { port: number }).port);
    url.hostname = '127.0.0.1';
    // Otherwise connections to the embedded server would use its Unix socket and bypass the relay.
    url.searchParams.delete('host');
    return new StatementRelay(server, url.href, { host: target.hostname, port: Number(target.port) });
  }

  private constructor(server: Server, url: string, target: { host: string; port: number }) {
    this.#server = server;
    this.url = url;
    server.on('connection', (client) => {
      const database = connect(target);
      const count = messageCounter((type) => {
        if (type === 'Q' || type === 'E') this.statements += 1;
      });
      for (const socket of [client, database]) socket.setNoDelay(true).on('error', () => undefined);
      client.on('data', count);
      client.pipe(database);
      database.pipe(client);
      client.on('close', () => database.destroy());
      database.on('close', () => client.destroy());
    });
  }

  close(): void {
    this.#server.close();
  }
}

/** Parses what a client sends: first a message without a type, then messages with one. */
function messageCounter(onMessage: (type: string) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  let isStarted = false;
  /** The rest of a message that has not arrived yet. */
  let skip = 0;
  return (chunk) => {
    const skipped = Math.min(skip, chunk.length);
    skip -= skipped;
    rest = Buffer.concat([rest, chunk.subarray(skipped)]);
    for (;;) {
      const typeBytes = isStarted ? 1 : 0;
      if (rest.length < typeBytes + 4) return;
      const length = typeBytes + rest.readInt32BE(typeBytes);
      if (isStarted) onMessage(String.fromCharCode(rest[0]!));
      isStarted = true;
      skip = Math.max(0, length - rest.length);
      rest = rest.subarray(Math.min(length, rest.length));
    }
  };
}
