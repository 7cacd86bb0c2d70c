// Decides which OS user runs the PostgreSQL programs and what has to stand in front of them, so that they work for root
// (whom PostgreSQL refuses) and end when this process does. Refuses data of another user; changes nothing.

import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { parse } from 'node:path';
import { OperatorError } from '../../errors.ts';
import type { PostgresBinaries } from './locate-binaries.ts';

export interface RunAs {
  /** Who must own the database files; undefined: the user we are. */
  readonly user: OsUser | undefined;
  /** True where the system does not end the programs along with us. */
  readonly needsWatchdog: boolean;
  /** True if `user` may enter only what is open to everyone. */
  readonly needsOpenFolder: boolean;
  readonly prefix: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

export interface OsUser {
  readonly uid: number;
  readonly gid: number;
}

export interface RunAsQuestion {
  readonly clusterDir: string;
  readonly binaries: Pick<PostgresBinaries, 'postgres'>;
  /** What the programs need in their environment to find their libraries. */
  readonly libraries?: Readonly<Record<string, string>>;
  readonly setpriv?: string;
}

export async function chooseRunAs(question: RunAsQuestion): Promise<RunAs> {
  const { clusterDir, binaries, libraries = {}, setpriv = 'setpriv' } = question;
  const environment = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC', ...libraries };
  const plain: RunAs = { user: undefined, needsWatchdog: false, needsOpenFolder: false, prefix: [], environment };
  if (process.platform === 'win32') return plain;
  const user = await chooseUser(clusterDir);
  const guarded: RunAs = { ...plain, user, prefix: [setpriv, ...(user ? lesserUser(user) : []), ...diesWithUs] };
  if (await canRun(guarded, binaries.postgres)) return guarded;
  const watched: RunAs = { ...plain, user, needsWatchdog: true, needsOpenFolder: user !== undefined };
  if (user === undefined || (await canRun(watched, binaries.postgres))) return watched;
  throw new OperatorError(
    `PostgreSQL refuses to run as root, and Flaghoist cannot run ${binaries.postgres} as the user ${user.uid} either. ` +
      'Run Flaghoist as an ordinary user, or install setpriv (util-linux), or set DATABASE_URL to a PostgreSQL server.',
  );
}

/** Starts a program that way: away from our terminal's signals, so that Ctrl-C reaches it only through us. */
export function spawnAs(
  runAs: RunAs,
  program: string,
  args: readonly string[],
  stdio: SpawnOptions['stdio'],
): ChildProcess {
  const [file, ...rest] = [...runAs.prefix, program, ...args] as [string, ...string[]];
  const isWrapped = runAs.prefix.length > 0;
  return spawn(file, rest, {
    stdio,
    env: runAs.environment,
    // A folder that every user may enter.
    cwd: parse(program).root,
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

// With the right to pass over file permissions: the data folder or the program may lie under a private home.
function lesserUser({ uid, gid }: OsUser): string[] {
  return [
    `--reuid=${uid}`,
    `--regid=${gid}`,
    '--clear-groups',
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override',
    '--securebits=+no_setuid_fixup',
  ];
}

// The signal comes only if we die after it was asked for: the shell makes sure that we were still there then.
const diesWithUs = ['--pdeathsig', 'INT', '/bin/sh', '-c', '[ "$PPID" = "$0" ] && exec "$@"', String(process.pid)];

// There may be no setpriv, or one without these options (busybox), or a container that forbids what they ask for; and
// without it the program may be out of the user's reach.
async function canRun(runAs: RunAs, program: string): Promise<boolean> {
  try {
    const [code] = await once(spawnAs(runAs, '/bin/sh', ['-c', 'test -x "$0"', program], 'ignore'), 'exit');
    return code === 0;
  } catch {
    return false;
  }
}
