// What a hardship is: how it is brought about and ended, and what may be answered while it lasts.

import type { Asker, Status } from './answer-books.ts';
import type { Caller } from './caller.ts';

export interface Hardship {
  name: string;
  /** What it is, as one sentence of the report. */
  meaning: string;
  /** What may be answered besides 200 and 201. `lost`: also a connection that is refused or ends. */
  allowed: readonly Status[];
  /** What must be seen while it lasts: without it nothing was shown. */
  shows: readonly { asker: Asker; status: number }[];
  memoryMbMax?: number;
  prepare(place: { folder: string }): Promise<Preparation> | Preparation;
}

export type Preparation = Means | { kind: 'skipped'; reason: string };

/** How it is brought about on this machine, to the service of this run. */
export interface Means {
  kind: 'means';
  /** Whose PostgreSQL: that of the service, or a server of its own. */
  database: 'embedded' | 'separate';
  /** The data folder of the service, if it matters where it is. */
  dataDir?: string;
  settings?: Record<string, string>;
  nodeArgs?: string[];
  prefix?: readonly string[];
  /** Once, before anything else. */
  furnish?(stage: Stage): Promise<void>;
  begin(stage: Stage): Promise<void> | void;
  end(): Promise<void> | void;
  /** When nothing runs any more. */
  dispose?(): void;
}

/** What a hardship may act upon. */
export interface Stage {
  databaseDir: string;
  /** Counts apart from the writers. */
  crowd: Caller;
  receiverOrigin: string;
  /** A vessel that others may refer to. */
  vessel: number;
}
