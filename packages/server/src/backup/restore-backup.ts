// Restores a backup into an empty database, in one transaction: if anything is wrong with it, or the process dies, the
// database stays empty. The tables get their triggers and references after the rows, so that loading them writes no
// events, and every reference is checked.

import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ClientBase } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { applyFiles } from '../database/apply-files.ts';
import { applyModel } from '../database/apply-model.ts';
import { isDatabaseAway } from '../database/database-away.ts';
import { noteRestored } from '../database/earlier-server.ts';
import { explainRights, lockMigration } from '../database/migrate.ts';
import { markAllDead } from '../deliver/workers/worker-table.ts';
import { OperatorError } from '../errors.ts';
import type { Model } from '../model/object-type.ts';
import { releaseAllClaims } from '../shape/unshaped-table.ts';
import type { BackupHeader } from './backup-header.ts';
import { type BackupReader, damaged } from './backup-reader.ts';
import { nameOf, type StoredSequence, type StoredTable, setSequence } from './catalogue-table.ts';
import { withCopyConnection } from './copy-connection.ts';
import { createTables, requireFit } from './create-tables.ts';
import type { Counts, OnProgress } from './progress.ts';
import {
  analyze,
  copyIn,
  emptyTables,
  forgetModel,
  readSchemas,
  readTriggered,
  switchTriggers,
} from './restore-table.ts';

export interface RestoreParts {
  url: string;
  /** Of the service that will use the database. */
  model: Model;
  /** Called before anything becomes visible. */
  beforeCommit(): Promise<void>;
  onProgress: OnProgress;
}

/** `reader`: behind the header. Returns also the migrations that have brought an older backup up to date. */
export function restoreBackup(
  header: BackupHeader,
  reader: BackupReader,
  parts: RestoreParts,
): Promise<Counts & { migrations: string[] }> {
  return withCopyConnection(parts.url, 'restore', async (client) => {
    const restored = await inTransaction(client, async () => {
      await requireEmpty(client);
      await applyFiles(client, new Set(header.migrations.map(({ name }) => name)));
      await createTables(client, header);
      await requireFit(client, parts.model, header);
      const counts = await withoutTriggers(client, () => load(client, header, reader, parts.onProgress));
      await releaseClaims(client);
      const migrations = await applyFiles(client);
      await noteRestored(client, header.nextTransaction);
      // Triggers and references have not been created.
      await forgetModel(client);
      await applyModel(client, parts.model);
      await parts.beforeCommit();
      return { ...counts, migrations };
    });
    // Committed: without statistics, only the first plans are worse, until the first autovacuum.
    await analyze(client).catch(() => undefined);
    return restored;
  });
}

async function inTransaction<T>(client: ClientBase, work: () => Promise<T>): Promise<T> {
  await client.query('begin isolation level read committed');
  try {
    await lockMigration(client);
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw explainRights(error);
  }
}

async function requireEmpty(client: ClientBase): Promise<void> {
  const schemas = await readSchemas(client);
  if (schemas.length > 0)
    throw new OperatorError(
      `The database already has an installation (schema ${schemas.join(', ')}). Restore into an empty one: set ` +
        'FLAGHOIST_DATA_DIR to a folder that does not exist yet, or DATABASE_URL to a new database. Nothing was ' +
        'changed.',
    );
}

/** Those of the numbered files: they would queue the events of the backup again. The model has none yet. */
async function withoutTriggers<T>(client: ClientBase, work: () => Promise<T>): Promise<T> {
  const names = await readTriggered(client);
  await switchTriggers(client, names, 'disable');
  const result = await work();
  await switchTriggers(client, names, 'enable');
  return result;
}

async function load(
  client: ClientBase,
  { tables }: BackupHeader,
  reader: BackupReader,
  onProgress: OnProgress,
): Promise<Counts> {
  const counts: Counts = { tables: tables.length, rows: 0, bytes: 0 };
  const loaded: number[] = [];
  // Some have rows from their creation.
  await emptyTables(client, tables);
  for (const table of tables) {
    const found = await reader.readJson<StoredTable>();
    if (found.schema !== table.schema || found.table !== table.table) throw damaged('a table is missing');
    const rows = counted(reader.readRows(), (bytes) => {
      counts.bytes += bytes;
      onProgress({ ...counts, table: nameOf(table) });
    });
    loaded.push(await loadTable(client, table, rows));
    counts.rows += loaded.at(-1)!;
  }
  const { sequences, rows } = await reader.readJson<{ sequences?: StoredSequence[]; rows?: number[] }>();
  if (!sequences || JSON.stringify(rows) !== JSON.stringify(loaded)) throw damaged('rows are missing');
  await reader.readEnd(counts.rows);
  for (const sequence of sequences) await setSequence(client, sequence);
  return counts;
}

async function loadTable(client: ClientBase, table: StoredTable, rows: AsyncIterable<Buffer>): Promise<number> {
  const copy = client.query(copyFrom(copyIn(table)));
  try {
    await pipeline(Readable.from(rows), copy);
  } catch (error) {
    if (error instanceof OperatorError || isDatabaseAway(error)) throw error;
    throw new OperatorError(
      `The rows of ${nameOf(table)} cannot be stored: ${(error as Error).message}. Nothing was restored.`,
      { cause: error },
    );
  }
  return copy.rowCount;
}

async function* counted(chunks: AsyncIterable<Buffer>, count: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    count(chunk.length);
    yield chunk;
  }
}

/** As after a crash of all processes. */
async function releaseClaims(client: ClientBase): Promise<void> {
  for (const { text } of [markAllDead(), releaseAllClaims()]) await client.query(text);
}
