// A name server on loopback that says what a test tells it to, for each question anew.

import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { isIPv4 } from 'node:net';
import { afterAll, beforeAll } from 'vitest';

export interface Question {
  name: string;
  type: 'A' | 'AAAA' | 'NS' | 'other';
  /** How often this name was asked for with this type, from 1. */
  count: number;
}

/**
 * Addresses of either family (those that were not asked for are left out), with the aliases that lead to them; or
 * nothing.
 */
export type Reply =
  | { addresses: readonly string[]; aliases?: readonly string[] }
  | 'NXDOMAIN'
  | 'SERVFAIL'
  | 'REFUSED'
  | 'silence';

export interface NameServer {
  /** As it stands in FLAGHOIST_DNS_SERVERS. */
  address: string;
  questions: Question[];
  reply: (question: Question) => Reply;
}

/** Until a test says otherwise, no name exists. */
export function useNameServer(): NameServer {
  const server: NameServer = { address: '', questions: [], reply: () => 'NXDOMAIN' };
  let stop: () => void = () => undefined;
  beforeAll(async () => {
    const started = await startNameServer((question) => server.reply(question), server.questions);
    server.address = started.address;
    stop = started.stop;
  });
  afterAll(() => stop());
  return server;
}

/** `questions`: where it notes what it was asked. */
export async function startNameServer(
  reply: NameServer['reply'],
  questions: Question[] = [],
): Promise<{ address: string; stop(): void }> {
  const socket = createSocket('udp4');
  socket.on('message', (query, { address, port }) => {
    const question = readQuestion(query, questions);
    questions.push(question);
    const said = reply(question);
    if (said !== 'silence') socket.send(renderReply(query, question, said), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { address: `127.0.0.1:${(socket.address() as AddressInfo).port}`, stop: () => socket.close() };
}

const types: Record<number, Question['type']> = { 1: 'A', 2: 'NS', 28: 'AAAA' };

function readQuestion(query: Buffer, before: readonly Question[]): Question {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  const name = labels.join('.').toLowerCase();
  const type = types[query.readUInt16BE(at + 1)] ?? 'other';
  const count = before.filter((asked) => asked.name === name && asked.type === type).length + 1;
  return { name, type, count };
}

const codes = { NXDOMAIN: 3, SERVFAIL: 2, REFUSED: 5 } as const;

function renderReply(query: Buffer, { name, type }: Question, reply: Exclude<Reply, 'silence'>): Buffer {
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180 | (typeof reply === 'string' ? codes[reply] : 0), 2);
  header.writeUInt16BE(1, 4);
  const records = typeof reply === 'string' ? [] : recordsOf(name, type, reply);
  header.writeUInt16BE(records.length, 6);
  return Buffer.concat([header, renderQuestion(query), ...records]);
}

function renderQuestion(query: Buffer): Buffer {
  let at = 12;
  while (query[at] !== 0) at += query[at]! + 1;
  return query.subarray(12, at + 5);
}

function recordsOf(
  name: string,
  type: Question['type'],
  { addresses, aliases = [] }: { addresses: readonly string[]; aliases?: readonly string[] },
): Buffer[] {
  const chain = [name, ...aliases];
  const last = chain.at(-1)!;
  return [
    ...aliases.map((alias, index) => record(chain[index]!, 5, renderName(alias))),
    ...addresses
      .filter((address) => type === (isIPv4(address) ? 'A' : 'AAAA'))
      .map((address) => (isIPv4(address) ? record(last, 1, ipv4(address)) : record(last, 28, ipv6(address)))),
  ];
}

function record(name: string, type: number, data: Buffer): Buffer {
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(type, 0);
  fixed.writeUInt16BE(1, 2);
  fixed.writeUInt16BE(data.length, 8);
  return Buffer.concat([renderName(name), fixed, data]);
}

function renderName(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label, 'latin1')]));
  return Buffer.concat([...labels, Buffer.from([0])]);
}

function ipv4(address: string): Buffer {
  return Buffer.from(address.split('.').map(Number));
}

/** Written out in full or with one gap. */
function ipv6(address: string): Buffer {
  const [head = '', tail] = address.split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)));
  const before = groups(head);
  const after = groups(tail ?? '');
  const all = [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 0xff]));
}
