-- What has happened to notifications lately, and how much of it in each minute, quarter of an hour and two hours.

-- One row for each batch that stored or changed notifications, in the transaction of the batch. After a few seconds, it
-- is added to delivery_count and deleted. The live feed reads it meanwhile.
create table flaghoist_system.activity (
  id                bigint primary key generated always as identity,
  transaction_id    xid8 not null default pg_current_xact_id(),
  recorded_at       timestamptz not null default now(),
  -- An element for each notification: its key, its subscription, and what has happened to it
  -- (src/deliver/statistics/activity-table.ts).
  notification_keys bigint[] not null default '{}',
  subscription_keys bigint[] not null default '{}',
  codes             smallint[] not null default '{}',
  -- The days of the notifications.
  first_date        timestamp(0),
  last_date         timestamp(0),
  -- Changes that were matched: how many in which minute, in minutes since 1970.
  change_minutes    integer[] not null default '{}',
  change_counts     integer[] not null default '{}',
  -- The last error of each subscription: [{"subscription", "at", "text", "status"}].
  errors            jsonb
) with (toast_tuple_target = 8160, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0);
-- Compressing them would take longer than writing them.
alter table flaghoist_system.activity alter column notification_keys set storage external,
  alter column subscription_keys set storage external, alter column codes set storage external;

create table flaghoist_system.delivery_count (
  -- A subscription; a user, for all subscriptions of the user; or 0, for all there are. Keys are unique over all types.
  subject_key  bigint not null,
  -- 1, 15, 60 or 120.
  step_minutes smallint not null,
  starts_at    timestamptz not null,
  -- Only of subject 0.
  changes      integer not null default 0,
  created      integer not null default 0,
  delivered    integer not null default 0,
  retried      integer not null default 0,
  failed       integer not null default 0,
  -- How many were delivered within each range of time (src/deliver/statistics/latency-buckets.ts).
  latencies    integer[] not null default '{}',
  primary key (subject_key, step_minutes, starts_at)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
create index delivery_count_age on flaghoist_system.delivery_count (step_minutes, starts_at);

-- Adds arrays element by element; the shorter one counts as zero beyond its end.
create function flaghoist_system.add_counts(one integer[], other integer[]) returns integer[]
language sql immutable parallel safe as $$
  select case when other = '{}' then one when one = '{}' then other else array(
    select coalesce(one[i], 0) + coalesce(other[i], 0)
    from generate_series(1, greatest(cardinality(one), cardinality(other))) as i) end
$$;

-- The last failed attempt of a subscription, as long as the statistics are kept.
create table flaghoist_system.last_delivery_error (
  subscription_key bigint primary key,
  failed_at        timestamptz not null,
  text             text not null,
  status_code      integer
);
create index last_delivery_error_age on flaghoist_system.last_delivery_error (failed_at);
