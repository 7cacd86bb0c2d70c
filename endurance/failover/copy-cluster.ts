// Copies the data folder of a running PostgreSQL server by its low-level backup interface, as pg_basebackup does, which
// the embedded PostgreSQL does not have. The copy starts as a standby.

import { execFile } from 'node:child_process';
import { chown, copyFile, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { clusterFolder } from '@flaghoist/embedded-postgres/inspect';
import type pg from 'pg';

/** `client`: a connection to the server, which must stay open meanwhile. */
export async function copyCluster(client: pg.Client, from: string, to: string): Promise<void> {
  const [source, target] = [clusterFolder(from), clusterFolder(to)];
  await mkdir(to, { mode: 0o700 });
  await copyFile(join(from, passwordFile), join(to, passwordFile));
  await client.query("select pg_backup_start('copy', true)");
  await makeFolder(target, source);
  const entries = (await readdir(source)).filter((name) => !left.includes(name));
  await copyEntries(
    entries.map((name) => join(source, name)),
    target,
  );
  for (const name of emptied) await makeFolder(join(target, name), source);
  const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
  await writeAs(join(target, 'backup_label'), rows[0]!.labelfile, source);
  await writeAs(join(target, 'standby.signal'), '', source);
}

const passwordFile = 'postgres-password';
/** The standby gets the log from the primary. */
const emptied = ['pg_wal', 'pg_replslot'];
/** Of the running server, or its settings as a primary. */
const left = [...emptied, 'postmaster.pid', 'postmaster.opts', 'postgresql.auto.conf', 'standby.signal'];

/** Files of the running server may vanish while they are copied. It does not need them, or its log has them. */
async function copyEntries(entries: string[], target: string): Promise<void> {
  try {
    await promisify(execFile)('cp', ['-a', ...entries, target], { env: { ...process.env, LC_ALL: 'C' } });
  } catch (error) {
    const lines = (error as { stderr: string }).stderr.trim().split('\n');
    if (!lines.every((line) => line.includes('No such file or directory'))) throw error;
  }
}

async function makeFolder(path: string, like: string): Promise<void> {
  await mkdir(path, { mode: 0o700 });
  await ownLike(path, like);
}

async function writeAs(path: string, text: string, like: string): Promise<void> {
  await writeFile(path, text, { mode: 0o600 });
  await ownLike(path, like);
}

/** PostgreSQL runs as another user than root. */
async function ownLike(path: string, like: string): Promise<void> {
  const { uid, gid } = await stat(like);
  if (process.getuid?.() === 0) await chown(path, uid, gid);
}
