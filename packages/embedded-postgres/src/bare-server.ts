// Runs the server of an existing data folder at a given port, and nothing else: it is neither created nor restarted.
// For programs that need several servers with their own roles, such as a primary and its standby.

import { join } from 'node:path';
import { clusterFolder } from './cluster-plan.ts';
import { readPassword } from './database-password.ts';
import { EmbeddedServerError } from './embedded-server-error.ts';
import { linkLibraries } from './link-libraries.ts';
import { locateBinaries } from './locate-binaries.ts';
import { Postmaster } from './postmaster.ts';
import { chooseRunAs } from './run-as.ts';
import { shareBinaries } from './share-binaries.ts';

export interface BareServerOptions {
  dataDir: string;
  port: number;
  /** Settings of PostgreSQL; they override those of this package. */
  settings: Record<string, string>;
}

export type BareServer = Pick<Postmaster, 'pid' | 'exited' | 'hasExited' | 'output' | 'stop'>;

/** The server may not accept connections yet. */
export async function startBareServer({ dataDir, port, settings }: BareServerOptions): Promise<BareServer> {
  const cluster = clusterFolder(dataDir);
  const located = await locateBinaries();
  const libraries = await linkLibraries(located, join(dataDir, 'postgres-libraries'));
  const runAs = await chooseRunAs({ clusterDir: cluster, libraries });
  const binaries = await shareBinaries(located, runAs);
  const password = await readPassword(dataDir);
  if (password === undefined) throw new EmbeddedServerError(`${dataDir} has no file with a password.`);
  return new Postmaster({ cluster, port, settings, binaries, runAs, password, onLine: () => {} });
}
