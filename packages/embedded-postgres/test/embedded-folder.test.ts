// The states of a data folder: what works, and what is rejected with a message that helps.

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chmod, chown, cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { EmbeddedServer } from '../src/embedded-server.ts';
import { EmbeddedServerError } from '../src/embedded-server-error.ts';
import { findFreePort } from '../src/free-port.ts';
import { locateBinaries } from '../src/locate-binaries.ts';
import { readPostmasterFile } from '../src/postmaster-file.ts';
import { chooseRunAs, folderArgument, spawnAs } from '../src/run-as.ts';
import type { OnEvent, ServerEvent } from '../src/server-event.ts';
import { serverArguments } from '../src/server-settings.ts';
import { gone, query, waitFor } from './embedded-child.ts';
import { makeFolder, removeFolder } from './embedded-installation.ts';

const isRoot = process.getuid?.() === 0;
const name = 'app';
const settings = { fsync: 'off' };
const folders: string[] = [];
const running: EmbeddedServer[] = [];
const bystanders: ChildProcess[] = [];

afterEach(async () => {
  for (const server of running.splice(0)) await server.stop();
  for (const bystander of bystanders.splice(0)) bystander.kill('SIGKILL');
});
afterAll(() => Promise.all(folders.map(removeFolder)));

async function newFolder(): Promise<string> {
  const folder = await makeFolder('data');
  folders.push(folder);
  return folder;
}

async function start(dataDir: string, onEvent?: OnEvent): Promise<EmbeddedServer> {
  const server = await EmbeddedServer.start({ dataDir, name, onEvent, settings });
  running.push(server);
  return server;
}

async function refusal(dataDir: string): Promise<string> {
  const error = await start(dataDir).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(EmbeddedServerError);
  return (error as EmbeddedServerError).message;
}

/** A process of the user who runs the server, which has nothing to do with databases. */
function startBystander(): number {
  const user = isRoot ? { uid: 65534, gid: 65534 } : {};
  const bystander = spawn('/bin/sh', ['-c', 'read forever'], {
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: '/',
    ...user,
  });
  bystanders.push(bystander);
  return bystander.pid!;
}

describe('a folder with a database', () => {
  let dataDir: string;
  let cluster: string;
  let fileOfARun: string;

  beforeAll(async () => {
    dataDir = await newFolder();
    cluster = join(dataDir, 'postgres');
    const server = await EmbeddedServer.start({ dataDir, name, settings });
    await query(server.url, 'create table kept as select 42 as answer');
    fileOfARun = await readFile(join(cluster, 'postmaster.pid'), 'utf8');
    await server.stop();
  });

  async function expectItWorks(server: EmbeddedServer): Promise<void> {
    expect(await query(server.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
  }

  it.each([
    ['whose process is gone', () => fileOfARun],
    ['whose process id now belongs to another program', () => fileOfARun.replace(/^\d+/, String(startBystander()))],
    ['that is empty', () => ''],
    ['that is damaged', () => 'rubbish'],
  ])('starts despite a postmaster.pid %s', async (_, content) => {
    await writeFile(join(cluster, 'postmaster.pid'), content(), { mode: 0o600 });
    if (isRoot) await chown(join(cluster, 'postmaster.pid'), 65534, 65534);
    await expectItWorks(await start(dataDir));
  });

  it('starts despite the lock of a process whose id now belongs to another program', async () => {
    const pid = startBystander();
    await writeFile(join(dataDir, 'lock-999'), JSON.stringify({ pid, birth: 'long ago' }));
    await expectItWorks(await start(dataDir));
    expect((await readdir(dataDir)).filter((name) => name.startsWith('lock'))).toEqual(['lock-1000']);
  });

  it('cannot be used twice by the same process', async () => {
    const server = await start(dataDir);
    expect(await refusal(dataDir)).toContain(`process ${process.pid}`);
    await expectItWorks(server);
  });

  it('gets a new password if its password file is lost', async () => {
    await rm(join(dataDir, 'postgres-password'));
    await expectItWorks(await start(dataDir));
  });

  it('is refused if the password file has another password', async () => {
    const file = join(dataDir, 'postgres-password');
    const password = await readFile(file, 'utf8');
    await writeFile(file, 'x'.repeat(43));
    expect(await refusal(dataDir)).toMatch(/password authentication failed/);
    await writeFile(file, password);
    await expectItWorks(await start(dataDir));
  });

  it('is refused, with what to do, if another major version created it', async () => {
    await writeFile(join(cluster, 'PG_VERSION'), '17\n');
    expect(await refusal(dataDir)).toMatch(
      /created by PostgreSQL 17.*comes with PostgreSQL 18.*Make a backup .* restore it .* into a new data folder/,
    );
    await writeFile(join(cluster, 'PG_VERSION'), '18\n');
    await expectItWorks(await start(dataDir));
  });

  it('is refused if its files are damaged, and PostgreSQL is quoted', async () => {
    const damaged = join(await newFolder(), 'data');
    await cp(dataDir, damaged, { recursive: true });
    await rm(join(damaged, 'postgres/global/pg_control'));
    expect(await refusal(damaged)).toMatch(/PostgreSQL said:\n.*could not (open|find)/s);
  });

  it.skipIf(!isRoot)('works after root has copied it and owns the copy (needs root)', async () => {
    const copy = join(await newFolder(), 'data');
    await cp(dataDir, copy, { recursive: true });
    expect((await stat(join(copy, 'postgres'))).uid).toBe(0);
    await expectItWorks(await start(copy));
  });

  // Other owners: embedded-owners.long.test.ts.

  it('stops a server that was left running in it, and starts its own', async () => {
    const stray = await startStrayServer(cluster);
    const seen: ServerEvent[] = [];
    const server = await start(dataDir, (one) => seen.push(one));
    expect(seen[0]).toMatchObject({ kind: 'database.waiting', reason: expect.stringContaining(`process ${stray}`) });
    await gone(stray);
    await expectItWorks(server);
  });
});

async function startStrayServer(cluster: string): Promise<number> {
  const binaries = await locateBinaries();
  const runAs = await chooseRunAs({ clusterDir: cluster });
  const args = serverArguments(
    { cluster, folderArgument: folderArgument(runAs, cluster), port: await findFreePort() },
    settings,
  );
  const stray = spawnAs(runAs, binaries.postgres, args, { stdio: 'ignore', cwd: cluster });
  bystanders.push(stray);
  await waitFor(async () => ((await readPostmasterFile(cluster))?.isReady ? true : undefined));
  return stray.pid!;
}

describe('a folder without a database', () => {
  it('is cleared of the files of a killed initdb, and of nothing else', async () => {
    const dataDir = await newFolder();
    const dead = spawn('/bin/sh', ['-c', 'exit'], { stdio: 'ignore' });
    await gone(dead.pid!);
    await mkdir(join(dataDir, `postgres.new-${dead.pid}`));
    await writeFile(join(dataDir, `postgres.new-${dead.pid}`, 'PG_VERSION'), '18\n');
    await mkdir(join(dataDir, `postgres.new-${process.pid}`));
    await writeFile(join(dataDir, `postgres.new-${process.pid}`, 'PG_VERSION'), '18\n');
    await mkdir(join(dataDir, 'postgres'));
    await writeFile(join(dataDir, 'keys.json'), '{}');
    await start(dataDir);
    expect((await readdir(dataDir)).sort()).toEqual(['keys.json', 'lock-1', 'postgres', 'postgres-password']);
  });

  it('is refused and left as it is if other files are in the place of the database', async () => {
    const dataDir = await newFolder();
    await mkdir(join(dataDir, 'postgres'));
    await writeFile(join(dataDir, 'postgres/letter.txt'), 'Dear Sir');
    expect(await refusal(dataDir)).toMatch(/not a PostgreSQL database.*move it away/);
    expect(await readFile(join(dataDir, 'postgres/letter.txt'), 'utf8')).toBe('Dear Sir');
  });

  it('is refused if it is a file', async () => {
    const file = join(await newFolder(), 'file');
    await writeFile(file, '');
    expect(await refusal(file)).toContain(`The data folder ${file} cannot be used`);
  });

  it.skipIf(isRoot)('is refused if it is not writable (root can write anywhere)', async () => {
    const dataDir = await newFolder();
    await chmod(dataDir, 0o500);
    expect(await refusal(dataDir)).toMatch(/cannot be used: Permission denied.*another data folder/);
  });

  it('is refused on a read-only disk', async ({ skip }) => {
    const dataDir = await newFolder();
    await withDisk(dataDir, 'ro', skip, async () => {
      expect(await refusal(dataDir)).toContain(`The data folder ${dataDir} cannot be used: Read-only file system.`);
    });
  });

  it('is refused on a full disk, quoting PostgreSQL, and left as it is', async ({ skip }) => {
    const dataDir = await newFolder();
    await withDisk(dataDir, 'size=20m', skip, async () => {
      const message = await refusal(dataDir);
      expect(message).toContain(`The data folder ${dataDir} cannot be used: No space left on device.`);
      expect(message).toMatch(/PostgreSQL said:\n.*No space left on device/s);
      expect(await readdir(dataDir)).not.toContain('postgres');
      expect((await readdir(dataDir)).filter((name) => name.includes('.new-'))).toEqual([]);
    });
  });

  it('is refused on a disk without space for a lock', async ({ skip }) => {
    const dataDir = await newFolder();
    await withDisk(dataDir, 'size=4k,nr_inodes=1', skip, async () => {
      expect(await refusal(dataDir)).toContain(`The data folder ${dataDir} cannot be used: No space left on device.`);
    });
  });
});

async function withDisk(
  folder: string,
  options: string,
  skip: (reason: string) => never,
  check: () => Promise<void>,
): Promise<void> {
  const run = promisify(execFile);
  const isMounted = await run('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]).then(
    () => true,
    () => false,
  );
  if (!isMounted) skip('this user or container may not mount a small disk');
  try {
    await check();
  } finally {
    await run('umount', [folder]);
  }
}
