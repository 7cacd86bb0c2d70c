// Commands and a service on the same data folder.

import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { claimFolder, FolderInUse } from '../../src/database/embedded/claim-folder.ts';
import { EmbeddedServer } from '../../src/database/embedded/embedded-server.ts';
import { findRunningServer } from '../../src/database/embedded/find-running-server.ts';
import { reachServer } from '../../src/database/embedded/reach-server.ts';
import { query } from './embedded-child.ts';
import { makeFolder, removeFolder } from './embedded-installation.ts';

const observe = () => undefined;
const running: EmbeddedServer[] = [];
let folder: string;
let dataDir: string;

beforeAll(async () => {
  folder = await makeFolder('shared data');
  dataDir = join(folder, 'data');
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.stop()));
});
afterAll(() => removeFolder(folder));

async function start(isBrief: boolean): Promise<EmbeddedServer> {
  const server = await EmbeddedServer.start({ dataDir, observe, isBrief, settings: { fsync: 'off' } });
  running.push(server);
  return server;
}

it('a folder that is not there, or that nobody serves, has no running server, and is not made by looking', async () => {
  expect(await findRunningServer(dataDir)).toBeUndefined();
  expect(await findRunningServer(dataDir)).toBeUndefined();
  await (await start(false)).stop();
  expect(await findRunningServer(dataDir)).toBeUndefined();
});

it('a command uses the server of the service, and leaves it running', async () => {
  const service = await start(false);
  const reached = await reachServer(dataDir, observe);
  expect(reached.url).toBe(service.url);
  await reached.release();
  expect(await query(service.url, 'select 1 as one')).toEqual([{ one: 1 }]);
});

it('a command starts a server where none runs, and stops it', async () => {
  const reached = await reachServer(dataDir, observe, { mayCreate: true });
  expect(await query(reached.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  await reached.release();
  await expect(query(reached.url, 'select 1')).rejects.toThrow(/ECONNREFUSED|ENOENT/);
});

it('a service that starts while a command works waits for its end', async () => {
  const command = await start(true);
  const starting = start(false);
  await command.stop();
  expect(await query((await starting).url, 'select 1 as one')).toEqual([{ one: 1 }]);
});

it('a command never relies on the server of another command: it waits for its end', async () => {
  const other = await start(true);
  expect(await findRunningServer(dataDir)).toBeUndefined();
  await expect(reachServer(dataDir, observe, { patienceMs: 0 })).rejects.toThrow(FolderInUse);
  const reaching = reachServer(dataDir, observe);
  await other.stop();
  const reached = await reaching;
  expect(await query(reached.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  await reached.release();
});

it('a command waits for a service that makes its database, and makes none if that service dies', async () => {
  const unfinished = join(folder, 'unfinished');
  await mkdir(unfinished);
  const service = await claimFolder(unfinished);
  const reaching = reachServer(unfinished, observe);
  await expect(reachServer(unfinished, observe, { patienceMs: 0 })).rejects.toThrow(FolderInUse);
  await service.release();
  await expect(reaching).rejects.toThrow(`There is no database in the data folder ${unfinished}.`);
  expect(await readdir(unfinished)).toEqual(['lock-1']);
});
