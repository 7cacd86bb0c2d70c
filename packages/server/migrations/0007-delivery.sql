-- Delivery: what is still to be sent, what can be sent again, the bodies, and the workers. The states of a notification
-- are described in src/deliver/queue/notification-state-table.ts. Its record is the object type WebhookNotification.

-- What is sent, byte for byte. Kept for a shorter time than the record.
create table flaghoist_system.notification_body (
  notification_key bigint not null,
  created_date     timestamp(0) not null,
  -- The content that follows `body`. Null: `body` is all of it.
  content_key      bigint,
  -- Its length, so that a claim counts it without reading it.
  content_bytes    integer,
  body             text not null,
  -- The subject of the mail, if a script has set one.
  subject          text,
  -- All that is sent besides, as one text, so that a claim reads one column.
  head             text not null,
  primary key (notification_key, created_date)
) partition by range (created_date);
select flaghoist_system.create_day_partitions('flaghoist_system.notification_body');

-- The end of several bodies: the object, and all that follows it. Stored in the transaction of these notifications,
-- with the same `created_date`. Its key is that of the first of them.
create table flaghoist_system.notification_content (
  content_key  bigint not null,
  created_date timestamp(0) not null,
  text         text not null,
  primary key (content_key, created_date)
) partition by range (created_date);
select flaghoist_system.create_day_partitions('flaghoist_system.notification_content');

create function flaghoist_system.body(notification_key bigint) returns text
language sql stable parallel safe as $$
  select case when b.content_key is null then b.body else b.body || (
    select c.text from flaghoist_system.notification_content c
    where c.content_key = b.content_key and c.created_date = b.created_date) end
  from flaghoist_system.notification_body b where b.notification_key = $1
$$;

-- The attributes of each type that `changes` lists, in the order of the model. Written whenever a model is applied.
create table flaghoist_system.shown_attribute (
  object_type text not null,
  attribute   text not null,
  column_name text not null,
  kind        text not null,
  -- The type that a reference leads to.
  target_type text,
  no          integer not null,
  primary key (object_type, attribute)
);

-- A column of an event's row as a notification shows it (src/render/render-changes.ts).
create function flaghoist_system.shown_value(
  image json, shown flaghoist_system.shown_attribute, rest_url text) returns json
language sql immutable parallel safe as $$
  select case
    when image ->> shown.column_name is null then null
    when shown.kind = 'reference' then (
      select row_to_json(v.*) from (select (image ->> shown.column_name)::bigint as "key",
        rest_url || '/' || shown.target_type || '/' || (image ->> shown.column_name) as "self") v)
    when shown.kind = 'decimal' then to_json(trim_scale((image ->> shown.column_name)::numeric))
    -- Without the spaces that an image may have.
    when shown.kind = 'textList' then array_to_json(array(select json_array_elements_text(image -> shown.column_name)))
    else image -> shown.column_name
  end
$$;

-- What the event of a notification has changed. Null if the event is no longer kept.
create function flaghoist_system.changes(notification_key bigint, rest_url text) returns json
language plpgsql stable parallel safe as $$
begin
  return (select array_to_json(array(
    select row_to_json(c.*) from (
      select e.object_type as "objectType", e.object_key as "objectKey", a.attribute as "attribute",
        flaghoist_system.shown_value(e.old_row, a, $2) as "old", flaghoist_system.shown_value(e.new_row, a, $2) as "new"
      from flaghoist_system.shown_attribute a
      where a.object_type = e.object_type and e.old_row ->> a.column_name is distinct from e.new_row ->> a.column_name
      order by a.no) c))
  from flaghoist_service.webhook_notification n join flaghoist_system.event e on e.id = n.sequence
  where n."key" = $1);
end $$;

-- Processes that deliver. If one does not renew its lease in time, its claims go to others.
create table flaghoist_system.delivery_worker (
  id          bigint primary key generated always as identity,
  alive_until timestamptz not null
);

-- The queue: small and hot.
create table flaghoist_system.pending_notification (
  notification_key bigint primary key,
  created_date     timestamp(0) not null,
  subscription_key bigint not null,
  -- Since the notification was created or last resent.
  attempts         smallint not null default 0,
  -- When to try next. Null: ready now. Infinity: parked until its user is active again. Minus infinity: not sent by
  -- workers, because it is streamed, or blocked by an earlier notification about the same object.
  due_at           timestamptz,
  -- The worker that has claimed it.
  claimed_by       bigint,
  -- The resend that it belongs to.
  resend_job       bigint,
  -- Its status before the replay that it belongs to, DELIVERED or FAILED. Null: it is not replayed.
  replay_of        text,
  -- If its subscription is ordered: the subscribed object.
  ordered_object   bigint,
  -- If its subscription is ordered or streamed: the id of the event.
  sequence         bigint,
  -- Whether it is sent again after it had failed or was delivered. Such notifications are ordered among themselves.
  is_repeat        boolean,
  -- If it is streamed, until when the consumer that has it may acknowledge it. Minus infinity: no consumer has it.
  -- Null: it is blocked, or not streamed.
  leased_until     timestamptz,
  -- The connection or the pull that has it, or had it last.
  lease_id         bigint
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_cost_delay = 0);

-- By lane, and in each lane new notifications before those that were tried or sent before. `claimed_by` is in no index,
-- so that a claim updates none; few rows are claimed at any time.
create index pending_notification_ready on flaghoist_system.pending_notification
  (subscription_key, (attempts > 0 or resend_job is not null), notification_key) where due_at is null;
create index pending_notification_due on flaghoist_system.pending_notification (due_at) where due_at is not null;
create index pending_notification_waiting on flaghoist_system.pending_notification (subscription_key, due_at)
  where due_at is not null;
create index pending_notification_resend on flaghoist_system.pending_notification (resend_job)
  where resend_job is not null;
create index pending_notification_ordered on flaghoist_system.pending_notification
  (subscription_key, ordered_object, is_repeat, sequence) where ordered_object is not null;

create index pending_notification_streamed on flaghoist_system.pending_notification
  (subscription_key, sequence, notification_key) where leased_until is not null;
create index pending_notification_leased on flaghoist_system.pending_notification (lease_id)
  where leased_until > '-infinity';

-- Failed notifications whose body is still kept.
create table flaghoist_system.resendable_notification (
  subscription_key bigint not null,
  notification_key bigint primary key,
  created_date     timestamp(0) not null,
  -- The order of failing. It tells a resend what had failed when it was requested, whatever the clock says.
  failure_no       bigint generated always as identity
);
create index resendable_notification_subscription on flaghoist_system.resendable_notification
  (subscription_key, notification_key);
create index resendable_notification_day on flaghoist_system.resendable_notification (created_date);

-- Resends in progress, and their position: notifications are taken in the order of subscription and key.
create table flaghoist_system.resend_progress (
  job_key           bigint primary key,
  -- Later failures are not part of the resend. Null: it waits until all that counts as failed is stored as failed.
  last_failure      bigint,
  at_subscription   bigint not null default 0,
  at_notification   bigint not null default 0,
  -- Of a replay: notifications with greater keys are not part of it.
  last_notification bigint,
  -- Nothing is left to take; what was taken is still to be delivered or to fail.
  is_moved          boolean not null default false
);

-- Subscriptions that have ended or were deactivated, and whose pending notifications are still to be marked as failed.
create table flaghoist_system.ended_subscription (
  subscription_key bigint primary key,
  reason           text not null
);

-- Consecutive failed attempts of a subscription. No row: the last attempt succeeded.
create table flaghoist_system.delivery_health (
  subscription_key     bigint primary key,
  failing_since        timestamp(0) not null default flaghoist_system.utc_second(),
  consecutive_failures integer not null,
  -- When the owner was notified that deliveries have been failing for long. Null: not yet.
  reported_at          timestamptz
);

-- Subscriptions with a rate that have sent lately (src/deliver/throttle/rate-table.ts).
create table flaghoist_system.delivery_rate (
  subscription_key bigint primary key,
  -- When its next attempt may start, after those that processes have reserved.
  next_at          timestamptz not null,
  -- The rate for which `next_at` was calculated.
  per_second       double precision not null
) with (fillfactor = 50);

create function flaghoist_system.failing_since(subscription_key bigint) returns timestamp
language sql stable parallel safe as $$
  select h.failing_since from flaghoist_system.delivery_health h where h.subscription_key = $1
$$;

create function flaghoist_system.consecutive_failures(subscription_key bigint) returns integer
language sql stable parallel safe as $$
  select coalesce(
    (select h.consecutive_failures from flaghoist_system.delivery_health h where h.subscription_key = $1), 0)
$$;

-- The service's own mail, such as the alert of a deactivation. Stored in the transaction that causes it, and sent
-- later.
create table flaghoist_system.outgoing_mail (
  id         bigint primary key generated always as identity,
  mail       jsonb not null,
  created_at timestamptz not null default now(),
  failures   integer not null default 0,
  -- How often the recipient was rejected; included in `failures`.
  rejections integer not null default 0,
  not_before timestamptz not null default now()
);
create index outgoing_mail_due on flaghoist_system.outgoing_mail (not_before);

-- Alerts that are still to be sent to FLAGHOIST_ALERT_URL. Stored in the transaction that causes it, and sent later.
create table flaghoist_system.outgoing_alert (
  id               bigint primary key generated always as identity,
  -- What it is about. 0: the service as a whole.
  subscription_key bigint not null,
  kind             text not null,
  -- What the text says besides; its members depend on the kind. The newest, if it happens again before it is sent.
  facts            jsonb not null,
  created_at       timestamptz not null default now()
);
create unique index outgoing_alert_subject on flaghoist_system.outgoing_alert
  (subscription_key, kind, coalesce(facts ->> 'what', facts ->> 'part', ''));

-- When the next alert about a subscription may be sent. Locked by the process that sends it.
create table flaghoist_system.alert_turn (
  subscription_key bigint primary key,
  not_before       timestamptz not null,
  -- When the last one was sent. Null: none was.
  sent_at          timestamptz,
  -- Failed attempts in a row.
  failures         integer not null default 0
);

-- Subscriptions whose oldest notification waits for too long, and that were reported. 0: the service as a whole.
create table flaghoist_system.old_backlog (
  subscription_key bigint primary key,
  reported_at      timestamptz not null default now()
);
