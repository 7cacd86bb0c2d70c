// The first line of a backup: what it is, and everything that restoring it depends on. The whole format is described in
// docs/reference/backup-format.md.

import type { MigrationFile } from '../database/apply-files.ts';
import { OperatorError } from '../errors.ts';
import type { Declarations } from '../model/build-model.ts';
import type { StoredTable } from './catalogue-table.ts';

/** Raised by a change that makes backups unreadable for earlier versions. */
export const formatVersion = 1;

/** A line behind the rows of a table. PostgreSQL never writes it for a row, because it doubles each backslash. */
export const endOfRows = Buffer.from('\\.\n');

export interface BackupHeader {
  format: 'flaghoist-backup';
  formatVersion: number;
  /** The version that made the backup. */
  version: string;
  postgresVersion: string;
  createdAt: string;
  migrations: MigrationFile[];
  model: {
    /** What the tables were built from. */
    declarations: Declarations;
    /** The text of the model file; null: there was none. */
    file: string | null;
  };
  encryption: {
    /** Identifies the encryption key; null: nothing was encrypted yet. */
    proof: string | null;
    /** The key itself in Base64url, if it was asked for. */
    key: string | null;
  };
  /** One past the highest id of a completed transaction. */
  nextTransaction: string;
  /** In the order of their contents. */
  tables: StoredTable[];
}

export function parseHeader(line: string): BackupHeader {
  const header = parseLine(line) as Partial<BackupHeader> | undefined;
  if (header?.format !== 'flaghoist-backup')
    throw new OperatorError('This is not a backup of Flaghoist: it does not start with the header of one.');
  if (header.formatVersion !== formatVersion)
    throw new OperatorError(
      `The backup has format ${header.formatVersion}, and this version reads format ${formatVersion}. It was made by ` +
        `Flaghoist ${header.version}: restore it with that version or a newer one.`,
    );
  return header as BackupHeader;
}

/** Returns undefined if the line is not JSON. */
export function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** What tables depend on. Actions take most of the space of the declarations. */
export function withoutActions(declarations: Declarations): Declarations {
  return Object.fromEntries(
    Object.entries(declarations).map(([name, { actions: _, ...declaration }]) => [name, declaration]),
  );
}
