// Reads the first line that a NATS server sends, before TLS begins: `INFO {…}`.

import type { Socket } from 'node:net';
import { NatsProblem } from './nats-problem.ts';

export interface Greeting {
  /** The line, and whatever follows it. */
  bytes: Buffer;
  isTlsOffered: boolean;
  /** Whether more than the line has arrived, which would become part of the TLS connection. */
  hasMore: boolean;
}

/** A large cluster names all its servers. */
const lineBytesMax = 64 * 1024;

export function readGreeting(socket: Socket): Promise<Greeting> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let count = 0;
    const settle = (end: () => void): void => {
      socket.pause();
      socket.off('data', take).off('error', fail).off('close', close);
      end();
    };
    const take = (chunk: Buffer): void => {
      chunks.push(chunk);
      count += chunk.length;
      if (chunk.includes('\n')) settle(() => parseGreeting(Buffer.concat(chunks), resolve, reject));
      else if (count > lineBytesMax) settle(() => reject(new NatsProblem('not NATS')));
    };
    const fail = (error: Error): void => settle(() => reject(error));
    const close = (): void => settle(() => reject(new NatsProblem('closed')));
    socket.on('data', take).on('error', fail).on('close', close);
  });
}

function parseGreeting(bytes: Buffer, resolve: (greeting: Greeting) => void, reject: (error: Error) => void): void {
  const end = bytes.indexOf('\n') + 1;
  const [, json] = /^INFO\s+(\{.*\})\s*$/i.exec(bytes.toString('utf8', 0, end)) ?? [];
  try {
    const info = JSON.parse(json ?? '') as { tls_required?: unknown; tls_available?: unknown };
    const isTlsOffered = info.tls_required === true || info.tls_available === true;
    resolve({ bytes, isTlsOffered, hasMore: end < bytes.length });
  } catch {
    reject(new NatsProblem('not NATS'));
  }
}
