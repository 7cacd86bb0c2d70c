// All SQL of traced transactions: notes the trace of a change in the transaction of the change, finds it by its events,
// and deletes it after a day.

import type { TraceParent } from '../observe/traces/tracing.ts';
import { numberArray, textArray } from './array-parameter.ts';

/** `Statement`, which the file that needs `noteTrace` has. */
interface Sent {
  text: string;
  values: unknown[];
}

/** For the running transaction. Writes nothing if the transaction has written nothing so far. */
export function noteTrace({ traceParent, traceState }: TraceParent): Sent {
  return { text: 'select flaghoist_system.note_trace($1, $2)', values: [traceParent, traceState ?? null] };
}

/** For transactions of others, whose traces begin at matching. An id may come again after a restore. */
export function noteTraces(traces: ReadonlyMap<string, TraceParent>): Sent {
  const parents = [...traces.values()];
  return {
    text: `insert into flaghoist_system.traced_transaction (transaction_id, trace_parent, trace_state)
select n.id::xid8, n.parent, n.state
from unnest($1::text[], $2::text[], $3::text[]) as n (id, parent, state)
on conflict (transaction_id) do update set trace_parent = excluded.trace_parent,
  trace_state = excluded.trace_state, created_at = excluded.created_at`,
    values: [
      textArray([...traces.keys()]),
      textArray(parents.map(({ traceParent }) => traceParent)),
      textArray(parents.map(({ traceState }) => traceState ?? null)),
    ],
  };
}

export interface EventTraceRow {
  event_id: string;
  transaction_id: string;
  /** Whether no client of the service has made the change. */
  is_foreign: boolean;
  trace_parent: string | null;
  trace_state: string | null;
}

export function selectTraces(eventIds: readonly number[]): Sent {
  return {
    text: `select e.id::text as event_id, e.transaction_id::text as transaction_id, e.client is null as is_foreign,
  t.trace_parent, t.trace_state
from unnest($1::bigint[]) as w (id) cross join lateral (
  select e.id, e.transaction_id, e.client from flaghoist_system.event e where e.id = w.id offset 0) e
left join flaghoist_system.traced_transaction t on t.transaction_id = e.transaction_id`,
    values: [numberArray(eventIds)],
  };
}

export function deleteOldTraces(): Sent {
  return {
    text: `delete from flaghoist_system.traced_transaction where transaction_id = any(array(
  select t.transaction_id from flaghoist_system.traced_transaction t
  where t.created_at < now() - interval '1 day' order by t.created_at limit 1000))
returning 1`,
    values: [],
  };
}
