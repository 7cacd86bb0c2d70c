-- Matches that are not notifications: those that a condition or a script suppressed, and those that still need a script
-- or a stylesheet.

-- Why something that was evaluated suppressed a match. Every other reason follows from the event itself.
create table flaghoist_system.suppressed_match (
  event_id         bigint not null,
  subscription_key bigint not null,
  object_key       bigint not null,
  reason           text not null
    check (reason in ('OBJECT_DELETED', 'EXPRESSION_FALSE', 'EXPRESSION_ERROR', 'SCRIPT_FALSE', 'SCRIPT_ERROR')),
  message          text
);
create index suppressed_match_event on flaghoist_system.suppressed_match (event_id);
create index suppressed_match_subscription on flaghoist_system.suppressed_match (subscription_key, event_id);

-- Stored when its event is matched; the shaping loop turns it into a notification or suppresses it.
create table flaghoist_system.unshaped_match (
  notification_key      bigint primary key,
  -- The subscription: a slow one delays no other, even with the same script.
  lane                  bigint not null,
  event_id              bigint not null,
  subscription_key      bigint not null,
  user_key              bigint not null,
  object_type           text not null,
  object_key            bigint not null,
  event_type            text not null,
  subscribed_object_key bigint not null,
  occurred_at           text not null,
  -- What the body shows of the object, what the script sees of it, what it would have seen before the change, and the
  -- changed attributes: numbers of unshaped_object, 0 if too large.
  shown_no              integer,
  svc_object_no         integer,
  old_svc_object_no     integer,
  changes_no            integer,
  -- The size of these texts together.
  bytes                 integer not null,
  -- Why it will not be sent, whatever the script returns.
  error_message         text,
  -- Whether the notifications of its subscription are sent in order.
  is_ordered            boolean not null default false,
  -- Whether they are streamed.
  is_streamed           boolean not null default false,
  -- The transaction that has claimed it, and until when.
  claim                 bigint,
  claimed_until         timestamptz
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_cost_delay = 0);
create index unshaped_match_lane on flaghoist_system.unshaped_match (lane, notification_key);
create index unshaped_match_event on flaghoist_system.unshaped_match (event_id);
create index unshaped_match_subscription on flaghoist_system.unshaped_match (subscription_key);
create index unshaped_match_ordered on flaghoist_system.unshaped_match
  (subscription_key, subscribed_object_key, event_id) where is_ordered;

-- Objects after an event, and its changes, stored once for all matches that see the same of them. Deleted with the last
-- such match.
create table flaghoist_system.unshaped_object (
  event_id bigint not null,
  no       integer not null,
  text     text not null,
  primary key (event_id, no)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);

-- What scripts have written with console.log.
create table flaghoist_system.script_log (
  event_id         bigint not null,
  subscription_key bigint not null,
  object_key       bigint not null,
  log              text not null
);
create index script_log_event on flaghoist_system.script_log (event_id);

-- Consecutive failures of the script or the stylesheet of a subscription. No row: the last run succeeded.
create table flaghoist_system.shaping_health (
  subscription_key bigint primary key,
  failures         integer not null,
  message          text not null,
  -- Which of the two has failed. A script that suppresses everything says nothing about the stylesheet behind it.
  part             text not null
);

create function flaghoist_system.shaping_failures(subscription_key bigint) returns integer
language sql stable parallel safe as $$
  select coalesce((select h.failures from flaghoist_system.shaping_health h where h.subscription_key = $1), 0)
$$;

create function flaghoist_system.shaping_error(subscription_key bigint) returns text
language sql stable parallel safe as $$
  select h.message from flaghoist_system.shaping_health h where h.subscription_key = $1 and h.failures >= 3
$$;
