// Decides which OS user runs the PostgreSQL programs and with which command prefix, so that they work for root (whom
// PostgreSQL refuses) and end when this process does. They keep none of root's privileges. Rejects data of another
// user; changes nothing.

import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { parse } from 'node:path';
import { EmbeddedServerError } from './embedded-server-error.ts';

export interface RunAs {
  /** Who must own the database files; undefined: the user of this process. */
  readonly user: OsUser | undefined;
  /** True if the system does not end the programs along with this process. */
  readonly needsWatchdog: boolean;
  /** True if the data folder must let everyone pass, because `user` could not reach the database otherwise. */
  readonly needsOpenFolder: boolean;
  /** True if the programs start in the database's folder, because `user` may not be able to enter the folders above. */
  readonly startsInside: boolean;
  readonly prefix: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

export interface OsUser {
  readonly uid: number;
  readonly gid: number;
}

export interface RunAsOptions {
  readonly clusterDir: string;
  /** The environment variables that the programs need to find their libraries. */
  readonly libraries?: Readonly<Record<string, string>>;
  readonly setpriv?: string;
}

export async function chooseRunAs(options: RunAsOptions): Promise<RunAs> {
  const { clusterDir, libraries = {}, setpriv = 'setpriv' } = options;
  const environment = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC', ...libraries };
  const plain = { user: undefined, needsWatchdog: false, needsOpenFolder: false, startsInside: false, prefix: [] };
  if (process.platform === 'win32') return { ...plain, environment };
  const user = await chooseUser(clusterDir);
  const startsInside = user !== undefined && process.platform === 'linux';
  const prefix = [setpriv, ...(user ? dropPrivileges(user) : []), ...endsWithParent];
  const guarded: RunAs = { ...plain, environment, user, startsInside, prefix };
  if (await canSpawn(guarded)) return guarded;
  const needsOpenFolder = user !== undefined && !startsInside;
  return { ...plain, environment, user, startsInside, needsWatchdog: true, needsOpenFolder };
}

/**
 * How the programs find the database. A path leads through all folders above, which may be closed to the
 * user. A process that starts inside needs none of them (proc(5)).
 */
export function folderArgument({ startsInside }: RunAs, cluster: string): string {
  return startsInside ? '/proc/self/cwd' : cluster;
}

export interface SpawnPlace {
  stdio: SpawnOptions['stdio'];
  /** The folder to start in, if it matters. */
  cwd?: string;
}

/** Starts a program in a session of its own: Ctrl-C in the terminal reaches this process only, which then stops it. */
export function spawnAs(runAs: RunAs, program: string, args: readonly string[], place: SpawnPlace): ChildProcess {
  const [file, ...rest] = [...runAs.prefix, program, ...args] as [string, ...string[]];
  const isWrapped = runAs.prefix.length > 0;
  return spawn(file, rest, {
    stdio: place.stdio,
    env: runAs.environment,
    // Otherwise a folder that every user may enter.
    cwd: runAs.startsInside && place.cwd !== undefined ? place.cwd : parse(program).root,
    detached: process.platform !== 'win32',
    windowsHide: true,
    ...(isWrapped ? {} : runAs.user),
  });
}

const nobody: OsUser = { uid: 65534, gid: 65534 };

async function chooseUser(clusterDir: string): Promise<OsUser | undefined> {
  const owner = await stat(clusterDir).catch(() => undefined);
  const ourUid = process.getuid?.();
  // Data of an ordinary user keeps its owner when root runs the program once.
  if (ourUid === 0) return owner === undefined || owner.uid === 0 ? nobody : { uid: owner.uid, gid: owner.gid };
  if (owner === undefined || owner.uid === ourUid) return undefined;
  throw new EmbeddedServerError(
    `The database in ${clusterDir} belongs to the OS user ${owner.uid}, but this program runs as ${ourUid}. ` +
      'Run it as that user, change the owner of the folder (chown -R), or use another data folder.',
  );
}

function dropPrivileges({ uid, gid }: OsUser): string[] {
  const noCapabilities = ['--inh-caps=-all', '--ambient-caps=-all', '--no-new-privs'];
  return [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', ...noCapabilities];
}

// The signal comes only if this process dies after the request for it. The shell checks that the parent is still alive.
const endsWithParent = ['--pdeathsig', 'INT', '/bin/sh', '-c', '[ "$PPID" = "$0" ] && exec "$@"', String(process.pid)];

// setpriv may be missing, may lack these options (busybox), or may be forbidden to apply them in a container.
async function canSpawn(runAs: RunAs): Promise<boolean> {
  try {
    const [code] = await once(spawnAs(runAs, '/bin/sh', ['-c', 'exit 0'], { stdio: 'ignore' }), 'exit');
    return code === 0;
  } catch {
    return false;
  }
}
