// A connection to PostgreSQL that can be cut off, and that knows what `server-watch.ts` asks about it.

import type { Socket } from 'node:net';
import pg from 'pg';

const farewellMs = 1_000;

export class DatabaseClient extends pg.Client {
  /** The server process that serves the connection, see `lost-backends.ts`; undefined: not known. */
  backend: string | undefined;
  /** When the server last answered on the connection, in monotonic time. */
  heardAt = 0;

  /** Closes the connection gracefully, or cuts it off if the server does not respond in time. */
  async leave(): Promise<void> {
    const impatience = setTimeout(() => this.cutOff(), farewellMs);
    await this.end().catch(() => undefined);
    clearTimeout(impatience);
  }

  /** The number of bytes received so far. */
  get bytesRead(): number {
    return (this.connection.stream as Socket).bytesRead;
  }

  /** Closes the socket at once, without telling the server. */
  cutOff(): void {
    this.connection.stream.destroy();
  }
}
