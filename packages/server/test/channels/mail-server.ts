// Mail servers on loopback: a real one (`smtp-server`) that keeps what it is given, and a script of lines for those
// that misbehave.

import { type AddressInfo, createServer, type Socket } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { onTestFinished } from 'vitest';

export interface ReceivedMail {
  from: string;
  to: string[];
  bytes: Buffer;
  isSecure: boolean;
  user: string | undefined;
}

export interface MailServer {
  /** `127.0.0.1:2525` */
  place: string;
  received: ReceivedMail[];
  connections: number;
}

/** Ends with the test. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const state: MailServer = { place: '', received: [], connections: 0 };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: options.key === undefined ? ['STARTTLS'] : [],
    disableReverseLookup: true,
    logger: false,
    onConnect(_, done) {
      state.connections += 1;
      done();
    },
    onData(stream, session, done) {
      const pieces: Buffer[] = [];
      stream.on('data', (piece: Buffer) => pieces.push(piece));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        state.received.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          bytes: Buffer.concat(pieces),
          isSecure: Boolean(session.secure),
          user: session.user as string | undefined,
        });
        done(null, 'queued as 4F2A');
      });
    },
    ...options,
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  state.place = `127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  onTestFinished(async () => {
    for (const connection of server.connections) connection.close();
    await new Promise<void>((resolve) => server.close(resolve));
  });
  return state;
}

/** An error that `smtp-server` answers with this code. */
export function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}

export interface ScriptedServer {
  place: string;
  /** The lines that were sent to it. */
  heard: string[];
  connections: number;
  /** How many there were at once. */
  peak: number;
}

/** `answer`: what it says to a line (`''` is the connection itself); undefined says nothing. */
export async function startScriptedServer(
  answer: (line: string, socket: Socket) => string | undefined,
): Promise<ScriptedServer> {
  const state: ScriptedServer = { place: '', heard: [], connections: 0, peak: 0 };
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    state.connections += 1;
    sockets.add(socket);
    state.peak = Math.max(state.peak, sockets.size);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    const say = (line: string) => {
      const text = answer(line, socket);
      if (text !== undefined && !socket.destroyed) socket.write(`${text}\r\n`);
    };
    let begun = '';
    socket.on('data', (piece) => {
      const lines = (begun + piece.toString('latin1')).split('\r\n');
      begun = lines.pop() ?? '';
      for (const line of lines) {
        state.heard.push(line);
        say(line);
      }
    });
    say('');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  state.place = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return state;
}

/** Says what a server says that takes everything, but what is given by the first word of a line. */
export function politely(otherwise: Record<string, string | undefined>): (line: string) => string | undefined {
  let isData = false;
  return (line) => {
    if (isData && line !== '.') return undefined;
    const word = line === '.' ? '.' : (line.split(/[ :]/)[0] ?? '');
    if (word in otherwise) return otherwise[word];
    isData = word === 'DATA';
    return { '': '220 mx.internal.example ESMTP', DATA: '354 Go on', QUIT: '221 Bye' }[word] ?? '250 OK';
  };
}

/** A port without a listener. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
