// A database of its own for a test file: a clone of the migrated template, dropped at the end.

import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, inject } from 'vitest';
import { Database } from '../../src/database/database.ts';

export interface TestDatabase {
  /** For the service under test. */
  readonly url: string;
  /** For looking behind its back. */
  readonly pool: pg.Pool;
  /** As a service has them. */
  readonly connections: Database;
}

export interface TestDatabaseOptions {
  /** `false`: an empty database, for tests of the migration itself. */
  isMigrated?: boolean;
}

/** To be called at the top of a test file or of a `describe`. */
export function useTestDatabase({ isMigrated = true }: TestDatabaseOptions = {}): TestDatabase {
  const name = `flaghoist_test_${randomBytes(6).toString('hex')}`;
  const url = new URL(inject('serverUrl'));
  url.pathname = `/${name}`;
  const pool = new pg.Pool({ connectionString: url.href, max: 8 });
  // Dropping the database ends its idle connections.
  pool.on('error', () => undefined);
  const connections = new Database({
    url: url.href,
    observe: () => undefined,
    connectionsMax: 4,
    statementTimeoutMs: 10_000,
  });
  beforeAll(() => onServer(`create database ${name}${isMigrated ? clonedTemplate() : ''}`));
  afterAll(async () => {
    await pool.end();
    await connections.close();
    await onServer(`drop database if exists ${name} with (force)`);
  });
  return { url: url.href, pool, connections };
}

/** Files are copied, not written to the log: half the work of the server for a database of this size. */
function clonedTemplate(): string {
  return ` template ${inject('templateName')} strategy file_copy`;
}

async function onServer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('serverUrl') });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
