// The settings of every connection of a pool: its time limits, and how dates and plans are made. They are told to the server when the
// connection begins, and a connection that was not told is never used.

import { ownBackend } from './lost-backends.ts';
import type { RowClient } from './received-row.ts';
import { runBatch } from './statement-batch.ts';

/** For connecting, and once more for the settings. */
export const connectMs = 5_000;

/** A row that somebody keeps locked must not hold a connection for as long as a slow statement may. */
const lockTimeoutMs = 5_000;

/**
 * How long a transaction may wait for its next statement, or an answer for being read, before the server ends it: a
 * process that hangs must not keep what it has locked. No transaction of ours waits for anything but the database.
 */
export const transactionIdleMs = 10_000;

/**
 * Locks, claims and comparisons rely on `read committed`, whatever default the server, database or role has: each
 * statement sees what was committed before it began. A read-only default is respected: hosts set it while a disk is
 * nearly full.
 * Compiling (jit) costs more than these short statements take. A client that is frozen while it should be reading is noticed by the
 * network alone (`tcp_user_timeout`).
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
 * By a statement, because poolers do not pass start-up options on. A connection without its settings is not used by anybody: limits would
 * be missing, and dates be read wrongly. Nor does anybody wait for its end, which a server that says nothing any more would not tell.
 */
export async function setUp(client: RowClient, settings: Record<string, string>): Promise<void> {
  const text = `select set_config(s.name, s.setting, false), ${ownBackend} as backend
    from unnest($1::text[], $2::text[]) s (name, setting)`;
  try {
    const values = [Object.keys(settings), Object.values(settings)];
    const [rows] = await runBatch(client, [{ text, values }], connectMs);
    client.backend = rows![0]?.backend as string | undefined;
    client.heardAt = performance.now();
  } catch (error) {
    client.cutOff();
    throw error;
  }
}
