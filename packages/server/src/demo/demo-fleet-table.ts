// All SQL of the demo fleet inside the service: one row says which run of it is alive.

import type { Statement } from '../database/database.ts';

/** Returns no row if another process runs it. */
export function insertRun(run: string, aliveMs: number): Statement {
  return {
    text: `insert into flaghoist_system.demo_fleet as d (run, alive_until)
values ($1::uuid, now() + $2 * interval '1 millisecond')
on conflict (is_only) do update set run = excluded.run, alive_until = excluded.alive_until, failure = null
where d.alive_until < now() returning 1`,
    values: [run, aliveMs],
  };
}

/** Returns no row if the run was stopped, has failed, or was replaced after it had been away for long. */
export function renewRun(run: string, aliveMs: number): Statement {
  return {
    text: `update flaghoist_system.demo_fleet set alive_until = now() + $2 * interval '1 millisecond'
where run = $1::uuid and failure is null returning 1`,
    values: [run, aliveMs],
  };
}

/** Whichever process runs it stops within seconds. */
export function deleteAnyRun(): Statement {
  return { text: 'delete from flaghoist_system.demo_fleet', values: [] };
}

export function deleteRun(run: string): Statement {
  return { text: 'delete from flaghoist_system.demo_fleet where run = $1::uuid', values: [run] };
}

/** Why a run has ended by itself: it could not get a token, or failed unexpectedly. */
export type DemoFailure = 'NO_TOKEN' | 'UNEXPECTED';

/** It counts as stopped at once. Does nothing if it was stopped or replaced before. */
export function recordFailure(run: string, failure: DemoFailure): Statement {
  return {
    text: 'update flaghoist_system.demo_fleet set alive_until = now(), failure = $2 where run = $1::uuid',
    values: [run, failure],
  };
}

export interface DemoRow {
  is_running: boolean;
  failure: DemoFailure | null;
}

/** No row: it was never started, or was stopped. */
export function selectRun(): Statement {
  return { text: 'select alive_until > now() as is_running, failure from flaghoist_system.demo_fleet', values: [] };
}
