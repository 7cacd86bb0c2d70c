// Reads one snapshot of an installation and writes it as a backup. Changes go on meanwhile: only those of tables and
// their days wait until it is done.

import { createHash } from 'node:crypto';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { ClientBase } from 'pg';
import { type CopyToStreamQuery, to as copyTo } from 'pg-copy-streams';
import { openEncryption } from '../auth/encryption/encryption.ts';
import { digestOfModel } from '../database/applied-model.ts';
import { OperatorError } from '../errors.ts';
import { buildModel } from '../model/build-model.ts';
import { type BackupHeader, endOfRows, formatVersion, withoutActions } from './backup-header.ts';
import { nameOf, readSequences, readTables } from './catalogue-table.ts';
import { withCopyConnection } from './copy-connection.ts';
import { rejectForeign } from './foreign-tables.ts';
import type { Counts, OnProgress } from './progress.ts';
import { copyOut, openSnapshot, readMigrations, readState } from './snapshot-table.ts';

export interface BackupParts {
  url: string;
  /** Of the service that makes the backup. */
  version: string;
  model: BackupHeader['model'];
  /** To be stored in the backup. */
  encryptionKey: Buffer | undefined;
  onProgress: OnProgress;
}

export function writeBackup(parts: BackupParts, output: Writable): Promise<Counts> {
  return withCopyConnection(parts.url, 'backup', async (client) => {
    await openSnapshot(client);
    const header = await readHeader(client, parts);
    const counts: Counts = { tables: header.tables.length, rows: 0, bytes: 0 };
    const content = withEnd(renderContent(client, header, { counts, onProgress: parts.onProgress }), counts);
    await pipeline(content, createGzip({ level: gzipLevel }), output);
    await client.query('commit');
    return counts;
  });
}

/** Takes a third of the time of the default level, and a tenth more space. */
const gzipLevel = 1;

async function readHeader(client: ClientBase, parts: BackupParts): Promise<BackupHeader> {
  const { version, model, encryptionKey } = parts;
  const state = await readState(client);
  const built = buildModel(model.declarations);
  if (state.digest !== digestOfModel(built))
    throw new OperatorError('The model of the database was changed at this moment. Start the backup again.');
  if (encryptionKey && state.proof !== null && openEncryption(encryptionKey).proof !== state.proof)
    throw new OperatorError('The encryption key that is set here is not the one of this database.');
  const tables = await readTables(client);
  await rejectForeign(tables, built);
  return {
    format: 'flaghoist-backup',
    formatVersion,
    version,
    postgresVersion: state.version,
    createdAt: new Date().toISOString(),
    migrations: await readMigrations(client),
    model: { declarations: withoutActions(model.declarations), file: model.file },
    encryption: { proof: state.proof, key: encryptionKey?.toString('base64url') ?? null },
    nextTransaction: state.next,
    tables,
  };
}

interface Counting {
  counts: Counts;
  onProgress: OnProgress;
}

async function* renderContent(client: ClientBase, header: BackupHeader, counting: Counting): AsyncGenerator<Buffer> {
  yield renderLine(header);
  const copies: CopyToStreamQuery[] = [];
  for (const table of header.tables) {
    yield renderLine({ schema: table.schema, table: table.table });
    // Counted by the server once the statement has ended.
    counting.counts.rows = sumOf(copies);
    const copy = client.query(copyTo(copyOut(table)));
    copies.push(copy);
    for await (const chunk of copy as AsyncIterable<Buffer>) {
      counting.counts.bytes += chunk.length;
      counting.onProgress({ ...counting.counts, table: nameOf(table) });
      yield chunk;
    }
    yield endOfRows;
  }
  const sequences = await readSequences(client);
  counting.counts.rows = sumOf(copies);
  yield renderLine({ sequences, rows: copies.map(({ rowCount }) => rowCount) });
}

function sumOf(copies: readonly CopyToStreamQuery[]): number {
  return copies.reduce((sum, { rowCount }) => sum + rowCount, 0);
}

async function* withEnd(content: AsyncIterable<Buffer>, counts: Counts): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  for await (const part of content) {
    hash.update(part);
    yield part;
  }
  yield renderLine({ end: { rows: counts.rows, sha256: hash.digest('hex') } });
}

function renderLine(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value)}\n`);
}
