// The settings of every pool connection: time limits, date format and planner options. They are sent when the
// connection opens, and a connection without them is never used.

import { DatabaseAway } from './database-away.ts';
import type { DatabaseClient } from './database-client.ts';
import { ownBackend } from './lost-backends.ts';
import { runBatch } from './statement-batch.ts';

/** The limit for connecting, and again for sending the settings. */
export const connectMs = 5_000;

/** A locked row must not occupy a connection for as long as a slow statement may. */
const lockTimeoutMs = 5_000;

/**
 * How long a transaction may wait for its next statement, or an answer to be read, before the server ends the
 * connection. A process that hangs must not keep its locks. Our transactions wait for nothing but the database.
 */
export const transactionIdleMs = 10_000;

/**
 * Locks, claims and comparisons rely on `read committed`: each statement sees what was committed before it began. The
 * server, database or role may have another default, so the level is set here. A read-only default is respected,
 * because hosting providers set it while a disk is nearly full. `jit` is off, because compiling costs more than these
 * short statements take. Only the network (`tcp_user_timeout`) detects a client that freezes while it should read.
 */
export function sessionSettings(statementTimeoutMs: number, isForQueues = false): Record<string, string> {
  return {
    ...(isForQueues ? planningForQueues : {}),
    default_transaction_isolation: 'read committed',
    default_transaction_deferrable: 'off',
    idle_in_transaction_session_timeout: String(transactionIdleMs),
    tcp_user_timeout: String(transactionIdleMs),
    jit: 'off',
    datestyle: 'ISO',
    statement_timeout: String(statementTimeoutMs),
    lock_timeout: String(Math.min(lockTimeoutMs, statementTimeoutMs)),
    // For the trigger `wake_matching`: the service notifies of its own changes itself.
    'flaghoist.is_own': 'on',
  };
}

const planningForQueues = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_sort: 'off',
  enable_material: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
};

/**
 * Uses a statement, because poolers do not forward start-up options. If it fails, the connection is cut off: without
 * the settings, limits would be missing and dates would be parsed wrongly. It is not closed gracefully, because a
 * server that no longer responds would not confirm the close. `refuseStandbys`: reads would be outdated there.
 */
export async function setUp(
  client: DatabaseClient,
  settings: Record<string, string>,
  refuseStandbys = false,
): Promise<void> {
  const text = `select set_config(s.name, s.setting, false), ${ownBackend} as backend, pg_is_in_recovery() as is_standby
    from unnest($1::text[], $2::text[]) s (name, setting)`;
  try {
    const values = [Object.keys(settings), Object.values(settings)];
    const [rows] = await runBatch(client, [{ text, values }], connectMs);
    if (refuseStandbys && rows![0]?.is_standby) throw new DatabaseAway(new Error('The server is a standby.'));
    client.backend = rows![0]?.backend as string | undefined;
    client.answeredAt = performance.now();
  } catch (error) {
    client.cutOff();
    throw error;
  }
}
