// Checks before a server is used: a pooler in transaction mode is rejected, and unsafe settings are reported.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '@flaghoist/embedded-postgres';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { checkServer } from '../../src/database/check-server.ts';
import type { Observation } from '../../src/observe/observation.ts';
import { useTestDatabase } from '../support/test-database.ts';

const database = useTestDatabase({ isMigrated: false });

async function check(url: string): Promise<Observation[]> {
  const reported: Observation[] = [];
  await checkServer(url, (observation) => void reported.push(observation));
  return reported;
}

test('settings with which a crash loses data are reported with advice, as our connections see them', async () => {
  const names = ['fsync', 'synchronous_commit', 'full_page_writes'];
  const name = new URL(database.url).pathname.slice(1);
  const expected = async (isCommitOff: boolean) => {
    const { rows } = await database.pool.query('select name, setting from pg_settings where name = any($1)', [names]);
    const off = rows.filter((row) => row.setting === 'off').map((row) => row.name as string);
    const others = off.filter((each) => each !== 'synchronous_commit');
    return [...others, ...(isCommitOff ? ['synchronous_commit'] : [])].sort();
  };
  for (const value of ['off', 'on'] as const) {
    await database.pool.query(`alter database ${name} set synchronous_commit = ${value}`);
    const reported = await check(database.url);
    for (const observation of reported)
      expect(observation).toEqual({
        kind: 'database.unsafe',
        setting: expect.any(String),
        advice: expect.stringMatching(/crash.*Set \w+ = on/),
      });
    expect(reported.map((observation) => 'setting' in observation && observation.setting).sort()).toEqual(
      await expected(value === 'off'),
    );
  }
});

test('a server that cannot be used is reported', async () => {
  const wrong = new URL(database.url);
  wrong.pathname = '/no_such_database';
  await expect(check(wrong.href)).rejects.toThrow(/cannot be used: .*no_such_database.*Check DATABASE_URL/);
});

function hasPgbouncer(): boolean {
  try {
    execFileSync('pgbouncer', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe.skipIf(!hasPgbouncer())('a pooler (needs pgbouncer)', () => {
  test.each([
    ['transaction', 20],
    ['transaction', 1],
    ['session', 20],
  ] as const)('in %s mode with up to %d connections is rejected if they are shared', async (mode, size) => {
    const url = await startPooler(mode, size);
    if (mode === 'session') await check(url);
    else await expect(check(url)).rejects.toThrow(/pooler in transaction mode.*session mode/);
  });
});

async function startPooler(mode: string, poolSize: number): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'flaghoist-pooler-'));
  const port = await findFreePort();
  const url = new URL(database.url);
  const users = join(folder, 'users');
  writeFileSync(users, `"${url.username}" "${decodeURIComponent(url.password)}"\n`);
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(
    file,
    `[databases]
* = host=${url.hostname} port=${url.port || 5432}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = ${mode}
default_pool_size = ${poolSize}
`,
  );
  for (const path of [folder, users, file]) chmodSync(path, 0o755);
  // It refuses to run as root.
  const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
  const pooler = spawn('pgbouncer', [file], { stdio: 'ignore', ...user });
  onTestFinished(async () => {
    await ended(pooler);
    rmSync(folder, { recursive: true, force: true });
  });
  url.hostname = '127.0.0.1';
  url.port = String(port);
  url.search = '';
  await expect.poll(() => takesConnections(url.href), { timeout: 20_000 }).toBe(true);
  return url.href;
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await exit;
}

async function takesConnections(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  return client.connect().then(
    () => client.end().then(() => true),
    () => false,
  );
}
