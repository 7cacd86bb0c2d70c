-- From events to notifications: the queue of events that nobody has matched yet, what matching looks up in events, why a
-- subscription was not notified, and how processes notice that subscriptions have changed.

-- Narrow, so that claiming rows costs next to nothing; the events themselves stay until retention removes them.
create table flaghoist_system.unmatched_event (
  event_id   bigint primary key,
  -- An event that could not be matched, which only a fault of ours can cause, is tried again later and blocks no other.
  failures   integer not null default 0,
  not_before timestamptz
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);

-- The owner of a deleted row: how a deleted object is put together with its sub-objects.
alter table flaghoist_system.event add column owner_key bigint;
create index event_deleted_owner on flaghoist_system.event (owner_key) where operation = 'D';

-- Whether an object was created or deleted in the transaction of another change.
drop index flaghoist_system.event_deleted_key;
create index event_begun_or_ended_key on flaghoist_system.event (object_key) where operation in ('C', 'D');

-- Recent events of a type, or of an object, for "why was I not notified?".
create index event_type_recent on flaghoist_system.event (object_type, id);
create index event_object_recent on flaghoist_system.event (object_key, id);

-- Why subscriptions were held back that came so far that something was evaluated; every other reason can be told from the event.
create table flaghoist_system.held_back (
  event_id          bigint not null,
  subscription_key  bigint not null,
  object_key        bigint not null,
  reason            text not null check (reason in ('EXPRESSION_FALSE', 'EXPRESSION_ERROR')),
  message           text
);
create index held_back_event on flaghoist_system.held_back (event_id);
create index held_back_subscription on flaghoist_system.held_back (subscription_key, event_id);

-- A subscription that ever had a notification cannot be deleted, also when retention has removed them all.
create table flaghoist_system.notified_subscription (
  subscription_key bigint primary key
);

insert into flaghoist_system.revision (name) values ('subscriptions');

-- Which subscriptions were changed at which revision. A process whose revision is older than the oldest note loads all.
create table flaghoist_system.subscription_note (
  revision         bigint not null,
  subscription_key bigint not null,
  primary key (revision, subscription_key)
);

-- Matching holds this lock shared, from claim to COMMIT, and whoever changes subscriptions takes it alone: a batch is matched with
-- the subscriptions as they are, never as they were a moment ago. An advisory lock, because these are granted in turn: row locks
-- that are shared by one process after the other would keep a writer waiting for ever.
create function flaghoist_system.lock_subscriptions() returns void language sql as $$
  select pg_advisory_xact_lock(7305114202)
$$;

create function flaghoist_system.hold_subscriptions() returns void language sql as $$
  select pg_advisory_xact_lock_shared(7305114202)
$$;

-- At COMMIT, with the rights of its owner. Revisions are raised under the lock, so their order is that of the commits; once in a
-- transaction, however many rows it has changed.
create function flaghoist_system.note_subscription() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  noted bigint;
begin
  if current_setting('flaghoist.noted_in', true) is distinct from pg_current_xact_id()::text then
    perform flaghoist_system.lock_subscriptions();
    update flaghoist_system.revision set value = value + 1 where name = 'subscriptions' returning value into noted;
    delete from flaghoist_system.subscription_note where revision <= noted - 10000;
    perform set_config('flaghoist.noted_in', pg_current_xact_id()::text, true);
    perform set_config('flaghoist.noted_at', noted::text, true);
  end if;
  noted := current_setting('flaghoist.noted_at')::bigint;
  insert into flaghoist_system.subscription_note (revision, subscription_key)
  values (noted, case when tg_op = 'DELETE' then old.key else new.key end) on conflict do nothing;
  return null;
end $$;

revoke all on function flaghoist_system.note_subscription() from public;
