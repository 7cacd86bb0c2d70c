// Commands and a service on the same data folder.

import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { claimFolder, FolderInUse } from '../src/claim-folder.ts';
import { EmbeddedServer } from '../src/embedded-server.ts';
import { EmbeddedServerError } from '../src/embedded-server-error.ts';
import { findRunningServer, reachServer } from '../src/reach-server.ts';
import { query } from './embedded-child.ts';
import { makeFolder, removeFolder } from './embedded-installation.ts';

const name = 'app';
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
  const server = await EmbeddedServer.start({ dataDir, name, isBrief, settings: { fsync: 'off' } });
  running.push(server);
  return server;
}

it('a folder that is missing, or that no service uses, has no running server; looking does not create it', async () => {
  expect(await findRunningServer({ dataDir, name })).toBeUndefined();
  expect(await findRunningServer({ dataDir, name })).toBeUndefined();
  await (await start(false)).stop();
  expect(await findRunningServer({ dataDir, name })).toBeUndefined();
});

it('a command uses the server of the service and leaves it running', async () => {
  const service = await start(false);
  const reached = await reachServer({ dataDir, name });
  expect(reached.url).toBe(service.url);
  await reached.release();
  expect(await query(service.url, 'select 1 as one')).toEqual([{ one: 1 }]);
});

it('a folder without a database is refused and left as it is, unless the command may create one', async () => {
  const missing = join(folder, 'missing');
  const reached = reachServer({ dataDir: missing, name });
  await expect(reached).rejects.toThrow(EmbeddedServerError);
  await expect(reached).rejects.toThrow(`There is no database in the data folder ${missing}. Use the data folder of`);
  expect(await readdir(folder)).toEqual(['data']);
});

it('a command waits for a service that creates its database, and creates none if that service dies', async () => {
  const unfinished = join(folder, 'unfinished');
  await mkdir(unfinished);
  const service = await claimFolder(unfinished);
  const reaching = reachServer({ dataDir: unfinished, name });
  await expect(reachServer({ dataDir: unfinished, name, timeoutMs: 0 })).rejects.toThrow(FolderInUse);
  await service.release();
  await expect(reaching).rejects.toThrow(`There is no database in the data folder ${unfinished}.`);
  expect(await readdir(unfinished)).toEqual(['lock-1']);
});

it('a command starts a server if none runs, and stops it', async () => {
  const reached = await reachServer({ dataDir, name, mayCreate: true });
  expect(await query(reached.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  await reached.release();
  await expect(query(reached.url, 'select 1')).rejects.toThrow(/ECONNREFUSED|ENOENT/);
});

it('a service that starts during a command waits until the command has ended', async () => {
  const command = await start(true);
  const starting = start(false);
  await command.stop();
  expect(await query((await starting).url, 'select 1 as one')).toEqual([{ one: 1 }]);
});

it('a command never uses the server of another command: it waits until that has ended', async () => {
  const other = await start(true);
  expect(await findRunningServer({ dataDir, name })).toBeUndefined();
  await expect(reachServer({ dataDir, name, timeoutMs: 0 })).rejects.toThrow(FolderInUse);
  const reaching = reachServer({ dataDir, name });
  await other.stop();
  const reached = await reaching;
  expect(await query(reached.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  await reached.release();
});
