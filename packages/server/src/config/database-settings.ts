// The settings for the database, a part of the settings table.

import { parseDatabaseUrl } from './database-url.ts';
import { parseInteger, parseSeconds } from './parse-setting.ts';
import { row, secret } from './setting-row.ts';

export const databaseSettings = {
  databaseUrl: secret(
    'DATABASE_URL',
    parseDatabaseUrl,
    'A PostgreSQL server (15 or later). Default: the service runs its own in the data folder. Several hosts, ' +
      'separated by commas, are a primary and its standbys: `postgres://user:password@one:5432,two:5432/database`. ' +
      '`target_session_attrs` says which of them is used: `read-write` (the default for several), `primary` or `any`.',
  ),
  databaseConnections: row(
    'FLAGHOIST_DATABASE_CONNECTIONS',
    '16',
    parseInteger(2, 500),
    'The maximum number of database connections for requests. One client gets at most a quarter of them, and at ' +
      'least one. A process has 5 more for itself, and 8 more with the role `worker`.',
  ),
  statementTimeoutMs: row(
    'FLAGHOIST_STATEMENT_TIMEOUT_SECONDS',
    '30',
    parseSeconds(0.1, 3600),
    'How long one SQL statement may take before the request gets a 503 response.',
  ),
};
