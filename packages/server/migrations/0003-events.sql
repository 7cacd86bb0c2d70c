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
  -- The owner of a deleted row, to put a deleted object together with its sub-objects.
  owner_key      bigint
);
create index event_deleted_owner on flaghoist_system.event (owner_key) where operation = 'D';

-- Finds out whether an object was created or deleted in the transaction of another change.
create index event_created_or_deleted_key on flaghoist_system.event (object_key) where operation in ('C', 'D');

-- Recent events of a type or of an object, for "why was I not notified?".
create index event_type_recent on flaghoist_system.event (object_type, id);
create index event_object_recent on flaghoist_system.event (object_key, id);

-- Narrow, so that claiming is cheap. The events themselves stay until retention removes them.
create table flaghoist_system.unmatched_event (
  event_id   bigint primary key,
  -- An event that could not be matched because of a fault of the service is retried later and blocks no other.
  failures   integer not null default 0,
  not_before timestamptz
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);
