// A small client of NATS for tests: creates streams and reads them back. The library that the service uses keeps its
// transport in one place for the whole process, so it cannot be used twice in one.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface StoredMessage {
  subject: string;
  seq: number;
  headers: Record<string, string>;
  data: string;
}

type Reply = (data: string) => void;

const requestMs = 5_000;

export class NatsClient {
  readonly #socket: Socket;
  readonly #replies = new Map<string, Reply>();
  #received = Buffer.alloc(0);
  #count = 0;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.on('error', () => undefined);
  }

  static async connect(port: number, credentials: { user?: string; pass?: string } = {}): Promise<NatsClient> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    const client = new NatsClient(socket);
    const options = { verbose: false, headers: true, no_responders: true, ...credentials };
    socket.write(`CONNECT ${JSON.stringify(options)}\r\nSUB _INBOX.test.* 1\r\n`);
    return client;
  }

  close(): void {
    this.#socket.destroy();
  }

  /** `wishes`: attributes of the stream besides its name. */
  async createStream(name: string, wishes: object): Promise<void> {
    await this.request(`$JS.API.STREAM.CREATE.${name}`, { name, storage: 'file', ...wishes });
  }

  async readStream(name: string): Promise<StoredMessage[]> {
    const { state } = await this.request<{ state: { first_seq: number; last_seq: number } }>(
      `$JS.API.STREAM.INFO.${name}`,
      {},
    );
    const messages: StoredMessage[] = [];
    for (let seq = Math.max(1, state.first_seq); seq <= state.last_seq; seq += 1)
      messages.push(await this.#readMessage(name, seq));
    return messages;
  }

  /** Rejects with the error of the server. */
  async request<T>(subject: string, body: object): Promise<T> {
    const inbox = `_INBOX.test.${++this.#count}`;
    const payload = JSON.stringify(body);
    const data = await new Promise<string>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`No reply to ${subject}.`)), requestMs);
      this.#replies.set(inbox, (text) => {
        clearTimeout(timer);
        resolve(text);
      });
      this.#socket.write(`PUB ${subject} ${inbox} ${Buffer.byteLength(payload)}\r\n${payload}\r\n`);
    });
    if (data === '') throw new Error(`Nobody answers ${subject}.`);
    const reply = JSON.parse(data) as T & { error?: { description: string } };
    if (reply.error) throw new Error(reply.error.description);
    return reply;
  }

  async #readMessage(stream: string, seq: number): Promise<StoredMessage> {
    const { message } = await this.request<{
      message: { subject: string; seq: number; hdrs?: string; data?: string };
    }>(`$JS.API.STREAM.MSG.GET.${stream}`, { seq });
    const decode = (text: string | undefined) => Buffer.from(text ?? '', 'base64').toString();
    const lines = decode(message.hdrs).split('\r\n').slice(1).filter(Boolean);
    const headers = Object.fromEntries(lines.map((line) => /^([^:]*):\s*(.*)$/.exec(line)!.slice(1)));
    return { subject: message.subject, seq: message.seq, headers, data: decode(message.data) };
  }

  #read(chunk: Buffer): void {
    this.#received = Buffer.concat([this.#received, chunk]);
    for (let end = this.#received.indexOf('\r\n'); end >= 0; end = this.#received.indexOf('\r\n')) {
      const words = this.#received.toString('latin1', 0, end).split(' ');
      const isMessage = words[0] === 'MSG' || words[0] === 'HMSG';
      const size = isMessage ? Number(words.at(-1)) + 2 : 0;
      if (this.#received.length < end + 2 + size) return;
      const headerBytes = words[0] === 'HMSG' ? Number(words.at(-2)) : 0;
      const payload = this.#received.toString('utf8', end + 2 + headerBytes, end + Math.max(2, size));
      this.#received = this.#received.subarray(end + 2 + size);
      if (isMessage) this.#replies.get(words[1]!)?.(payload);
      else if (words[0] === 'PING') this.#socket.write('PONG\r\n');
    }
  }
}
