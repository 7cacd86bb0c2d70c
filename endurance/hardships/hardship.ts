// The interface of a hardship: how it is started and ended, and which responses are allowed during it.

import type { Asker, Status } from './answer-books.ts';
import type { Caller } from './caller.ts';

export interface Hardship {
  name: string;
  /** Its description in the report, one sentence. */
  meaning: string;
  /** Allowed responses besides 200 and 201. `lost`: also a refused or ended connection. */
  allowed: readonly Status[];
  /** What must be observed during it. Otherwise the run proves nothing. */
  shows: readonly { asker: Asker; status: number }[];
  memoryMbMax?: number;
  prepare(place: { folder: string }): Promise<Preparation> | Preparation;
}

export type Preparation = Means | { kind: 'skipped'; reason: string };

/** How it is applied on this machine to the service of this run. */
export interface Means {
  kind: 'means';
  /** Which PostgreSQL: the embedded one, or a separate server. */
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
  /** After everything has stopped. */
  dispose?(): void;
}

/** What a hardship may use. */
export interface Stage {
  databaseDir: string;
  /** Counts separately from the writers. */
  crowd: Caller;
  receiverOrigin: string;
  /** A vessel that others may reference. */
  vessel: number;
}
