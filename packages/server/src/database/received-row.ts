// Reads rows directly from the bytes that the server sent. The driver converts every value to a string first. For
// bodies, which leave the process as bytes, that was the most expensive part of reading, and a quarter of all garbage.

import type { EventEmitter } from 'node:events';
import pg from 'pg';
import { Parser } from 'pg-protocol/dist/parser.js';

/** Replaces the driver's own message. Valid only until its listener returns. */
export class ReceivedRow {
  readonly name = 'dataRow';
  readonly bytes: Buffer;
  /** The offset after the number of values. Each value is preceded by its length, which is -1 for null. */
  readonly start: number;

  constructor(bytes: Buffer, offset: number) {
    this.bytes = bytes;
    this.start = offset + 2;
  }

  /** For the driver's own queries. */
  get fields(): (string | null)[] {
    let at = this.start;
    return Array.from({ length: this.bytes.readInt16BE(this.start - 2) }, () => {
      const length = this.bytes.readInt32BE(at);
      const begin = at + 4;
      at = begin + Math.max(0, length);
      return length < 0 ? null : this.bytes.toString('utf8', begin, at);
    });
  }
}

interface Message {
  readonly name: string;
}

/** The driver's parser, with the method that it calls for each message. */
interface MessageParser {
  parse(chunk: Buffer, onMessage: (message: Message) => void): void;
  handlePacket(offset: number, code: number, length: number, bytes: Buffer): Message;
}

const DriverParser = Parser as unknown as new () => MessageParser;
const dataRow = 'D'.charCodeAt(0);

class RowParser extends DriverParser {
  override handlePacket(offset: number, code: number, length: number, bytes: Buffer): Message {
    return code === dataRow ? new ReceivedRow(bytes, offset) : super.handlePacket(offset, code, length, bytes);
  }
}

interface DriverConnection extends EventEmitter {
  stream: { destroy(): void; bytesRead: number };
  attachListeners(stream: EventEmitter): void;
}

/** Does what the driver does, with another parser. */
function listenForRows(this: DriverConnection, stream: EventEmitter): void {
  const parser = new RowParser();
  const tell = (message: Message) => {
    this.emit(message.name === 'error' ? 'errorMessage' : message.name, message);
  };
  stream.on('data', (chunk: Buffer) => parser.parse(chunk, tell));
}

const farewellMs = 1_000;

export class RowClient extends pg.Client {
  /** The server process that serves the connection, see `lost-backends.ts`; undefined: not known. */
  backend: string | undefined;
  /** When the server last answered on the connection, in monotonic time. */
  heardAt = 0;

  constructor(config?: string | pg.ClientConfig) {
    super(config);
    this.#connection.attachListeners = listenForRows;
  }

  /** Closes the connection gracefully, or cuts it off if the server does not respond in time. */
  async leave(): Promise<void> {
    const impatience = setTimeout(() => this.cutOff(), farewellMs);
    await this.end().catch(() => undefined);
    clearTimeout(impatience);
  }

  /** The number of bytes received so far. */
  get bytesRead(): number {
    return this.#connection.stream.bytesRead;
  }

  /** Closes the socket at once, without telling the server. */
  cutOff(): void {
    this.#connection.stream.destroy();
  }

  get #connection(): DriverConnection {
    return (this as unknown as { connection: DriverConnection }).connection;
  }
}
