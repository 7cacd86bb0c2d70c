-- How processes notice that subscriptions or their scripts have changed. Subscriptions themselves are an object type.

-- A subscription that ever had a notification cannot be deleted, even when retention has removed its notifications.
create table flaghoist_system.notified_subscription (
  subscription_key bigint primary key
);

-- Which subscriptions changed at which revision. A process with a revision older than the oldest row reloads all.
create table flaghoist_system.subscription_change (
  revision         bigint not null,
  subscription_key bigint not null,
  primary key (revision, subscription_key)
);

-- Matching holds this lock shared from claim to COMMIT; a transaction that changes subscriptions takes it exclusively.
-- So a batch is matched with the current subscriptions. It is an advisory lock because those are granted in order: with
-- row locks shared by one process after the other, a writer could wait for ever.
create function flaghoist_system.lock_subscriptions() returns void language sql as $$
  select pg_advisory_xact_lock(7305114202)
$$;

create function flaghoist_system.lock_subscriptions_shared() returns void language sql as $$
  select pg_advisory_xact_lock_shared(7305114202)
$$;

-- Called at COMMIT, with the rights of its owner. The revision is raised under the lock, so revisions have the order of
-- the commits. It is raised once in a transaction, however many rows were changed.
create function flaghoist_system.record_subscription_changes(subscription_keys bigint[]) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  new_revision bigint;
begin
  if current_setting('flaghoist.revised_in', true) is distinct from pg_current_xact_id()::text then
    perform flaghoist_system.lock_subscriptions();
    update flaghoist_system.revision set value = value + 1 where name = 'subscriptions'
      returning value into new_revision;
    delete from flaghoist_system.subscription_change where revision <= new_revision - 10000;
    perform set_config('flaghoist.revised_in', pg_current_xact_id()::text, true);
    perform set_config('flaghoist.revised_to', new_revision::text, true);
  end if;
  new_revision := current_setting('flaghoist.revised_to')::bigint;
  insert into flaghoist_system.subscription_change (revision, subscription_key)
  select new_revision, k from unnest(subscription_keys) as k on conflict do nothing;
end $$;

-- The health of scripts and stylesheets is deleted with their use.
create function flaghoist_system.record_subscription_change() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  changed bigint := case when tg_op = 'DELETE' then old.key else new.key end;
begin
  if tg_op = 'DELETE' or new.state = 'UNSUBSCRIBED' or (new.alert_script_key is null and new.xsl is null) then
    delete from flaghoist_system.shaping_health where subscription_key = changed;
  end if;
  perform flaghoist_system.record_subscription_changes(array[changed]);
  return null;
end $$;

-- A change of a script changes the subscriptions that use it, unless only its name or description has changed.
-- Subscriptions show the code of their script.
create function flaghoist_system.record_script_change() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  users bigint[];
begin
  if tg_op = 'INSERT' then
    return null;
  end if;
  if tg_op = 'UPDATE' then
    if old.code is distinct from new.code then
      update flaghoist_service.webhook_subscription s set dlp_alert_script = new.code
        where s.alert_script_key = new.key;
    end if;
    if (old.body, old.parameters::text, old.fields::text)
      is not distinct from (new.body, new.parameters::text, new.fields::text) then
      return null;
    end if;
  end if;
  users := array(select s.key from flaghoist_service.webhook_subscription s
    where s.alert_script_key = old.key and s.state <> 'UNSUBSCRIBED');
  if users <> '{}' then
    perform flaghoist_system.record_subscription_changes(users);
  end if;
  return null;
end $$;

revoke all on function flaghoist_system.record_subscription_changes(bigint[]) from public;
revoke all on function flaghoist_system.record_subscription_change() from public;
revoke all on function flaghoist_system.record_script_change() from public;
