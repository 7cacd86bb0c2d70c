// What creating a database cluster and running it have in common: where it is, what it is called, and how the
// PostgreSQL programs are run.

import { join } from 'node:path';
import type { PostgresBinaries } from './locate-binaries.ts';
import type { RunAs } from './run-as.ts';
import type { OnEvent } from './server-event.ts';

export interface ClusterPlan {
  /** The data folder; the cluster is a folder inside it. */
  readonly folder: string;
  /** The name of the role, and of its database. */
  readonly name: string;
  readonly binaries: PostgresBinaries;
  readonly runAs: RunAs;
  readonly settings: Readonly<Record<string, string>>;
  readonly onEvent: OnEvent;
}

export function clusterFolder(folder: string): string {
  return join(folder, 'postgres');
}

/** The name goes into URLs, SQL and arguments unescaped. PostgreSQL reserves `pg_` and allows 63 bytes. */
export function checkName(name: string): void {
  if (!/^(?!pg_)[a-z_][a-z0-9_]{0,62}$/.test(name))
    throw new TypeError(
      `The name ${JSON.stringify(name)} is not valid: use up to 63 lower-case letters, digits and underscores; ` +
        'the first must not be a digit, and "pg_" is reserved.',
    );
}
