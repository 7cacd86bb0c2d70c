// All SQL of the bare program: an object is a JSON document, and each change writes a row of an outbox in the same
// statement. The row of a delivered change stays, with its outcome, as in the log of notifications of the service.

export const bareTables = `
create table bare_object (key bigint primary key generated always as identity, document jsonb not null);
create table bare_outbox (
  id bigint primary key generated always as identity, object_key bigint not null, event text not null,
  body text not null, created_at timestamptz not null default now(), claimed_at timestamptz, delivered_at timestamptz,
  status int);
create index bare_outbox_waiting on bare_outbox (id) where claimed_at is null`;

export const createObject = `
with created as (insert into bare_object (document) values ($1::jsonb) returning key, document),
sent as (insert into bare_outbox (object_key, event, body) select key, 'C', document::text from created)
select key, document::text as document from created`;

/** Takes the key, and the members that change. */
export const changeObject = `
with changed as (update bare_object set document = document || $2::jsonb where key = $1::bigint
  returning key, document),
sent as (insert into bare_outbox (object_key, event, body) select key, 'U', document::text from changed)
select key, document::text as document from changed`;

export const outboxChannel = 'bare_outbox';

/** By another program: takes the key, and the new flag. */
export const changeByAnother = `
with changed as (update bare_object set document = jsonb_set(document, '{flag}', to_jsonb($2::text))
  where key = $1::bigint returning key, document),
sent as (insert into bare_outbox (object_key, event, body) select key, 'U', document::text from changed)
select pg_notify('${outboxChannel}', '') from changed`;

export interface OutboxRow {
  id: string;
  object_key: string;
  event: 'C' | 'U';
  body: string;
}

export const rowsInClaim = 500;

export const claim = `
update bare_outbox set claimed_at = now() where id = any(array(
  select id from bare_outbox where claimed_at is null order by id limit ${rowsInClaim} for update skip locked))
returning id, object_key, event, body`;

export const recordOutcomes = `
update bare_outbox o set delivered_at = now(), status = s.status
from unnest($1::bigint[], $2::int[]) as s (id, status) where o.id = s.id`;
