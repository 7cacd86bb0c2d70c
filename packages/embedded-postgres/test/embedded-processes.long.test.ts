// What happens to the database when processes are killed, stopped, or compete for a folder.

import { chmod, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { inspectProcess } from '../src/process-facts.ts';
import { type ChildOptions, EmbeddedChild, gone, query, waitFor } from './embedded-child.ts';
import { installAside, makeFolder, removeFolder } from './embedded-installation.ts';

const isRoot = process.getuid?.() === 0;
const nobody = { uid: 65534, gid: 65534 };
const users = [
  { name: 'the user of this run', user: undefined },
  { name: 'another, ordinary user (needs root)', user: nobody },
];

let installation: string;
const folders: string[] = [];
const children: EmbeddedChild[] = [];

beforeAll(async () => {
  installation = await installAside();
  folders.push(installation);
});
afterEach(async () => {
  for (const child of children.splice(0)) await child.end('SIGKILL');
});
afterAll(() => Promise.all(folders.map(removeFolder)));

function run(options: Omit<ChildOptions, 'installation'>): EmbeddedChild {
  const child = new EmbeddedChild({ installation, ...options });
  children.push(child);
  return child;
}

describe.each(users)('as $name', ({ user }) => {
  if (user !== undefined && !isRoot) return void it.skip('only root can become another user');

  let dataDir: string;
  const start = (options: Partial<ChildOptions> = {}) => run({ dataDir, user, ...options });

  beforeAll(async () => {
    dataDir = join(await makeFolder('data', user), 'data');
    folders.push(join(dataDir, '..'));
  });

  it('a killed initdb does not disturb the next start', async () => {
    const killed = start();
    await killed.printed('database.initialising');
    await killed.end('SIGKILL');
    const next = start();
    await next.started();
    expect((await readdir(dataDir)).filter((name) => name.includes('.new-'))).toEqual([]);
    await next.end('SIGTERM');
  });

  it('SIGTERM to the service shuts the database down cleanly', async () => {
    const child = start();
    const { postmaster } = await child.started();
    await child.end('SIGTERM');
    await child.printed('fixture.stopped');
    expect(await inspectProcess(postmaster)).toBeUndefined();
    expect(await readdir(join(dataDir, 'postgres'))).not.toContain('postmaster.pid');
  });

  it('kill -9 of the service ends the database, and the next start has all committed data', async () => {
    for (let round = 1; round <= 3; round += 1) {
      const child = start();
      const { url, postmaster } = await child.started();
      await query(url, `create table round_${round} ()`);
      await child.end('SIGKILL');
      if (round === 1) await gone(postmaster);
    }
    const { url } = await start().started();
    const tables = await query(url, `select from pg_tables where tablename like 'round_%'`);
    expect(tables).toHaveLength(3);
  });

  it('a second process in the same folder is told at once which process uses it, and what to do', async () => {
    const first = start();
    const { url } = await first.started();
    const { message } = await start().printed('fixture.failed');
    expect(message).toContain(dataDir);
    expect(message).toContain(`process ${first.pid}`);
    expect(message).toMatch(/Stop that process.*another data folder.*separate PostgreSQL server/);
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('of several processes that start in an empty folder at once exactly one gets it', async () => {
    const empty = await makeFolder('race', user);
    folders.push(empty);
    const racers = [start({ dataDir: empty }), start({ dataDir: empty }), start({ dataDir: empty })];
    const outcomes = await Promise.all(
      racers.map((racer) => waitFor(() => racer.lines.find(({ kind }) => kind.startsWith('fixture.')))),
    );
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['fixture.failed', 'fixture.failed', 'fixture.started']);
    const winner = racers[outcomes.findIndex(({ kind }) => kind === 'fixture.started')]!;
    for (const { kind, message } of outcomes) {
      if (kind === 'fixture.failed') expect(message).toContain(`process ${winner.pid}`);
    }
  });

  it('a start waits for a database that is still shutting down after its service was killed', async () => {
    const killed = start();
    const { postmaster } = await killed.started();
    process.kill(postmaster, 'SIGSTOP');
    await killed.end('SIGKILL');
    const next = start();
    const { reason } = await next.printed('database.waiting');
    expect(reason).toContain(`process ${postmaster}`);
    process.kill(postmaster, 'SIGCONT');
    await next.started();
  });

  it('a start waits for sessions that outlive a killed database and service', async () => {
    const killed = start();
    const { url, postmaster } = await killed.started();
    const [session] = await query(url, `select pid from pg_stat_activity where backend_type = 'autovacuum launcher'`);
    const pid = session?.pid as number;
    process.kill(pid, 'SIGSTOP');
    process.kill(postmaster, 'SIGKILL');
    await killed.end('SIGKILL');
    const next = start();
    expect((await next.printed('database.waiting')).reason).toMatch(/sessions of an earlier server/);
    process.kill(pid, 'SIGCONT');
    await next.started();
  });

  it.skipIf(process.platform === 'win32')('without setpriv a watchdog ends the database after kill -9', async () => {
    const child = start({ mode: 'watchdog' });
    const { url, postmaster } = await child.started();
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await child.end('SIGKILL');
    await gone(postmaster);
    const next = start({ mode: 'watchdog' });
    const again = await next.started();
    await next.end('SIGTERM');
    expect(await inspectProcess(again.postmaster)).toBeUndefined();
  });
});

it.skipIf(!isRoot)(
  'data of another OS user is refused, and the message names the owner (needs root to be two users)',
  async () => {
    const dataDir = await makeFolder('data of root');
    folders.push(dataDir);
    const root = run({ dataDir });
    await root.started();
    await root.end('SIGTERM');
    const stranger = { uid: 4321, gid: 4321 };
    await chmod(dataDir, 0o700);
    const shut = await run({ dataDir, user: stranger }).printed('fixture.failed');
    expect(shut.message).toMatch(/cannot be used: Permission denied.*run this program as the user who owns the folder/);
    await chmod(dataDir, 0o777);
    await rm(join(dataDir, 'postgres-password'));
    const open = await run({ dataDir, user: stranger }).printed('fixture.failed');
    expect(open.message).toMatch(/belongs to the OS user 65534, but this program runs as 4321.*another data folder/);
  },
);
