// All SQL of the tables and sequences that an installation has. They are read from PostgreSQL's catalogue, so that a
// table that is added later is part of every backup.

import type { ClientBase } from 'pg';
import { objectsSchema, quoteLiteral, quoteName, serviceSchema, systemSchema } from '../database/tables/identifiers.ts';

export interface StoredTable {
  schema: string;
  table: string;
  /** All but generated ones, which cannot be inserted. */
  columns: string[];
  /** YYYYMMDD; the days of a table that is partitioned by day. */
  days: string[];
}

export interface StoredSequence {
  schema: string;
  sequence: string;
  /** The last number that was given out; null: none. */
  last: string | null;
}

/** The last one has the partitions. */
export const allSchemas = [objectsSchema, serviceSchema, systemSchema, 'flaghoist_partition'];

export const nameOf = ({ schema, table }: Pick<StoredTable, 'schema' | 'table'>) =>
  `${quoteName(schema)}.${quoteName(table)}`;

export async function readTables(client: ClientBase): Promise<StoredTable[]> {
  const { rows } = await client.query<StoredTable>(
    `select n.nspname as schema, c.relname as table,
       array(select a.attname::text from pg_attribute a
         where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
         order by a.attnum) as columns,
       array(select right(p.relname, 8) from pg_inherits i join pg_class p on p.oid = i.inhrelid
         where i.inhparent = c.oid and p.relname ~ '_[0-9]{8}$' order by 1) as days
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = any($1) and c.relkind in ('r', 'p') and not c.relispartition
     order by n.nspname collate "C", c.relname collate "C"`,
    [allSchemas],
  );
  return rows;
}

export function columnsOf({ columns }: StoredTable): string {
  return columns.map(quoteName).join(', ');
}

/** To be read after the tables: numbers that are in them have been given out by then. */
export async function readSequences(client: ClientBase): Promise<StoredSequence[]> {
  const { rows } = await client.query<{ schema: string; sequence: string }>(
    `select n.nspname as schema, c.relname as sequence from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = any($1) and c.relkind = 'S' order by n.nspname collate "C", c.relname collate "C"`,
    [allSchemas],
  );
  const sequences: StoredSequence[] = [];
  for (const { schema, sequence } of rows) {
    const { rows: states } = await client.query<{ last: string | null }>(
      `select case when is_called then last_value::text end as last from ${nameOf({ schema, table: sequence })}`,
    );
    sequences.push({ schema, sequence, last: states[0]!.last });
  }
  return sequences;
}

/** Numbers that the original has given out since the backup are not given out again, to anything else. */
export const skippedNumbers = 1_000_000_000;

/**
 * The numbers of objects of the operator's own types, which people read, continue without a gap. A sequence that does
 * not exist is left out: the original still has those of types and attributes that were removed from its model.
 */
export async function setSequence(client: ClientBase, { schema, sequence, last }: StoredSequence): Promise<void> {
  const name = nameOf({ schema, table: sequence });
  const { rows } = await client.query<{ type: string; start: string; greatest: string }>(
    `select seqtypid::regtype::text as type, seqstart::text as start, seqmax::text as greatest
     from pg_sequence where seqrelid = to_regclass(${quoteLiteral(name)})`,
  );
  if (!rows[0]) return;
  const { type, start, greatest } = rows[0];
  if (type !== 'bigint') {
    if (last !== null) await client.query('select setval($1::regclass, $2::bigint)', [name, last]);
    return;
  }
  const next = BigInt(last ?? start) + BigInt(skippedNumbers);
  const value = next < BigInt(greatest) ? next : BigInt(greatest);
  await client.query('select setval($1::regclass, $2::bigint)', [name, value.toString()]);
}
