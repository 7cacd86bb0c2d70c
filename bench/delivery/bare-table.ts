// All SQL of the bare program: one row per change, claimed, and deleted after it is sent.

import pg from 'pg';

export interface BareChange {
  id: string;
  /** The index of the receiver. */
  place: number;
  text: string;
}

export const bareTable = `create table if not exists bare_change (
  id bigint primary key generated always as identity, place int not null, text text not null, row text not null,
    is_claimed boolean not null default false)`;

/** A receiver and a text. The row is as large as what the service stores for a change. */
export function bareInsert(row: string): string {
  return `insert into bare_change (place, text, row) values ($1::int, $2::text, ${pg.escapeLiteral(row)})`;
}

export const rowsInClaim = 500;

export const claimBare = `update bare_change set is_claimed = true where id = any(array(
  select id from bare_change where not is_claimed order by id limit ${rowsInClaim} for update skip locked))
    returning id, place, text`;

export const deleteBare = 'delete from bare_change where id = any($1::bigint[])';
