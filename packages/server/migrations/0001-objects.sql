-- What all object tables share: keys, stamps, guards, and the answers kept for idempotency keys. The tables themselves
-- are generated from the model.

create schema flaghoist;

-- The tables of the service's own types. A grant on all business objects does not include them.
create schema flaghoist_service;

-- One sequence for all types, so a key names one object in the whole installation. Below 2^53, which JSON can hold.
create sequence flaghoist.object_key as bigint start 1001 maxvalue 9007199254740991;

-- The model that the tables were last generated from. If it is unchanged, a start has nothing to do.
create table flaghoist_system.applied_model (
  only_row   boolean primary key default true check (only_row),
  digest     text not null,
  applied_at timestamptz not null default now()
);

-- A transaction-local setting reads as '' after the transaction that set it, hence the nullif.
create function flaghoist_system.acting_user() returns bigint language sql stable as $$
  select nullif(current_setting('flaghoist.user_key', true), '')::bigint
$$;

create function flaghoist_system.acting_client() returns text language sql stable as $$
  select nullif(current_setting('flaghoist.client_id', true), '')
$$;

-- timestamp(0) would round up to a second that is still to come.
create function flaghoist_system.utc_second() returns timestamp language sql stable as $$
  select date_trunc('second', statement_timestamp() at time zone 'utc')
$$;

-- An update that changes nothing but the stamp is dropped, so the ETag stays. Checked here, not in the condition of the
-- trigger: PostgreSQL parses a condition over all columns for every statement.
create function flaghoist_system.stamp_change() returns trigger language plpgsql as $$
begin
  old.modified_date := new.modified_date;
  old.changed_by_id := new.changed_by_id;
  if old is not distinct from new then
    return null;
  end if;
  new.modified_date := flaghoist_system.utc_second();
  new.changed_by_id := flaghoist_system.acting_user();
  return new;
end $$;

-- A changed key or a TRUNCATE would change objects without an event.
create function flaghoist_system.reject_key_change() returns trigger language plpgsql as $$
begin
  raise exception 'the key of an object cannot be changed'
    using errcode = 'integrity_constraint_violation', table = tg_table_name;
end $$;

create function flaghoist_system.reject_truncate() returns trigger language plpgsql as $$
begin
  raise exception 'TRUNCATE of % would create no events: use DELETE', tg_table_name
    using errcode = 'feature_not_supported';
end $$;

-- For a transaction that decides on rows it has read without a lock: it locks them last and calls this. If they have
-- changed, it fails with 40001 and is retried, as after any other serialization failure.
create function flaghoist_system.require_unchanged(is_unchanged boolean) returns void language plpgsql as $$
begin
  if not is_unchanged then
    raise exception 'rows that this transaction depends on have changed' using errcode = 'serialization_failure';
  end if;
end $$;

-- Fails a read whose answer would be too large, before the answer is built.
create function flaghoist_system.must_fit(fits boolean) returns boolean language plpgsql immutable as $$
begin
  if not fits then
    raise exception 'the answer would be too large' using errcode = 'program_limit_exceeded';
  end if;
  return true;
end $$;

create table flaghoist_system.idempotency (
  client     text not null,
  path       text not null,
  key        text not null,
  body_hash  text not null,
  object_key bigint,
  etag       text,
  body       text not null,
  created_at timestamptz not null default now(),
  primary key (client, path, key)
);
create index idempotency_created_at on flaghoist_system.idempotency (created_at);
