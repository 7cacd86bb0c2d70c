-- The schema of the object types, the one sequence of keys, and the outbox of events.

create schema flaghoist;

-- One sequence for all types: a key names one object in the whole installation. Below 2^53, so that JSON can hold it.
create sequence flaghoist.object_key as bigint start 1001 maxvalue 9007199254740991;

-- Transaction-local settings read as '' once they have been set and the transaction has ended, hence the nullif.
create function flaghoist_system.acting_user() returns bigint language sql stable as $$
  select nullif(current_setting('flaghoist.user_key', true), '')::bigint
$$;

-- timestamp(0) would round up to a second that has not come yet.
create function flaghoist_system.utc_second() returns timestamp language sql stable as $$
  select date_trunc('second', statement_timestamp() at time zone 'utc')
$$;

-- An answer that is too large to be sent fails here, inside its transaction, with "program limit exceeded": JavaScript has
-- no text of more than 512 MB, and the driver would end the process when it meets one.
create function flaghoist_system.bounded(answer text) returns text language plpgsql immutable as $$
begin
  if octet_length(answer) > 67108864 then
    raise exception 'the answer has % bytes', octet_length(answer) using errcode = '54000';
  end if;
  return answer;
end $$;

create table flaghoist_system.event (
  id             bigint generated always as identity primary key,
  transaction_id xid8 not null default pg_current_xact_id(),
  object_type    text not null,
  operation      text not null check (operation in ('C', 'U', 'D')),
  object_key     bigint not null,
  old_row        jsonb,
  new_row        jsonb,
  -- {"Voyage": [1042]}: the objects in whose hierarchy the row was before the change, and is after it.
  roots_before   jsonb,
  roots_after    jsonb,
  user_key       bigint,
  event_time     timestamptz not null default clock_timestamp()
);

-- How the delete of a sub-object finds owners that the same cascade has removed already.
create index event_deleted_key on flaghoist_system.event (object_key) where operation = 'D';

create table flaghoist_system.idempotency (
  client       text not null,
  path         text not null,
  key          text not null,
  body_hash    text not null,
  object_key   bigint,
  etag         text,
  body         text not null,
  created_at   timestamptz not null default now(),
  primary key (client, path, key)
);

create index idempotency_created_at on flaghoist_system.idempotency (created_at);

-- What the tables were last made from; equal means that there is nothing to do at start.
create table flaghoist_system.applied_model (
  only_row boolean primary key default true check (only_row),
  digest   text not null,
  applied_at timestamptz not null default now()
);

create function flaghoist_system.stamp_change() returns trigger language plpgsql as $$
begin
  new.modified_date := flaghoist_system.utc_second();
  new.changed_by_id := flaghoist_system.acting_user();
  return new;
end $$;

create function flaghoist_system.skip_same() returns trigger language plpgsql as $$
begin
  return null;
end $$;

-- A changed key or a TRUNCATE would change objects without an event.
create function flaghoist_system.refuse_key_change() returns trigger language plpgsql as $$
begin
  raise exception 'the key of an object cannot be changed' using errcode = 'integrity_constraint_violation', table = tg_table_name;
end $$;

create function flaghoist_system.refuse_truncate() returns trigger language plpgsql as $$
begin
  raise exception 'TRUNCATE of % would make no events: use DELETE', tg_table_name using errcode = 'feature_not_supported';
end $$;
