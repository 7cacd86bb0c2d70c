// A connection to PostgreSQL that can be cut off, and that records what `server-watch.ts` checks about it.

import type { Socket } from 'node:net';
import pg from 'pg';

const closeTimeoutMs = 1_000;

export class DatabaseClient extends pg.Client {
  /** The server process that serves the connection, see `lost-backends.ts`; undefined: not known. */
  backend: string | undefined;
  /** When the server last answered on the connection, in monotonic time. */
  answeredAt = 0;

  constructor(config?: string | pg.ClientConfig) {
    super(config);
    // A lost connection fails its running statement. Without a listener, the error would also end the process.
    this.on('error', () => undefined);
  }

  /** Closes the connection gracefully, or cuts it off if the server does not respond in time. */
  async close(): Promise<void> {
    const timer = setTimeout(() => this.cutOff(), closeTimeoutMs);
    await this.end().catch(() => undefined);
    clearTimeout(timer);
  }

  /** The number of bytes received so far. */
  get bytesRead(): number {
    return (this.connection.stream as Socket).bytesRead;
  }

  /** Closes the socket at once, without notifying the server. */
  cutOff(): void {
    this.connection.stream.destroy();
  }
}

/** Opens a connection, passes it to `work`, and closes it. */
export async function withClient<T>(config: pg.ClientConfig, work: (client: DatabaseClient) => Promise<T>): Promise<T> {
  const client = new DatabaseClient(config);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.close();
  }
}
