-- Delivery: what is still to be sent, what has failed, the bodies, who is sending, and the days that retention drops whole.

create schema flaghoist_partition;

-- Days of the log. A table that is partitioned by created_date has a partition for each day, and one for whatever fits none:
-- nothing is refused because nobody has made a partition in time.
create function flaghoist_system.make_day(parent regclass, of_day date) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  parent_name text := (select relname from pg_class where oid = parent);
  day_name text := format('%s_%s', parent_name, to_char(of_day, 'YYYYMMDD'));
  rest regclass := to_regclass(format('flaghoist_partition.%I', parent_name || '_rest'));
begin
  if rest is null then
    execute format('create table flaghoist_partition.%I partition of %s default', parent_name || '_rest', parent);
    rest := to_regclass(format('flaghoist_partition.%I', parent_name || '_rest'));
  end if;
  if to_regclass(format('flaghoist_partition.%I', day_name)) is not null then
    return;
  end if;
  execute format('create table flaghoist_partition.%I (like %s including all) with (fillfactor = 35)', day_name, parent);
  -- Rows that came before their day was made.
  execute format('with moved as (delete from %s where created_date >= %L and created_date < %L returning *)
    insert into flaghoist_partition.%I select * from moved', rest, of_day, of_day + 1, day_name);
  execute format('alter table %s attach partition flaghoist_partition.%I for values from (%L) to (%L)',
    parent, day_name, of_day, of_day + 1);
end $$;

-- From today on, a week ahead.
create function flaghoist_system.make_days(parent regclass) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  -- One process at a time.
  perform pg_advisory_xact_lock(7305114203);
  for ahead in 0..7 loop
    perform flaghoist_system.make_day(parent, (now() at time zone 'utc')::date + ahead);
  end loop;
end $$;

-- The oldest day of a table, if it is older than so many days; null where there is none.
create function flaghoist_system.old_day(parent regclass, days_kept integer) returns date
language sql stable set search_path = pg_catalog, pg_temp as $$
  select min(to_date(right(c.relname, 8), 'YYYYMMDD'))
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = parent and c.relname ~ '_[0-9]{8}$'
    and to_date(right(c.relname, 8), 'YYYYMMDD') < (now() at time zone 'utc')::date - days_kept
$$;

create function flaghoist_system.drop_day(parent regclass, of_day date) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  -- Who reads is waited for, but not for long: those who come later would wait behind us.
  perform set_config('lock_timeout', '1s', true);
  execute format('drop table if exists flaghoist_partition.%I',
    format('%s_%s', (select relname from pg_class where oid = parent), to_char(of_day, 'YYYYMMDD')));
end $$;

-- The bytes of each notification, which are kept for a shorter time than the record of it.
create table flaghoist_system.notification_body (
  notification_key bigint not null,
  created_date     timestamp(0) not null,
  body             text not null,
  primary key (notification_key, created_date)
) partition by range (created_date);

select flaghoist_system.make_days('flaghoist_system.notification_body');

create function flaghoist_system.body(notification_key bigint) returns text
language sql stable parallel safe as $$
  select b.body from flaghoist_system.notification_body b where b.notification_key = $1
$$;

-- Processes that deliver. One that was not heard of for the length of its lease is dead, and what it has claimed goes to others.
create table flaghoist_system.delivery_worker (
  id          bigint primary key generated always as identity,
  alive_until timestamptz not null
);

-- What is still to be sent: small and hot. Ready: neither waiting for its time nor claimed.
create table flaghoist_system.pending_notification (
  notification_key bigint primary key,
  created_date     timestamp(0) not null,
  subscription_key bigint not null,
  -- Of the present set of attempts; a resend begins anew.
  attempts         smallint not null default 0,
  -- Waits for this time; null where it is ready.
  due_at           timestamptz,
  -- The worker that has it.
  claimed_by       bigint,
  resend_job       bigint
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);

-- Lane by lane, and in each what is new before what is tried or sent again. Whether a row is claimed stands in no index: claiming one leaves all
-- of them as they are, and those that are claimed at any moment are few.
create index pending_notification_ready
  on flaghoist_system.pending_notification (subscription_key, (attempts > 0 or resend_job is not null), notification_key)
  where due_at is null;
create index pending_notification_due on flaghoist_system.pending_notification (due_at) where due_at is not null;
create index pending_notification_waiting on flaghoist_system.pending_notification (subscription_key) where due_at is not null;
create index pending_notification_resend on flaghoist_system.pending_notification (resend_job) where resend_job is not null;

-- What has failed and could be sent again, as long as its body is kept.
create table flaghoist_system.failed_notification (
  subscription_key bigint not null,
  notification_key bigint primary key,
  created_date     timestamp(0) not null,
  -- In the order of failing, so that a resend knows what had failed when it was asked for, whatever the clock says.
  failure_no       bigint generated always as identity
);
create index failed_notification_subscription on flaghoist_system.failed_notification (subscription_key, notification_key);
create index failed_notification_day on flaghoist_system.failed_notification (created_date);

-- Resends that have something left to do, and where each has come to: notifications are taken in the order of subscription and key.
create table flaghoist_system.resend_progress (
  job_key         bigint primary key,
  -- What fails later is not its business. Null: it waits until all that counts as failed is among the failed ones.
  last_failure    bigint,
  at_subscription bigint not null default 0,
  at_notification bigint not null default 0,
  -- Nothing is left to take; what was taken has yet to arrive or to fail.
  is_moved        boolean not null default false
);

-- Subscriptions that have ended, or were deactivated, with notifications left that count as failed.
create table flaghoist_system.ended_subscription (
  subscription_key bigint primary key,
  reason           text not null
);

-- Since when, and how often in a row, attempts of a subscription have failed. No row: the last one has not.
create table flaghoist_system.delivery_health (
  subscription_key     bigint primary key,
  failing_since        timestamp(0) not null default flaghoist_system.utc_second(),
  consecutive_failures integer not null
);

create function flaghoist_system.failing_since(subscription_key bigint) returns timestamp
language sql stable parallel safe as $$
  select h.failing_since from flaghoist_system.delivery_health h where h.subscription_key = $1
$$;

create function flaghoist_system.consecutive_failures(subscription_key bigint) returns integer
language sql stable parallel safe as $$
  select coalesce((select h.consecutive_failures from flaghoist_system.delivery_health h where h.subscription_key = $1), 0)
$$;

-- Mail of our own, like the alert of a deactivation: stored with what caused it, sent by and by.
create table flaghoist_system.outgoing_mail (
  id         bigint primary key generated always as identity,
  mail       jsonb not null,
  created_at timestamptz not null default now(),
  failures   integer not null default 0,
  -- How often its recipient was refused; `failures` counts these too.
  refusals   integer not null default 0,
  not_before timestamptz not null default now()
);
create index outgoing_mail_due on flaghoist_system.outgoing_mail (not_before);

-- Notifications used to be one plain table with the bodies in it. The model makes the new one of what is kept here.
do $$
declare
  index_definition text;
  definitions text[];
begin
  if to_regclass('flaghoist_service.webhook_notification') is null then
    return;
  end if;
  create temporary table notification_before on commit drop as table flaghoist_service.webhook_notification;
  select array_agg(indexdef) into definitions from pg_indexes
  where schemaname = 'flaghoist_service' and tablename = 'webhook_notification' and indexname not like '%pkey';
  create temporary table notification_shape (like flaghoist_service.webhook_notification including defaults including constraints) on commit drop;
  drop table flaghoist_service.webhook_notification;
  create table flaghoist_service.webhook_notification (
    like notification_shape including defaults including constraints,
    constraint webhook_notification__key__pkey primary key (key, created_date)
  ) partition by range (created_date);
  alter table flaghoist_service.webhook_notification drop column body;
  foreach index_definition in array definitions loop
    execute index_definition;
  end loop;
  perform flaghoist_system.make_days('flaghoist_service.webhook_notification');
  perform flaghoist_system.make_day(parent, created_date::date)
  from (select distinct created_date::date as created_date from notification_before) d,
    unnest(array['flaghoist_service.webhook_notification', 'flaghoist_system.notification_body']::regclass[]) as parent;
  insert into flaghoist_system.notification_body select key, created_date, body from notification_before where body is not null;
  insert into flaghoist_system.pending_notification (notification_key, created_date, subscription_key)
  select key, created_date, subscription from notification_before where status = 'PENDING';
  insert into flaghoist_system.failed_notification (subscription_key, notification_key, created_date) select subscription, key, created_date from notification_before
  where status = 'FAILED' and body is not null;
  alter table notification_before drop column body;
  insert into flaghoist_service.webhook_notification select * from notification_before;
end $$;
