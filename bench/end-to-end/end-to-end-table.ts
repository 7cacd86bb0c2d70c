// SQL of the benchmark: what each contender has recorded, and the statements that cost it most.

import { setTimeout as sleep } from 'node:timers/promises';
import { onDatabase } from '../rest/fleet-table.ts';

export interface Counts {
  /** Notifications with a successful outcome. */
  delivered: number;
  /** Those without one. */
  open: number;
}

export interface Statements {
  counts: string;
  /** Whether a change or a notification is not done yet. Cheap, because it is asked repeatedly. */
  isOpen: string;
  /** Notification id → the mark of its change. */
  marks: string;
}

export const ofService: Statements = {
  counts: `
    select count(*) filter (where status = 'DELIVERED')::int as delivered,
      count(*) filter (where status <> 'DELIVERED')::int as open from flaghoist_service.webhook_notification`,
  isOpen: `
    select exists (select from flaghoist_system.unmatched_event)
      or exists (select from flaghoist_system.pending_notification) as is_open`,
  marks: `
    select n.id, e.new_row ->> 'flag' as mark from flaghoist_service.webhook_notification n
      join flaghoist_system.event e on e.id = split_part(n.id, '-', 1)::bigint`,
};

export const ofBareProgram: Statements = {
  counts: `
    select count(*) filter (where status = 200)::int as delivered,
      count(*) filter (where status is distinct from 200)::int as open from bare_outbox`,
  isOpen: `
    select exists (select from bare_outbox where claimed_at is null)
      or exists (select from bare_outbox where delivered_at is null and claimed_at is not null
        and id > (select max(id) from bare_outbox) - 2000) as is_open`,
  marks: `select id::text, body::jsonb ->> 'flag' as mark from bare_outbox`,
};

export async function selectCounts(url: string, { counts }: Statements): Promise<Counts> {
  return await onDatabase(url, async (client) => (await client.query<Counts>(counts)).rows[0]!);
}

const lookedEveryMs = 20;
const patienceMs = 30_000;

/** Waits until everything is delivered and recorded. Gives up after a while; the ledger then reports what is open. */
export async function awaitRecorded(url: string, { isOpen }: Statements): Promise<void> {
  const deadline = performance.now() + patienceMs;
  await onDatabase(url, async (client) => {
    while ((await client.query(isOpen)).rows[0].is_open && performance.now() < deadline) await sleep(lookedEveryMs);
  });
}

export async function selectMarks(url: string, { marks }: Statements): Promise<Map<string, string>> {
  const { rows } = await onDatabase(url, (client) => client.query<{ id: string; mark: string }>(marks));
  return new Map(rows.map(({ id, mark }) => [id, mark]));
}

/** The processes of the server that work for this database, and those for logging, cleaning and checkpoints. */
export async function selectServerPids(url: string): Promise<number[]> {
  const { rows } = await onDatabase(url, (client) =>
    client.query<{ pid: number }>(
      'select pid from pg_stat_activity where (datname = current_database() or datname is null) ' +
        'and pid <> pg_backend_pid()',
    ),
  );
  return rows.map(({ pid }) => pid);
}

/** For `shared_preload_libraries`. */
export const statementStatistics = 'pg_stat_statements';

export interface StatementCost {
  statement: string;
  calls: number;
  /** In the server, without the time between client and server. */
  ms: number;
}

export async function resetStatements(url: string): Promise<void> {
  await onDatabase(url, async (client) => {
    await client.query(`create extension if not exists ${statementStatistics}`);
    await client.query('select pg_stat_statements_reset()');
  });
}

export async function selectStatements(url: string): Promise<StatementCost[]> {
  const { rows } = await onDatabase(url, (client) => client.query<StatementCost>(selectStatementsText));
  return rows;
}

const selectStatementsText = `
select query as statement, calls::int, total_exec_time + total_plan_time as ms
from pg_stat_statements s join pg_database d on d.oid = s.dbid
where d.datname = current_database() and toplevel
order by ms desc limit 15`;
