// Distinguishes a lost connection from a slow statement, by asking the server over another connection. Each connection
// knows its backend, the server process that serves it. A connection is lost if its backend no longer exists (a
// failover, a restart). It is also lost if the backend waits for a statement while we wait for its answer (a network
// path that drops all packets).

import { serverEpoch } from './server-epoch.ts';
import type { BatchedStatement } from './statement-batch.ts';

/** SQL: identifies a backend across all servers. Uses `pg_backend_pid()`, because poolers report other ids. */
export const ownBackend = `${serverEpoch} || '/' || pg_backend_pid()`;

/**
 * Returns those of `backends` whose connections are lost, as rows of `backend`. `idleMs`: a backend that has just
 * become idle may have sent an answer that is still on its way. Without `track_activities` the state is `disabled`, and
 * only backends that no longer exist are found.
 */
export function selectLostBackends(backends: readonly string[], idleMs: number): BatchedStatement {
  return {
    text: `select backend from unnest($1::text[]) backend where not exists (
      select from pg_stat_activity where ${serverEpoch} || '/' || pid = backend and coalesce(
        state not like 'idle%' or state_change > clock_timestamp() - $2 * interval '1 millisecond', true))`,
    values: [backends, idleMs],
  };
}
