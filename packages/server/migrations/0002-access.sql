-- Who may call: the keys that sign tokens, and the encryption key that this database belongs to. Users, clients and the
-- audit log are object types of the model.

-- Raised by every transaction that changes what the name stands for. A process that has an older value reloads.
create table flaghoist_system.revision (
  name  text primary key,
  value bigint not null default 0
);
insert into flaghoist_system.revision (name) values ('access'), ('subscriptions');

-- Runs with the rights of its owner, so that everyone who may change the table can raise the revision. Only once in a
-- transaction: the second time, the row already belongs to the transaction.
create function flaghoist_system.raise_revision() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update flaghoist_system.revision set value = value + 1
  where name = tg_argv[0] and xmin <> pg_current_xact_id()::xid;
  return null;
end $$;
revoke all on function flaghoist_system.raise_revision() from public;

create table flaghoist_system.signing_key (
  kid            text primary key,
  public_jwk     jsonb not null,
  -- Encrypted with FLAGHOIST_ENCRYPTION_KEY.
  private_jwk    text not null,
  created_at     timestamptz not null default now(),
  -- A key is published some time before it signs, so that every process knows it by then.
  signs_from     timestamptz not null default now(),
  -- Null for the newest key. A replaced key is kept until the last token that it signed has expired.
  verifies_until timestamptz
);
create constraint trigger raise_access after insert or update or delete on flaghoist_system.signing_key
  deferrable initially deferred for each row execute function flaghoist_system.raise_revision('access');

-- A known text, encrypted. A wrong encryption key is detected at start, before it encrypts anything.
create table flaghoist_system.encryption_check (
  only_row boolean primary key default true check (only_row),
  proof    text not null
);
