import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EmbeddedServer } from '../src/embedded-server.ts';
import { ensureCluster } from '../src/ensure-cluster.ts';
import { findFreePort } from '../src/free-port.ts';
import { launchFirst } from '../src/launch-server.ts';
import { locateBinaries } from '../src/locate-binaries.ts';
import { chooseRunAs } from '../src/run-as.ts';
import type { ServerEvent } from '../src/server-event.ts';
import { serverUrl } from '../src/server-url.ts';
import { gone, query, waitFor } from './embedded-child.ts';
import { makeFolder, removeFolder } from './embedded-installation.ts';

const folders: string[] = [];
afterAll(() => Promise.all(folders.map(removeFolder)));

async function newFolder(): Promise<string> {
  const folder = join(await makeFolder('data'), 'not yet', 'there');
  folders.push(join(folder, '../..'));
  return folder;
}

const name = 'app';
const settings = { fsync: 'off' };

describe('a server on an empty folder', () => {
  const seen: ServerEvent[] = [];
  let dataDir: string;
  let server: EmbeddedServer;

  beforeAll(async () => {
    dataDir = await newFolder();
    server = await EmbeddedServer.start({ dataDir, name, onEvent: (event) => seen.push(event) });
  });
  afterAll(() => server?.stop());

  const show = async (name: string) => (await query(server.url, `show ${name}`))[0]?.[name];

  it('is durable', async () => {
    expect(await show('fsync')).toBe('on');
    expect(await show('synchronous_commit')).toBe('on');
    expect(await show('data_checksums')).toBe('on');
  });

  it('is reached by a Unix socket that is closed to other users, and listens on loopback', async () => {
    const [row] = await query(server.url, 'select client_addr from pg_stat_activity where pid = pg_backend_pid()');
    expect(row).toEqual({ client_addr: null });
    expect((await stat(join(dataDir, 'postgres'))).mode & 0o077).toBe(0);
    expect(await show('unix_socket_directories')).toBe('.');
    expect(await show('listen_addresses')).toBe('127.0.0.1');
    const overTcp = new URL(server.url);
    overTcp.search = '';
    expect(overTcp.hostname).toBe('127.0.0.1');
    expect(await query(overTcp.href, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('is reached by TCP if the path of the socket would be too long', async () => {
    const long = await EmbeddedServer.start({
      dataDir: join(await newFolder(), 'x'.repeat(100)),
      name,
      settings,
    });
    try {
      expect(new URL(long.url).search).toBe('');
      expect(await query(long.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    } finally {
      await long.stop();
    }
  });

  it('has a UTF-8 database that sorts by code point and knows the case of every letter', async () => {
    const [row] = await query(
      server.url,
      `select pg_encoding_to_char(encoding) as encoding, datlocprovider, datlocale,
              upper('åß') as upper, 'Z' < 'a' as order
       from pg_database where datname = current_database()`,
    );
    expect(row).toEqual({ encoding: 'UTF8', datlocprovider: 'b', datlocale: 'C.UTF-8', upper: 'Åß', order: true });
  });

  it('refuses connections without the password', async () => {
    const url = new URL(server.url);
    url.password = 'wrong';
    await expect(query(url.href, 'select 1')).rejects.toThrow(/password authentication failed/);
    expect((await query(server.url, 'show password_encryption'))[0]).toEqual({ password_encryption: 'scram-sha-256' });
  });

  it('has a role and a database of the given name', async () => {
    const [row] = await query(server.url, 'select current_user as role, current_database() as database');
    expect(row).toEqual({ role: name, database: name });
    await expect(EmbeddedServer.start({ dataDir, name: 'no-such "name"' })).rejects.toThrow(TypeError);
  });

  it('closes its folder and password to other users', async () => {
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
    expect((await stat(join(dataDir, 'postgres'))).mode & 0o777).toBe(0o700);
    expect((await stat(join(dataDir, 'postgres-password'))).mode & 0o777).toBe(0o600);
  });

  it('reports that it creates a database and what PostgreSQL prints, never the password', async () => {
    const { password } = new URL(server.url);
    await expect(query(server.url, `select '${password}'::int`)).rejects.toThrow(/invalid input syntax/);
    const message = await waitFor(() =>
      seen.find((one) => one.kind === 'database.message' && one.text.includes('invalid input syntax')),
    );
    expect(message).toMatchObject({ text: expect.stringContaining('for type integer: "***"') });
    expect(seen[0]?.kind).toBe('database.initialising');
    expect(JSON.stringify(seen)).not.toContain(password);
  });

  it('does not report sessions that its own stop ends, but reports one that somebody else ends', async () => {
    const ended: string[] = [];
    const stopped = await EmbeddedServer.start({
      dataDir: await newFolder(),
      name,
      onEvent(one) {
        if (one.kind === 'database.message' && one.text.includes('administrator command')) ended.push(one.text);
      },
      settings,
    });
    const [first] = [await openSession(stopped.url), await openSession(stopped.url)];
    await query(stopped.url, `select pg_terminate_backend(${first})`);
    await waitFor(() => ended[0]);
    await stopped.stop();
    expect(ended).toHaveLength(1);
  });

  it('keeps its data and password over a stop and a start', async () => {
    await query(server.url, 'create table kept as select 42 as answer');
    await server.stop();
    const before = new URL(server.url).password;
    server = await EmbeddedServer.start({ dataDir, name });
    expect(await query(server.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
    expect(new URL(server.url).password).toBe(before);
  });
});

describe('a server that dies', () => {
  const seen: ServerEvent[] = [];
  const count = (kind: ServerEvent['kind']) => seen.filter((one) => one.kind === kind).length;
  let server: EmbeddedServer;

  beforeAll(async () => {
    server = await EmbeddedServer.start({
      dataDir: await newFolder(),
      name,
      onEvent: (event) => seen.push(event),
      settings,
    });
  });
  afterAll(() => server?.stop());

  async function restartAfter(restarts: number): Promise<void> {
    await waitFor(() => (count('database.restarted') > restarts ? true : undefined));
  }

  it('is restarted at the same address, every time, with all committed data', async () => {
    const { url } = server;
    await query(url, 'create table survivor (round int)');
    for (let round = 1; round <= 4; round += 1) {
      await query(url, `insert into survivor values (${round})`);
      const exits = count('database.exited');
      process.kill(server.pid!, 'SIGKILL');
      await restartAfter(round - 1);
      expect(count('database.exited')).toBe(exits + 1);
      expect(await query(url, 'select count(*)::int as rounds from survivor')).toEqual([{ rounds: round }]);
    }
    expect(seen).toContainEqual({ kind: 'database.exited', exit: 'killed by SIGKILL' });
    expect(server.url).toBe(url);
  });

  it('waits for its port if another program has taken it', async () => {
    const restarts = count('database.restarted');
    const held = await holdSession(server.url);
    process.kill(server.pid!, 'SIGKILL');
    const thief = await takePort(Number(new URL(server.url).port));
    held.letGo();
    await waitFor(() => seen.find((one) => one.kind === 'database.waiting' && one.reason.includes('could not bind')));
    thief.close();
    await restartAfter(restarts);
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('can be stopped while it is being restarted', async () => {
    const exits = count('database.exited');
    const restarts = count('database.restarted');
    const held = await holdSession(server.url);
    process.kill(server.pid!, 'SIGKILL');
    await waitFor(() => (count('database.exited') > exits ? true : undefined));
    await Promise.all([server.stop(), server.stop()]);
    held.letGo();
    await gone(held.pid);
    expect(count('database.restarted')).toBe(restarts);
    expect(server.pid).toBeUndefined();
    await expect(query(server.url, 'select 1')).rejects.toThrow(/ECONNREFUSED|ENOENT/);
  });
});

it('if a port is taken at the last moment, another one is used', async () => {
  const dataDir = await makeFolder('data');
  folders.push(dataDir);
  const seen: ServerEvent[] = [];
  const onEvent = (event: ServerEvent) => void seen.push(event);
  const binaries = await locateBinaries();
  const runAs = await chooseRunAs({ clusterDir: join(dataDir, 'postgres') });
  const plan = { folder: dataDir, name, binaries, runAs, settings, onEvent };
  const password = await ensureCluster(plan);
  const taken = await findFreePort();
  const thief = await takePort(taken);
  const offered = [taken, await findFreePort()];
  const stopping = new AbortController().signal;
  const { postmaster, port } = await launchFirst({ ...plan, password, stopping }, async () => offered.shift()!);
  thief.close();
  try {
    expect(port).not.toBe(taken);
    expect(await query(serverUrl({ name, password, port }), 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(seen.map(({ kind }) => kind)).toContain('database.waiting');
  } finally {
    await postmaster.stop();
  }
});

/** Resolves to the process id of the session, which stays open until the server ends it. */
async function openSession(url: string): Promise<number> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]!.pid;
}

/** A session that cannot notice the death of its server, and therefore keeps the next one from starting. */
async function holdSession(url: string): Promise<{ pid: number; letGo(): void }> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  const { rows } = await client.query('select pg_backend_pid() as pid');
  const pid = rows[0].pid as number;
  process.kill(pid, 'SIGSTOP');
  return { pid, letGo: () => void process.kill(pid, 'SIGCONT') };
}

async function takePort(port: number): Promise<Server> {
  return await waitFor(async () => {
    const server = createServer().listen(port, '127.0.0.1');
    return await once(server, 'listening').then(
      () => server,
      () => undefined,
    );
  });
}
