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
  -- The client that made the change for the user, or another name for its source.
  client         text,
  event_time     timestamptz not null default clock_timestamp(),
  -- The owner that the row has left, if it was deleted or moved to another owner.
  owner_key      bigint,
  -- The objects that the change may have brought into other hierarchies: the row itself, if it has a new owner, and the
  -- targets of its new followed references. Null: none.
  joined         bigint[],
  -- What the statement of the change saw or, if hierarchies were added at COMMIT, what shows them. Matching uses the
  -- snapshot of the COMMIT, which is in unmatched_event.
  snapshot       pg_snapshot not null default pg_current_snapshot()
);

-- The rows that have left an owner since a transaction, and whether any have left any owner.
create index event_left_owner on flaghoist_system.event (owner_key, transaction_id) where owner_key is not null;
create index event_left on flaghoist_system.event (transaction_id) where owner_key is not null;

-- Whether a transaction has brought objects into other hierarchies.
create index event_joined on flaghoist_system.event (transaction_id) where joined is not null;

-- Finds out whether an object was created or deleted in the transaction of another change.
create index event_created_or_deleted_key on flaghoist_system.event (object_key) where operation in ('C', 'D');

-- Recent events of a type or of an object, for "why was I not notified?". The latter also finds what an object was like
-- before its later changes.
create index event_type_recent on flaghoist_system.event (object_type, id);
create index event_object_recent on flaghoist_system.event (object_key, id);

-- A database that was restored from a dump numbers its transactions anew. Transactions of events up to this one are of
-- an earlier server, and had all committed there.
create table flaghoist_system.earlier_server (
  only_row      boolean primary key default true check (only_row),
  last_event_id bigint not null default 0
);
insert into flaghoist_system.earlier_server default values;

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

-- The object and all objects whose hierarchy it is in. PostgreSQL inlines it: it is one expression, and as stable as
-- the reading of an array.
create function flaghoist_system.hierarchies(object_key bigint, roots_before jsonb, roots_after jsonb) returns bigint[]
language sql stable as $$
  select object_key
    || coalesce(translate(jsonb_path_query_array(roots_before, '$.*[*]')::text, '[]', '{}')::bigint[], '{}')
    || coalesce(translate(jsonb_path_query_array(roots_after, '$.*[*]')::text, '[]', '{}')::bigint[], '{}')
$$;

-- Transactions that change the same hierarchy commit one after the other. Hierarchies share 1,024 locks, which are
-- taken all at once and in ascending order, so that no two transactions wait for each other. A transaction that would
-- need many of them takes the one that all others share. Returns true. An expression, like the attempts inside, costs
-- less than a statement.
create function flaghoist_system.lock_hierarchies(keys bigint[]) returns boolean language plpgsql as $$
declare
  slots integer[] := array[keys[1] % 1024];
  slot integer;
begin
  if cardinality(keys) > 1 then
    slots := array(select distinct k % 1024 from unnest(keys) as k order by 1);
  end if;
  if cardinality(slots) > 64 then
    perform pg_advisory_xact_lock(7305114206);
    return true;
  end if;
  if not pg_try_advisory_xact_lock_shared(7305114206) then
    perform pg_advisory_xact_lock_shared(7305114206);
  end if;
  foreach slot in array slots loop
    if not pg_try_advisory_xact_lock(730511420, slot) then
      perform pg_advisory_xact_lock(730511420, slot);
    end if;
  end loop;
  return true;
end $$;

-- Whether another transaction has committed a later event of one of these hierarchies. The settings keep the plan: a
-- scan of the primary key from the event on, planned once.
create function flaghoist_system.is_overtaken(from_id bigint, keys bigint[]) returns boolean language plpgsql
set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
begin
  return exists (select from flaghoist_system.event e where e.id > from_id and e.transaction_id <> pg_current_xact_id()
    and (flaghoist_system.hierarchies(e.object_key, e.roots_before, e.roots_after) || e.joined) && keys);
end $$;

-- Whether a transaction that the snapshot does not see has brought one of these objects into another hierarchy, and has
-- committed. After a restore, there may be events of transactions with higher ids.
create function flaghoist_system.has_joined_since(seen pg_snapshot, keys bigint[]) returns boolean language plpgsql
set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
begin
  return exists (select from flaghoist_system.event e where e.joined is not null and e.joined && keys
      and e.transaction_id >= pg_snapshot_xmax(seen) and e.transaction_id < pg_snapshot_xmax(pg_current_snapshot())
      and e.transaction_id <> pg_current_xact_id())
    or exists (select from flaghoist_system.event e where e.joined is not null and e.joined && keys
      and e.transaction_id = any(array(select pg_snapshot_xip(seen))));
end $$;

-- Locks these hierarchies. Returns false, with no locks, if one of the objects has come into another hierarchy since
-- the snapshot: more locks taken later would not be in order.
create function flaghoist_system.lock_unless_joined(keys bigint[], seen pg_snapshot) returns boolean
language plpgsql as $$
begin
  perform flaghoist_system.lock_hierarchies(keys);
  if seen::text <> pg_current_snapshot()::text and flaghoist_system.has_joined_since(seen, keys) then
    raise exception using errcode = 'FH001';
  end if;
  return true;
exception when sqlstate 'FH001' then
  return false;
end $$;

create function flaghoist_system.merge_roots(roots jsonb, more jsonb) returns jsonb language sql stable as $$
  select case when more is null then roots else coalesce(jsonb_object_agg(types.name, types.keys), '{}') end
  from (
    select r.name, jsonb_agg(distinct k) as keys
    from (select * from jsonb_each(roots) union all select * from jsonb_each(more)) as r (name, keys)
    cross join lateral jsonb_array_elements(r.keys) as k group by r.name) as types
$$;

-- Adds the hierarchies that the changed rows are in now to their events, with the snapshot that shows them. Repeats it,
-- because a deleted row finds those of its deleted owner in the event of the owner. The function current_roots is
-- created with the tables of the model.
create function flaghoist_system.add_roots(ids bigint[]) returns void language plpgsql as $$
begin
  loop
    update flaghoist_system.event e set roots_before = flaghoist_system.merge_roots(e.roots_before, now.before),
      roots_after = flaghoist_system.merge_roots(e.roots_after, now.after), snapshot = pg_current_snapshot()
    from (
      select e.id, flaghoist_system.current_roots(e.object_type, e.old_row) as before,
        flaghoist_system.current_roots(e.object_type, e.new_row) as after
      from flaghoist_system.event e where e.id = any(ids) offset 0) now
    where e.id = now.id
      and not (coalesce(e.roots_before @> now.before, true) and coalesce(e.roots_after @> now.after, true));
    exit when not found;
  end loop;
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

-- Queues all events of the transaction from this one on.
create function flaghoist_system.queue_events_from(first_id bigint) returns void language plpgsql
set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  own_ids bigint[];
  own_keys bigint[];
  seen pg_snapshot;
  queued_to bigint := nullif(current_setting('flaghoist.queued_to', true), '')::bigint;
  -- At other isolation levels, a transaction does not see what others have committed since it began.
  is_current boolean := current_setting('transaction_isolation') in ('read committed', 'read uncommitted');
begin
  own_ids := array(select e.id from flaghoist_system.event e
    where e.id >= first_id and e.transaction_id = pg_current_xact_id() order by e.id);
  perform set_config('flaghoist.queued_to', own_ids[cardinality(own_ids)]::text, true);
  select e.snapshot into seen from flaghoist_system.event e where e.id = own_ids[1];
  loop
    own_keys := array(select distinct k from flaghoist_system.event e
      cross join lateral unnest(
        flaghoist_system.hierarchies(e.object_key, e.roots_before, e.roots_after) || e.joined) as k
      where e.id = any(own_ids));
    exit when case when is_current then flaghoist_system.lock_unless_joined(own_keys, seen)
      else flaghoist_system.lock_hierarchies(own_keys) end;
    seen := pg_current_snapshot();
    perform flaghoist_system.add_roots(own_ids);
  end loop;
  if not is_current or flaghoist_system.is_overtaken(first_id, own_keys) then
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
end $$;

-- Queues the events of a transaction when it commits. Of two events of one hierarchy, the one that was committed later
-- gets the higher id: if another transaction has committed an event with a higher id meanwhile, the events of this one
-- get new ids. If another transaction has brought the changed row into another hierarchy meanwhile, that hierarchy is
-- notified, too. The first call does this for all events of the transaction. Most have only one, and there are
-- shortcuts for it: nothing is read unless another session has drawn an id or committed since.
create function flaghoist_system.queue_events() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  keys bigint[];
  is_locked boolean;
  queued_to bigint := nullif(current_setting('flaghoist.queued_to', true), '')::bigint;
begin
  if new.id <= queued_to then
    return null;
  end if;
  if queued_to is null and new.id = currval('flaghoist_system.event_id_seq')
    and current_setting('transaction_isolation') in ('read committed', 'read uncommitted') then
    keys := flaghoist_system.hierarchies(new.object_key, new.roots_before, new.roots_after) || new.joined;
    if coalesce(new.roots_before, new.roots_after) is null then
      is_locked := flaghoist_system.lock_hierarchies(keys);
    else
      is_locked := flaghoist_system.lock_unless_joined(keys, new.snapshot);
    end if;
    if is_locked and (new.id = pg_sequence_last_value('flaghoist_system.event_id_seq')
        or not flaghoist_system.is_overtaken(new.id, keys)) then
      insert into flaghoist_system.unmatched_event (event_id, snapshot) values (new.id, pg_current_snapshot());
      queued_to := set_config('flaghoist.queued_to', new.id::text, true)::bigint;
      return null;
    end if;
  end if;
  perform flaghoist_system.queue_events_from(new.id);
  return null;
end $$;

revoke all on function flaghoist_system.queue_events() from public;
revoke all on function flaghoist_system.queue_events_from(bigint) from public;
revoke all on function flaghoist_system.renumber_events(bigint[]) from public;
revoke all on function flaghoist_system.add_roots(bigint[]) from public;
revoke all on function flaghoist_system.lock_hierarchies(bigint[]) from public;
revoke all on function flaghoist_system.lock_unless_joined(bigint[], pg_snapshot) from public;

create constraint trigger queue_events after insert on flaghoist_system.event
  deferrable initially deferred for each row execute function flaghoist_system.queue_events();
