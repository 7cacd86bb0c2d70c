// A server that ends while a connection begins is a database that is away, at whatever moment it ends.

import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Database } from '../../src/database/database.ts';
import { DatabaseAway } from '../../src/database/database-away.ts';

function message(code: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + body.length);
  return Buffer.concat([Buffer.from(code), length, body]);
}

const welcome = Buffer.concat([message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))]);
const lastWords = message(
  'E',
  Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0'),
);

/** Each is called with what has just arrived: first the greeting, then the settings of the connection. */
const endings: Record<string, (socket: Socket, arrived: number) => void> = {
  'in the same breath in which it says that it is ready': (socket) => socket.end(Buffer.concat([welcome, lastWords])),
  'after it has said that it is ready': (socket) => {
    socket.write(welcome);
    setImmediate(() => socket.end(lastWords));
  },
  'when it is told the settings': (socket, arrived) => (arrived === 1 ? socket.write(welcome) : socket.end(lastWords)),
  'when it is told the settings, without a word': (socket, arrived) =>
    arrived === 1 ? socket.write(welcome) : socket.destroy(),
  'after a while': (socket, arrived) => {
    if (arrived === 1) socket.write(welcome);
    else setTimeout(() => socket.end(lastWords), 50);
  },
};

async function openDying(end: (socket: Socket, arrived: number) => void): Promise<Database> {
  const server = createServer((socket) => {
    let arrived = 0;
    socket.on('error', () => undefined);
    socket.on('data', () => {
      arrived += 1;
      if (socket.writable) end(socket, arrived);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `postgres://user:password@127.0.0.1:${(server.address() as AddressInfo).port}/database`;
  const database = new Database({ url, observe: () => undefined, connectionsMax: 2, statementTimeoutMs: 3_000 });
  onTestFinished(async () => {
    await database.close();
    server.close();
  });
  return database;
}

const nobody = { userKey: undefined, client: 'test' };
const one = { text: 'select 1' };

const uses: Record<string, (database: Database) => Promise<unknown>> = {
  'a statement': (database) => database.run(one),
  'statements together': (database) => database.runTogether(nobody, [one, one]),
  'a transaction': (database) => database.transaction(nobody, ({ run }) => run(one)),
  'a transaction that does something else first': (database) =>
    database.transaction(nobody, async ({ run }) => {
      await sleep(20);
      return await run(one);
    }),
};

describe.each(Object.keys(endings))('a server that ends %s', (ending) => {
  test.each(Object.keys(uses))('is away for %s', async (use) => {
    const database = await openDying(endings[ending]!);
    await expect(uses[use]!(database)).rejects.toBeInstanceOf(DatabaseAway);
  });
});
