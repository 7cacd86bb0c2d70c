// How far a backup or a restore is.

export interface Progress {
  /** Rows of the tables that are complete. */
  rows: number;
  /** Uncompressed. */
  bytes: number;
  /** The table that is read or written. */
  table: string;
}

export type OnProgress = (progress: Progress) => void;

/** What was backed up or restored. */
export interface Counts {
  tables: number;
  rows: number;
  bytes: number;
}
