-- Wakes matching after a change by a program that is not a process of the service, and so does not use NOTIFY itself.
-- Called at COMMIT. The commits of transactions that use NOTIFY wait for each other until they are on disk. So only one
-- at a time uses it: those that commit meanwhile leave it to that one. A process that is woken looks several times.
create function flaghoist_system.wake_matching() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  -- Once for each transaction.
  if current_setting('flaghoist.has_woken', true) = 'on' then
    return null;
  end if;
  perform set_config('flaghoist.has_woken', 'on', true);
  if pg_try_advisory_xact_lock(7305114208) then
    perform pg_notify('flaghoist_events', 'sql');
  end if;
  return null;
end $$;

revoke all on function flaghoist_system.wake_matching() from public;

-- Behind queue_events, which may wait for locks: deferred triggers of a row run in the order of their names. Where
-- transactions can be prepared (two-phase commit) it does nothing, because PostgreSQL refuses NOTIFY in these.
create constraint trigger wake_matching after insert on flaghoist_system.event
  deferrable initially deferred for each row
  when (current_setting('flaghoist.is_own', true) is distinct from 'on'
    and current_setting('max_prepared_transactions') = '0')
  execute function flaghoist_system.wake_matching();
