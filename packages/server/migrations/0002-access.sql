-- Who may call: the keys that sign tokens, the sessions of the console, and the encryption key that this database
-- belongs to. Users, clients and the audit log are object types of the model.

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

-- A session of the console. Its cookie has the id and a secret. Each renewal replaces the secret; only hashes are kept.
create table flaghoist_system.console_session (
  id                   text primary key,
  user_key             bigint not null,
  -- Null: the user has signed in with a link.
  client_id            text,
  cookie_hash          text not null,
  -- Accepted for some seconds, because two tabs may renew at the same moment.
  previous_cookie_hash text,
  cookie_at            timestamptz not null default now(),
  renewed_at           timestamptz not null default now(),
  -- The tokens of an external issuer, encrypted with FLAGHOIST_ENCRYPTION_KEY.
  issuer_tokens        text,
  -- One process at a time uses the refresh token: most issuers accept each only once.
  refreshing_until     timestamptz
);

-- A link that signs in once. Only a hash of its code is kept, for a day, to say why a link no longer works.
create table flaghoist_system.console_link (
  code_hash  text primary key,
  user_key   bigint not null,
  expires_at timestamptz not null,
  used_at    timestamptz
);

-- When an administrator last looked as another user, so that the audit log has one record of it per hour.
create table flaghoist_system.viewed_user (
  viewer_key bigint,
  client_id  text,
  user_key   bigint,
  viewed_at  timestamptz not null default now(),
  primary key (viewer_key, client_id, user_key)
);

-- Users and clients raise the revision with every change. Whoever disables or deletes one, or replaces the secret of a
-- client, also ends its sessions. They do not come back when it is enabled again.
create function flaghoist_system.record_access_change() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op <> 'INSERT' then
    if tg_table_name = 'api_user' then
      if tg_op = 'DELETE' or not new.active then
        delete from flaghoist_system.console_session where user_key = old.key;
        delete from flaghoist_system.console_link where user_key = old.key;
      end if;
    elsif tg_op = 'DELETE' or not new.active or new.secret_hash is distinct from old.secret_hash then
      delete from flaghoist_system.console_session where client_id = old.client_id;
    end if;
  end if;
  update flaghoist_system.revision set value = value + 1
  where name = 'access' and xmin <> pg_current_xact_id()::xid;
  return null;
end $$;
revoke all on function flaghoist_system.record_access_change() from public;

-- A known text, encrypted. A wrong encryption key is detected at start, before it encrypts anything.
create table flaghoist_system.encryption_check (
  only_row boolean primary key default true check (only_row),
  proof    text not null
);
