-- What is sent, whole: beside the body all that its headers and its mail are made of, so that a claim is loaded by one statement. Empty for those that an
-- earlier version has made; these are read from the log.
alter table flaghoist_system.notification_body
  add column id text,
  add column object_type text,
  add column object_key bigint,
  add column event_type text,
  add column subscribed_object_key bigint,
  add column event_time text,
  add column content_type text;
