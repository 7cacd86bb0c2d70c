// Tells a connection that leads nowhere from a statement that takes long, by asking the server over another connection.
// Each connection knows its backend, the process of the server that it leads to. The connection is lost if the backend
// is gone (a failover, a restart), or if the backend waits for a statement while we wait for its answer (a network path
// that drops everything).

import { serverEpoch } from './server-epoch.ts';
import type { BatchedStatement } from './statement-batch.ts';

/** SQL: names a backend among those of all servers. By `pg_backend_pid()`: a pooler tells its clients other numbers. */
export const ownBackend = `${serverEpoch} || '/' || pg_backend_pid()`;

/**
 * Those of `backends` whose connections are lost, as rows of `backend`. `idleMs`: a backend that has just become idle
 * may have sent an answer that is still on its way. Without `track_activities` the state is `disabled`, and only
 * backends that are gone are found.
 */
export function selectLostBackends(backends: readonly string[], idleMs: number): BatchedStatement {
  return {
    text: `select backend from unnest($1::text[]) backend where not exists (
      select from pg_stat_activity where ${serverEpoch} || '/' || pid = backend and coalesce(
        state not like 'idle%' or state_change > clock_timestamp() - $2 * interval '1 millisecond', true))`,
    values: [backends, idleMs],
  };
}
