// Decides which OS user runs the PostgreSQL programs and what has to stand in front of them, so that they work for root
// (whom PostgreSQL refuses) and end when this process does. Of root's rights they keep none. Refuses data of another user;
// changes nothing.

import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { parse } from 'node:path';
import { OperatorError } from '../../errors.ts';

export interface RunAs {
  /** Who must own the database files; undefined: the user we are. */
  readonly user: OsUser | undefined;
  /** True where the system does not end the programs along with us. */
  readonly needsWatchdog: boolean;
  /** True if `user` may enter only what is open to everyone. */
  readonly needsOpenFolder: boolean;
  /** True if `user` may not be able to name the database's folder: a folder above it may be closed. See `folderArgument`. */
  readonly startsInside: boolean;
  readonly prefix: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

export interface OsUser {
  readonly uid: number;
  readonly gid: number;
}

export interface RunAsQuestion {
  readonly clusterDir: string;
  /** What the programs need in their environment to find their libraries. */
  readonly libraries?: Readonly<Record<string, string>>;
  readonly setpriv?: string;
}

export async function chooseRunAs(question: RunAsQuestion): Promise<RunAs> {
  const { clusterDir, libraries = {}, setpriv = 'setpriv' } = question;
  const environment = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC', ...libraries };
  const plain = { user: undefined, needsWatchdog: false, needsOpenFolder: false, startsInside: false, prefix: [] };
  if (process.platform === 'win32') return { ...plain, environment };
  const user = await chooseUser(clusterDir);
  const startsInside = user !== undefined && process.platform === 'linux';
  const prefix = [setpriv, ...(user ? lesserUser(user) : []), ...diesWithUs];
  const guarded: RunAs = { ...plain, environment, user, startsInside, prefix };
  if (await works(guarded)) return guarded;
  const needsOpenFolder = user !== undefined && !startsInside;
  return { ...plain, environment, user, startsInside, needsWatchdog: true, needsOpenFolder };
}

/**
 * How the programs are told where the database is, when they start in its folder. A path leads through all folders above, which may be
 * closed to the user; a process that starts inside needs none of them (proc(5)).
 */
export function folderArgument({ startsInside }: RunAs, cluster: string): string {
  return startsInside ? '/proc/self/cwd' : cluster;
}

export interface SpawnPlace {
  stdio: SpawnOptions['stdio'];
  /** The folder to start in, if it matters. */
  cwd?: string;
}

/** Starts a program that way: away from our terminal's signals, so that Ctrl-C reaches it only through us. */
export function spawnAs(runAs: RunAs, program: string, args: readonly string[], place: SpawnPlace): ChildProcess {
  const [file, ...rest] = [...runAs.prefix, program, ...args] as [string, ...string[]];
  const isWrapped = runAs.prefix.length > 0;
  return spawn(file, rest, {
    stdio: place.stdio,
    env: runAs.environment,
    // Else a folder that every user may enter.
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
  // Data that an ordinary user made stays that user's when root runs the service once.
  if (ourUid === 0) return owner === undefined || owner.uid === 0 ? nobody : { uid: owner.uid, gid: owner.gid };
  if (owner === undefined || owner.uid === ourUid) return undefined;
  throw new OperatorError(
    `The database in ${clusterDir} belongs to the OS user ${owner.uid}, and Flaghoist runs as ${ourUid}. ` +
      'Run it as that user, or give the folder to this one (chown -R), or set FLAGHOIST_DATA_DIR to another folder.',
  );
}

function lesserUser({ uid, gid }: OsUser): string[] {
  const nothingKept = ['--inh-caps=-all', '--ambient-caps=-all', '--no-new-privs'];
  return [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', ...nothingKept];
}

// The signal comes only if we die after it was asked for: the shell makes sure that we were still there then.
const diesWithUs = ['--pdeathsig', 'INT', '/bin/sh', '-c', '[ "$PPID" = "$0" ] && exec "$@"', String(process.pid)];

// There may be no setpriv, or one without these options (busybox), or a container that forbids what they ask for.
async function works(runAs: RunAs): Promise<boolean> {
  try {
    const [code] = await once(spawnAs(runAs, '/bin/sh', ['-c', 'exit 0'], { stdio: 'ignore' }), 'exit');
    return code === 0;
  } catch {
    return false;
  }
}
