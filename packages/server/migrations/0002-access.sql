-- Who may call: the revision of what processes hold in memory, the keys that sign tokens, and which encryption key this
-- database belongs to. Users, clients and the audit log are object types of the model.

-- The tables of the service's own types. Apart from those of business objects, so that a right on all of those is none on these.
create schema flaghoist_service;

-- Raised at COMMIT of every change to what it names; a process that holds an older one loads again.
create table flaghoist_system.revision (
  name  text primary key,
  value bigint not null default 0
);

insert into flaghoist_system.revision (name) values ('access');

-- With the rights of its owner: whoever may change a table raises its revision by doing so. Once in a transaction: the second
-- time the row is the transaction's own.
create function flaghoist_system.raise_revision() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update flaghoist_system.revision set value = value + 1
  where name = tg_argv[0] and xmin <> pg_current_xact_id()::xid;
  return null;
end $$;

revoke all on function flaghoist_system.raise_revision() from public;

create function flaghoist_system.acting_client() returns text language sql stable as $$
  select nullif(current_setting('flaghoist.client_id', true), '')
$$;

create table flaghoist_system.signing_key (
  kid            text primary key,
  public_jwk     jsonb not null,
  -- Encrypted under FLAGHOIST_ENCRYPTION_KEY.
  private_jwk    text not null,
  created_at     timestamptz not null default now(),
  -- A key is published before it signs, so that every process knows it by then.
  signs_from     timestamptz not null default now(),
  -- Null for the newest: a key that was replaced is kept until the last token that it signed has expired.
  verifies_until timestamptz
);

create constraint trigger raise_access after insert or update or delete on flaghoist_system.signing_key
  deferrable initially deferred for each row execute function flaghoist_system.raise_revision('access');

-- What the encryption key makes of a known text: another key is found out at start, before it encrypts anything.
create table flaghoist_system.encryption_check (
  only_row boolean primary key default true check (only_row),
  proof    text not null
);
