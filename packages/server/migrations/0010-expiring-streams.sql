-- Streamed subscriptions with notifications that soon can no longer be fetched, and whose owners were told.
create table flaghoist_system.expiring_stream (
  subscription_key bigint primary key,
  reported_at      timestamptz not null default now()
);
