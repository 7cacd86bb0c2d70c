// A server that ends a connection counts as unavailable, at whatever moment and for whatever reason it does so.

import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Database } from '../../src/database/database.ts';

function message(code: string, body: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + body.length);
  return Buffer.concat([Buffer.from(code), length, Buffer.from(body)]);
}

function complaint(severity: string, state: string, text: string): Buffer {
  return message('E', `S${severity}\0V${severity}\0C${state}\0M${text}\0\0`);
}

const ready = message('Z', 'I');
const welcome = Buffer.concat([message('R', '\0\0\0\0'), ready]);
/** To a statement that was parsed, bound, described and executed. */
const done = Buffer.concat([message('1', ''), message('2', ''), message('n', ''), message('C', 'SELECT 0\0'), ready]);
const shutdown = complaint('FATAL', '57P01', 'terminating connection due to unexpected postmaster exit');
const rejection = Buffer.concat([complaint('ERROR', '42501', 'permission denied to set parameter'), ready]);

/** The first message is the startup, the second sends the settings, the third is the caller's statement. */
type Answer = (socket: Socket, arrived: number) => void;

/** With the cause that the caller sees. */
const endings: Record<string, [Answer, RegExp]> = {
  'the connection in the packet that says that it is ready': [
    (socket) => socket.end(Buffer.concat([welcome, shutdown])),
    /postmaster exit/,
  ],
  'the connection after it has said that it is ready': [
    (socket, arrived) => {
      if (arrived > 1) return;
      socket.write(welcome);
      setTimeout(() => socket.end(shutdown), 5);
    },
    /postmaster exit/,
  ],
  'the connection when it receives the settings': [
    (socket, arrived) => (arrived === 1 ? socket.write(welcome) : socket.end(shutdown)),
    /postmaster exit/,
  ],
  'the connection without a message when it receives the settings': [
    (socket, arrived) => (arrived === 1 ? socket.write(welcome) : socket.destroy()),
    /Connection terminated|ECONNRESET/,
  ],
  'the connection after it has accepted the settings': [
    (socket, arrived) => (arrived === 1 ? socket.write(welcome) : socket.end(Buffer.concat([done, shutdown]))),
    /postmaster exit|Connection terminated|not queryable/,
  ],
  'the connection when it receives a statement': [
    (socket, arrived) => {
      if (arrived > 2) socket.end(shutdown);
      else socket.write(arrived === 1 ? welcome : done);
    },
    /postmaster exit/,
  ],
  'the connection when it receives a statement, because its disk is full': [
    (socket, arrived) => {
      if (arrived > 2) socket.end(complaint('PANIC', '53100', 'could not write to file'));
      else socket.write(arrived === 1 ? welcome : done);
    },
    /could not write/,
  ],
};

interface Dying {
  database: Database;
  /** Everything that was sent to it, over all connections. */
  received(): string;
}

async function openDying(answer: Answer): Promise<Dying> {
  const received: Buffer[] = [];
  const sockets: Socket[] = [];
  // It does not end a connection when we do.
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    let arrived = 0;
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      arrived += 1;
      received.push(bytes);
      if (socket.writable) answer(socket, arrived);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `postgres://user:password@127.0.0.1:${(server.address() as AddressInfo).port}/database`;
  const database = new Database({ url, observe: () => undefined, connectionsMax: 2, statementTimeoutMs: 3_000 });
  onTestFinished(async () => {
    await database.close();
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { database, received: () => Buffer.concat(received).toString('latin1') };
}

const actor = { userKey: undefined, client: 'test' };
const one = { text: 'select 1' };

const uses: Record<string, (database: Database) => Promise<unknown>> = {
  'a statement': (database) => database.run(one),
  'statements together': (database) => database.runTogether(actor, [one, one]),
  'a transaction': (database) => database.transaction(actor, ({ run }) => run(one)),
  'a transaction that does something else first': (database) =>
    database.transaction(actor, async ({ run }) => {
      await sleep(20);
      return await run(one);
    }),
};

describe.each(Object.keys(endings))('a server that ends %s', (ending) => {
  const [answer, cause] = endings[ending]!;

  test.each(Object.keys(uses))('is unavailable for %s', async (use) => {
    const { database } = await openDying(answer);
    await expect(uses[use]!(database)).rejects.toMatchObject({
      name: 'DatabaseAway',
      cause: { message: expect.stringMatching(cause) },
    });
  });
});

describe('a server that rejects the settings', () => {
  const answer: Answer = (socket, arrived) => socket.write(arrived === 1 ? welcome : rejection);

  test.each(Object.keys(uses))('receives no statement, and is unavailable for %s', async (use) => {
    const { database, received } = await openDying(answer);
    await expect(uses[use]!(database)).rejects.toMatchObject({
      name: 'DatabaseAway',
      cause: { message: 'permission denied to set parameter' },
    });
    expect(received()).toContain('set_config');
    expect(received()).not.toContain('select 1');
    expect(received()).not.toContain('begin');
  });
});

test('a server that does not answer the settings is given up in time', async () => {
  const { database, received } = await openDying((socket, arrived) => {
    if (arrived === 1) socket.write(welcome);
  });
  await expect(database.run(one)).rejects.toMatchObject({
    name: 'DatabaseAway',
    cause: { message: expect.stringMatching(/does not answer|has not answered/) },
  });
  expect(received()).not.toContain('select 1');
});
