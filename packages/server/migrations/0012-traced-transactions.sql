-- The transactions of traced requests, so that matching and delivery continue their traces. Only written while traces
-- are on, and only for sampled requests. Rows are deleted after a day.
create table flaghoist_system.traced_transaction (
  transaction_id xid8 primary key,
  -- As in the headers `traceparent` and `tracestate` of W3C Trace Context.
  trace_parent   text not null,
  trace_state    text,
  created_at     timestamptz not null default now()
);
create index traced_transaction_age on flaghoist_system.traced_transaction (created_at);
