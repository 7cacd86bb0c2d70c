-- What needs a script or a stylesheet before it can be sent, or held back: stored when its event is matched, and worked off by a loop of its own.

alter table flaghoist_system.notification_body add column subject text;

create table flaghoist_system.unprepared_notification (
  notification_key      bigint primary key,
  -- The subscription, if it has a stylesheet of its own, else the script: one that is slow holds up no other.
  lane                  bigint not null,
  event_id              bigint not null,
  subscription_key      bigint not null,
  user_key              bigint not null,
  object_type           text not null,
  object_key            bigint not null,
  event_type            text not null,
  subscribed_object_key bigint not null,
  event_time            text not null,
  -- What is shown of the object, what the script sees of it, and what it would have seen before the change: numbers of the texts below, 0 where it is too large.
  shown_no              integer,
  svc_object_no         integer,
  old_svc_object_no     integer,
  -- Of these texts, together.
  bytes                 integer not null,
  -- Why it will not be sent, whatever is made of it.
  error_message         text,
  -- The transaction that has claimed it, and until when.
  claim                 bigint,
  claimed_until         timestamptz
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);
create index unprepared_notification_lane on flaghoist_system.unprepared_notification (lane, notification_key);
create index unprepared_notification_event on flaghoist_system.unprepared_notification (event_id);
create index unprepared_notification_subscription on flaghoist_system.unprepared_notification (subscription_key);

-- Objects as an event has left them, once for all who look at them alike. They go with the last who does.
create table flaghoist_system.unprepared_object (
  event_id bigint not null,
  no       integer not null,
  text     text not null,
  primary key (event_id, no)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);

alter table flaghoist_system.held_back drop constraint held_back_reason_check;
alter table flaghoist_system.held_back add constraint held_back_reason_check
  check (reason in ('EXPRESSION_FALSE', 'EXPRESSION_ERROR', 'SCRIPT_FALSE', 'SCRIPT_ERROR')) not valid;

-- What scripts have written with console.log, by decision.
create table flaghoist_system.script_log (
  event_id         bigint not null,
  subscription_key bigint not null,
  object_key       bigint not null,
  log              text not null
);
create index script_log_event on flaghoist_system.script_log (event_id);

-- How often the script or the stylesheet of a subscription has failed, one time after the other.
create table flaghoist_system.shaping_health (
  subscription_key bigint primary key,
  failures         integer not null,
  message          text not null
);

create function flaghoist_system.shaping_failures(subscription_key bigint) returns integer
language sql stable parallel safe as $$
  select coalesce((select h.failures from flaghoist_system.shaping_health h where h.subscription_key = $1), 0)
$$;

create function flaghoist_system.shaping_error(subscription_key bigint) returns text
language sql stable parallel safe as $$
  select h.message from flaghoist_system.shaping_health h where h.subscription_key = $1 and h.failures >= 3
$$;

-- Processes notice that subscriptions have changed; of a script that has, all those that use it.
create function flaghoist_system.note_subscriptions(subscription_keys bigint[]) returns void
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
  select noted, k from unnest(subscription_keys) as k on conflict do nothing;
end $$;

create or replace function flaghoist_system.note_subscription() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform flaghoist_system.note_subscriptions(array[case when tg_op = 'DELETE' then old.key else new.key end]);
  return null;
end $$;

create function flaghoist_system.note_script() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform flaghoist_system.note_subscriptions(array(select s.key from flaghoist_service.webhook_subscription s
    where s.alert_script_key = case when tg_op = 'DELETE' then old.key else new.key end and s.state <> 'UNSUBSCRIBED'));
  return null;
end $$;

revoke all on function flaghoist_system.note_subscriptions(bigint[]) from public;
revoke all on function flaghoist_system.note_script() from public;

-- Processes of earlier versions know neither scripts nor stylesheets, and would send what is to be held back, or in another shape. From the moment that
-- a subscription has one they match nothing any more, and leave it to those of this version, which hold subscriptions by another name.
create function flaghoist_system.hold_shaped_subscriptions() returns void language sql as $$
  select pg_advisory_xact_lock_shared(7305114202)
$$;

create or replace function flaghoist_system.hold_subscriptions() returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(7305114202);
  if exists (select from flaghoist_service.webhook_subscription s
    where (s.xsl is not null or s.alert_script_key is not null) and s.state <> 'UNSUBSCRIBED') then
    raise exception 'There are subscriptions with scripts or stylesheets, which this version does not know. Stop this process.';
  end if;
end $$;
