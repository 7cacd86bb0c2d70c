// What is late or closed is not published: no message goes out after its attempt was recorded.

import { expect, test } from 'vitest';
import type { NatsIdentity } from '../../src/channels/nats/connect-nats.ts';
import { NatsChannel } from '../../src/channels/nats/nats-channel.ts';
import { NatsConnections, type OpenNats } from '../../src/channels/nats/nats-connections.ts';
import type { SendResult } from '../../src/channels/send-result.ts';

const identity: NatsIdentity = {
  ...{ username: undefined, password: undefined },
  ...{ credentials: undefined, clientCertificate: undefined },
};
const message = {
  url: 'nats://127.0.0.1:4222',
  identity,
  subject: 's',
  id: '1-1',
  headers: [],
  body: Buffer.from('{}'),
};

test('a message whose connection opens after its deadline is not published', async () => {
  let published = 0;
  const publish = async () => {
    published += 1;
    return { stream: 's', seq: 1, duplicate: false };
  };
  const late = {
    connection: { stats: () => ({ inMsgs: 0 }), info: { max_payload: 1 } },
    jetStream: { publish },
  } as unknown as OpenNats;
  let open: (value: OpenNats) => void = () => undefined;
  const opening = new Promise<OpenNats>((resolve) => {
    open = resolve;
  });
  let ended: Promise<unknown> = Promise.resolve();
  const connections = {
    use: (_url: string, _identity: NatsIdentity, use: (get: () => Promise<OpenNats>) => Promise<SendResult>) => {
      const using = use(() => opening);
      ended = using;
      return using;
    },
    close: () => undefined,
  } as unknown as NatsConnections;
  const channel = new NatsChannel({ connections, timeoutMs: 50, connectTimeoutMs: 50 });
  const result = await new Promise<SendResult>((resolve) => channel.send(message, resolve));
  expect(result).toMatchObject({ kind: 'failed', reason: 'No connection to the NATS server within 0.1 s.' });
  open(late);
  await ended;
  expect(published).toBe(0);
});

test('connections that are closed open no more', async () => {
  let asked = 0;
  const connections = new NatsConnections({
    connect: async () => {
      asked += 1;
      throw new Error('refused');
    },
    openTls: async () => {
      throw new Error('no TLS');
    },
    timeoutMs: 1_000,
  });
  await expect(connections.use(message.url, identity, (open) => open())).rejects.toThrow();
  const before = asked;
  expect(before).toBeGreaterThan(0);
  connections.close();
  await expect(connections.use(message.url, identity, (open) => open())).rejects.toThrow();
  expect(asked).toBe(before);
});
