-- The outbox: every change of an object as an event, written by triggers, and the queue of events to match.

create table flaghoist_system.event (
  id             bigint generated always as identity primary key,
  transaction_id xid8 not null default pg_current_xact_id(),
  object_type    text not null,
  -- C, U or D. No check constraint: only our triggers write here, and a check costs every statement time.
  operation      text not null,
  object_key     bigint not null,
  -- json, not jsonb: the rows are only ever read as text, and json is stored without being parsed.
  old_row        json,
  new_row        json,
  -- {"Voyage": [1042]}: the objects whose hierarchy contained the row before the change, and contains it after.
  roots_before   jsonb,
  roots_after    jsonb,
  user_key       bigint,
  event_time     timestamptz not null default clock_timestamp(),
  -- The owner that the row has left, if it was deleted or moved to another owner.
  owner_key      bigint,
  -- What the statement of the change saw. Matching uses the snapshot of the COMMIT, which is in unmatched_event.
  snapshot       pg_snapshot not null default pg_current_snapshot()
);

-- The rows that have left an owner since a transaction, and whether any have left any owner.
create index event_left_owner on flaghoist_system.event (owner_key, transaction_id) where owner_key is not null;
create index event_left on flaghoist_system.event (transaction_id) where owner_key is not null;

-- Finds out whether an object was created or deleted in the transaction of another change.
create index event_created_or_deleted_key on flaghoist_system.event (object_key) where operation in ('C', 'D');

-- Recent events of a type or of an object, for "why was I not notified?". The latter also finds what an object was like
-- before its later changes.
create index event_type_recent on flaghoist_system.event (object_type, id);
create index event_object_recent on flaghoist_system.event (object_key, id);

-- Narrow, so that claiming is cheap. The events themselves stay until retention removes them.
create table flaghoist_system.unmatched_event (
  event_id    bigint primary key,
  -- What was committed when the transaction of the event committed, and so what its notifications may show. Null: it is
  -- not known, and they show what is committed when the event is matched.
  snapshot    pg_snapshot,
  -- Whether the transaction has changed the same row more than once.
  is_repeated boolean not null default false,
  -- An event that could not be matched because of a fault of the service is retried later and blocks no other.
  failures    integer not null default 0,
  not_before  timestamptz
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);

-- The object and all objects whose hierarchy it is in.
create function flaghoist_system.hierarchies(object_key bigint, roots_before jsonb, roots_after jsonb) returns bigint[]
language sql immutable as $$
  select array(
    select object_key
    union select k::bigint from jsonb_each(roots_before) as r (type, keys), jsonb_array_elements(r.keys) as k
    union select k::bigint from jsonb_each(roots_after) as r (type, keys), jsonb_array_elements(r.keys) as k)
$$;

-- Transactions that change the same hierarchy commit one after the other. Hierarchies share 1,024 locks, which are taken
-- in ascending order, so that no two transactions wait for each other. A transaction that would need many of them takes
-- the one that all others share.
create function flaghoist_system.lock_hierarchies(keys bigint[]) returns void language plpgsql as $$
declare
  slots integer[] := array(select distinct (k % 1024)::integer from unnest(keys) as k order by 1);
begin
  if cardinality(slots) > 64 then
    perform pg_advisory_xact_lock(7305114206);
    return;
  end if;
  perform pg_advisory_xact_lock_shared(7305114206);
  perform pg_advisory_xact_lock(730511420, slot) from unnest(slots) as slot;
end $$;

-- Queues the events of a transaction when it commits. Of two events of one hierarchy, the one that was committed later
-- gets the higher id: if another transaction has committed an event with a higher id meanwhile, the events of this one get
-- new ids. The first call does this for all events of the transaction.
--
-- The settings keep the plan: a scan of the primary key from the first event on, planned once.
create function flaghoist_system.queue_events() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  first_id bigint := new.id;
  own_ids bigint[];
  own_keys bigint[];
  queued_to bigint := nullif(current_setting('flaghoist.queued_to', true), '')::bigint;
  is_current boolean := current_setting('transaction_isolation') = 'read committed';
begin
  if first_id <= queued_to then
    return null;
  end if;
  select array_agg(distinct e.id order by e.id), array_agg(distinct h.key) into own_ids, own_keys
  from flaghoist_system.event e
    cross join lateral unnest(flaghoist_system.hierarchies(e.object_key, e.roots_before, e.roots_after)) as h (key)
  where e.id >= first_id and e.transaction_id = pg_current_xact_id();
  perform set_config('flaghoist.queued_to', own_ids[cardinality(own_ids)]::text, true);
  perform flaghoist_system.lock_hierarchies(own_keys);
  -- With another isolation level, this transaction does not see what others have committed since it began.
  if not is_current or exists (
    select from flaghoist_system.event e where e.id > first_id and e.transaction_id <> pg_current_xact_id()
      and flaghoist_system.hierarchies(e.object_key, e.roots_before, e.roots_after) && own_keys) then
    own_ids := flaghoist_system.renumber_events(own_ids);
  end if;
  insert into flaghoist_system.unmatched_event (event_id, snapshot, is_repeated)
  select e.id, case when is_current then pg_current_snapshot() end, count(*) over (partition by e.object_key) > 1
  from flaghoist_system.event e where e.id = any(own_ids);
  -- With immediate constraints, other events of this transaction were queued before.
  if queued_to is not null then
    update flaghoist_system.unmatched_event set is_repeated = true where event_id = any(array(
      select unnest(array[e.id, before.id])
      from flaghoist_system.event e join flaghoist_system.event before on before.object_key = e.object_key
      where e.id = any(own_ids) and before.id < e.id and before.transaction_id = pg_current_xact_id()));
  end if;
  return null;
end $$;

create function flaghoist_system.renumber_events(ids bigint[]) returns bigint[] language plpgsql as $$
declare
  old_id bigint;
  new_id bigint;
  new_ids bigint[] := '{}';
begin
  foreach old_id in array ids loop
    update flaghoist_system.event set id = default where id = old_id returning id into new_id;
    new_ids := new_ids || new_id;
  end loop;
  return new_ids;
end $$;

revoke all on function flaghoist_system.queue_events() from public;
revoke all on function flaghoist_system.renumber_events(bigint[]) from public;
revoke all on function flaghoist_system.lock_hierarchies(bigint[]) from public;

create constraint trigger queue_events after insert on flaghoist_system.event
  deferrable initially deferred for each row execute function flaghoist_system.queue_events();
