// Carries the protocol of NATS over a connection of the address guard. The library's own transport would connect to any
// address, leave the socket of a silent server open, buffer whatever a server sends, and print what it cannot parse.

import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import {
  type ConnectionOptions,
  Kind,
  MsgHdrsImpl,
  Parser,
  type ParserEvent,
  parseSemVer,
  type Server,
  type Transport,
} from '@nats-io/transport-node';
import { NatsProblem } from './nats-problem.ts';
import { readGreeting } from './read-greeting.ts';

/** The library passes its options on to the transport. */
export interface GuardedOptions extends ConnectionOptions {
  guarded: {
    connect(signal: AbortSignal): Promise<Socket>;
    startTls(socket: Socket, signal: AbortSignal): Promise<Socket>;
    isTlsRequired: boolean;
  };
}

/** What a server may send without being asked. Each frame that we send adds to it. */
const bytesAtStart = 1024 * 1024;
const bytesPerFrame = 64 * 1024;
const bytesMax = 4 * 1024 * 1024;
/** A server that reads nothing is dropped before what waits for it fills the memory. */
const unsentBytesMax = 64 * 1024 * 1024;

export class GuardedTransport implements Transport {
  readonly lang = 'javascript';
  readonly version = '1';
  readonly #giveUp = new AbortController();
  /** Parses before the library does, which prints what it cannot parse. */
  readonly #checker = new Parser({ push: checkEvent });
  readonly #closed: Promise<Error>;
  #resolveClosed: (error: Error) => void = () => undefined;
  #socket: Socket | undefined;
  #greeting: Buffer | undefined;
  #bytesLeft = bytesAtStart;
  isClosed = false;
  closeError?: Error;

  constructor() {
    this.#closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
  }

  /** The library does not choose where to connect: the server is part of the options. */
  async connect(_: Server, options: ConnectionOptions): Promise<void> {
    const { connect, startTls, isTlsRequired } = (options as GuardedOptions).guarded;
    try {
      const socket = this.#keep(await connect(this.#giveUp.signal));
      const { bytes, isTlsOffered, hasMore } = await readGreeting(socket);
      if (isTlsRequired && !isTlsOffered) throw new NatsProblem('no TLS');
      if (isTlsOffered && hasMore) throw new NatsProblem('not NATS');
      if (isTlsOffered) this.#keep(await startTls(socket, this.#giveUp.signal));
      this.#greeting = bytes;
      this.#socket!.once('close', () => this.#end(undefined));
      if (this.#socket!.destroyed) throw new NatsProblem('closed');
    } catch (error) {
      this.discard();
      throw error;
    }
  }

  async *[Symbol.asyncIterator](): AsyncIterableIterator<Uint8Array> {
    try {
      yield this.#check(this.#greeting!);
      for await (const chunk of this.#socket!) yield this.#check(chunk as Buffer);
    } catch (error) {
      this.#end(error as Error);
    } finally {
      this.#end(undefined);
    }
  }

  isEncrypted(): boolean {
    return this.#socket instanceof TLSSocket;
  }

  send(frame: Uint8Array): void {
    if (this.isClosed || !this.#socket) return;
    this.#bytesLeft = Math.min(this.#bytesLeft + bytesPerFrame, bytesMax);
    this.#socket.write(frame);
    if (this.#socket.writableLength > unsentBytesMax) this.#end(new NatsProblem('too slow'));
  }

  async close(error?: Error): Promise<void> {
    this.#end(error);
  }

  disconnect(): void {
    this.#end(undefined);
  }

  closed(): Promise<Error> {
    return this.#closed;
  }

  /** Closes without reporting it: the connection was never used, or another one has replaced it. */
  discard(): void {
    this.isClosed = true;
    this.#giveUp.abort();
    this.#socket?.destroy();
  }

  #keep(socket: Socket): Socket {
    this.#socket = socket;
    // The library may have given up meanwhile.
    if (this.isClosed) socket.destroy();
    return socket;
  }

  #check(chunk: Buffer): Buffer {
    this.#bytesLeft -= chunk.length;
    if (this.#bytesLeft < 0) throw new NatsProblem('too much');
    this.#checker.parse(chunk);
    return chunk;
  }

  #end(error: Error | undefined): void {
    if (this.isClosed) return;
    this.discard();
    // Without an error, the library would reject with undefined.
    this.closeError = error ?? new NatsProblem('closed');
    if (this.#greeting) this.#resolveClosed(this.closeError);
  }
}

function checkEvent({ kind, msg, data }: ParserEvent): void {
  if (kind === Kind.INFO) parseSemVer((JSON.parse(Buffer.from(data!).toString()) as { version: string }).version);
  if (kind === Kind.MSG && msg!.hdr > 0) MsgHdrsImpl.decode(data!.subarray(0, msg!.hdr));
}
