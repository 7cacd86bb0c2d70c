-- Notes the trace of the running transaction if that has written anything. An INSERT alone would not do: where
-- transactions are read-only by default, PostgreSQL rejects it, even if it inserts no row.
create function flaghoist_system.note_trace(parent text, state text) returns void language plpgsql as $$
declare
  own_id xid8 := pg_current_xact_id_if_assigned();
begin
  if own_id is null then
    return;
  end if;
  -- An id may come again after a restore.
  insert into flaghoist_system.traced_transaction (transaction_id, trace_parent, trace_state)
  values (own_id, parent, state)
  on conflict (transaction_id) do update set trace_parent = excluded.trace_parent,
    trace_state = excluded.trace_state, created_at = excluded.created_at;
end $$;
