// A data folder, its files and its programs may belong to other users than root, who starts the server. Other problems
// with a folder are tested in embedded-folder.test.ts.

import { execFile } from 'node:child_process';
import { cp, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { EmbeddedServer } from '../src/embedded-server.ts';
import { query } from './embedded-child.ts';
import { makeFolder, removeFolder } from './embedded-installation.ts';

const isRoot = process.getuid?.() === 0;
const options = { name: 'app', settings: { fsync: 'off' } };
const folders: string[] = [];
const running: EmbeddedServer[] = [];

afterEach(async () => {
  for (const server of running.splice(0)) await server.stop();
});
afterAll(() => Promise.all(folders.map(removeFolder)));

async function newFolder(): Promise<string> {
  const folder = await makeFolder('data');
  folders.push(folder);
  return folder;
}

async function start(dataDir: string): Promise<EmbeddedServer> {
  const server = await EmbeddedServer.start({ dataDir, ...options });
  running.push(server);
  return server;
}

describe.skipIf(!isRoot)('a folder with a database (needs root)', () => {
  let dataDir: string;
  beforeAll(async () => {
    dataDir = await newFolder();
    const server = await EmbeddedServer.start({ dataDir, ...options });
    await query(server.url, 'create table kept as select 42 as answer');
    await server.stop();
  });

  it('is created by root beside a password file of another user', async () => {
    const theirs = join(await newFolder(), 'data');
    await cp(dataDir, theirs, { recursive: true });
    await rm(join(theirs, 'postgres'), { recursive: true });
    await promisify(execFile)('chown', ['4321:4321', join(theirs, 'postgres-password')]);
    const server = await start(theirs);
    expect(await query(server.url, 'select 1 as made')).toEqual([{ made: 1 }]);
  });

  it('keeps its owner when root runs it', async () => {
    const theirs = join(await newFolder(), 'data');
    await cp(dataDir, theirs, { recursive: true });
    await promisify(execFile)('chown', ['-R', '4321:4321', theirs]);
    const server = await start(theirs);
    expect(await query(server.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
    expect((await stat(join(theirs, 'postgres/global/pg_control'))).uid).toBe(4321);
  });
});
