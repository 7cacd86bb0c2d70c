-- The demo fleet inside the service: at most one process of all runs it, as long as it renews this row.
create table flaghoist_system.demo_fleet (
  is_only     boolean primary key default true check (is_only),
  -- A random id of each start.
  run         uuid not null,
  alive_until timestamptz not null
);
