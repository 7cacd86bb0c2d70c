// A PostgreSQL server of the distribution, of another major version than the embedded one, with a role that may do
// nothing but use its own database.

import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '@flaghoist/embedded-postgres';
import pg from 'pg';
import { onTestFinished } from 'vitest';

const versions = '/usr/lib/postgresql';

/** CI installs it, so there it must not be missing. */
export const hasDebianServer = Boolean(process.env.CI) || existsSync(versions);

/** Returns the URL of an empty database for a role without rights. Gone with the test. */
export async function startDebianServer(): Promise<string> {
  const [version] = readdirSync(versions).sort((one, other) => Number(other) - Number(one));
  const folder = mkdtempSync(join(tmpdir(), 'flaghoist-debian-'));
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(folder, ...userOf('postgres'));
  const run = (program: string, ...args: string[]) => {
    const command = [join(versions, version!, 'bin', program), ...args];
    if (isRoot) command.unshift('setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups');
    execFileSync(command[0]!, command.slice(1), { stdio: 'ignore', cwd: folder });
  };
  const cluster = join(folder, 'cluster');
  run('initdb', '-D', cluster, '-U', 'root', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8');
  const port = await findFreePort();
  const options = `-c listen_addresses=127.0.0.1 -c port=${port} -c unix_socket_directories='' -c fsync=off`;
  run('pg_ctl', '-D', cluster, '-w', '-l', join(folder, 'log'), 'start', '-o', options);
  onTestFinished(() => {
    run('pg_ctl', '-D', cluster, '-m', 'immediate', 'stop');
    rmSync(folder, { recursive: true, force: true });
  });
  const client = new pg.Client({ connectionString: `postgres://root@127.0.0.1:${port}/postgres` });
  await client.connect();
  await client.query('create role ordinary login nosuperuser nocreatedb nocreaterole nobypassrls');
  await client.query('create database ordinary owner ordinary');
  await client.end();
  return `postgres://ordinary@127.0.0.1:${port}/ordinary`;
}

function userOf(name: string): [number, number] {
  const id = (which: string) => Number(execFileSync('id', [which, name]));
  return [id('-u'), id('-g')];
}
