-- What the migration before this one has left open: a constraint that was never validated, how a script finds its subscriptions, and what is left of those that are gone.

-- `lane` of unprepared_notification is the subscription from now on, with a stylesheet or without: values that are slow hold up nobody else who has the same script.

alter table flaghoist_system.held_back validate constraint held_back_reason_check;

-- Only what matching and preparing use of a script is a change of the subscriptions that use it. A new one is used by nobody.
create or replace function flaghoist_system.note_script() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  users bigint[];
begin
  if tg_op = 'INSERT' then
    return null;
  end if;
  if tg_op = 'UPDATE' then
    if (old.body, old.parameters::text, old.fields::text) is not distinct from (new.body, new.parameters::text, new.fields::text) then
      return null;
    end if;
  end if;
  users := array(select s.key from flaghoist_service.webhook_subscription s where s.alert_script_key = old.key and s.state <> 'UNSUBSCRIBED');
  if users <> '{}' then
    perform flaghoist_system.note_subscriptions(users);
  end if;
  return null;
end $$;

-- Which of the two has failed: a script that lets nothing through says nothing of the stylesheet behind it.
alter table flaghoist_system.shaping_health add column if not exists part text;

-- How a subscription fares goes with it.
create or replace function flaghoist_system.note_subscription() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op = 'DELETE' then
    delete from flaghoist_system.shaping_health where subscription_key = old.key;
    perform flaghoist_system.note_subscriptions(array[old.key]);
    return null;
  end if;
  -- By name: the columns come with the model.
  if new.state = 'UNSUBSCRIBED' or coalesce(to_jsonb(new) ->> 'alert_script_key', to_jsonb(new) ->> 'xsl') is null then
    delete from flaghoist_system.shaping_health where subscription_key = new.key;
  end if;
  perform flaghoist_system.note_subscriptions(array[new.key]);
  return null;
end $$;

-- The table is made from the model, which comes after this: in a new database it is not there yet, in one from before scripts the column is not.
do $$
begin
  if exists (select from pg_attribute where attrelid = to_regclass('flaghoist_service.webhook_subscription') and attname = 'alert_script_key') then
    create index if not exists webhook_subscription__alert_script_key__index on flaghoist_service.webhook_subscription (alert_script_key)
      where alert_script_key is not null;
  end if;
  if to_regclass('flaghoist_service.webhook_subscription') is not null then
    delete from flaghoist_system.shaping_health h
    where not exists (select from flaghoist_service.webhook_subscription s where s.key = h.subscription_key and s.state <> 'UNSUBSCRIBED');
  end if;
end $$;
