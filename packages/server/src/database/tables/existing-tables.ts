// Reads the existing object tables, columns and constraints from PostgreSQL's catalogue. Drops generated triggers.

import type { ClientBase } from 'pg';
import { foreignKeySignature, uniqueSignature, valuesSignature } from './constraints.ts';
import { objectsSchema, quoteName, serviceSchema, systemSchema } from './identifiers.ts';

export interface ExistingTable {
  schema: string;
  columns: Map<string, { type: string; isNotNull: boolean; default: ExistingDefault }>;
  /** Name → signature (`constraints.ts`). */
  constraints: Map<string, string>;
  isEmpty: boolean;
}

export type ExistingTables = Map<string, ExistingTable>;

/** `value`: a constant, as the model would declare it. `computed`: evaluated for each row. */
export type ExistingDefault = { kind: 'none' } | { kind: 'computed' } | { kind: 'value'; value: string };

export async function readExistingTables(client: ClientBase): Promise<ExistingTables> {
  const tables: ExistingTables = new Map();
  for (const row of (await client.query(columnsSql)).rows) {
    if (!tables.has(row.table))
      tables.set(row.table, { schema: row.schema, columns: new Map(), constraints: new Map(), isEmpty: true });
    const { type, is_not_null, default_expression } = row;
    tables
      .get(row.table)!
      .columns.set(row.column, { type, isNotNull: is_not_null, default: readDefault(default_expression) });
  }
  for (const row of (await client.query(constraintsSql)).rows)
    tables.get(row.table)?.constraints.set(row.name, signatureOf(row));
  for (const [name, table] of tables) {
    const { rows } = await client.query(
      `select not exists (select 1 from ${table.schema}.${quoteName(name)}) as is_empty`,
    );
    table.isEmpty = rows[0].is_empty;
  }
  return tables;
}

/**
 * Generated triggers are created again whenever the model changes. An operator's own triggers, whose functions are in
 * other schemas, are kept.
 */
export async function dropGeneratedTriggers(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(generatedTriggersSql);
  for (const { statement } of rows) await client.query(statement);
}

interface ConstraintRow {
  kind: 'f' | 'u' | 'c';
  target: string | null;
  on_delete: 'c' | 'n' | 'a';
  definition: string;
}

function signatureOf({ kind, target, on_delete, definition }: ConstraintRow): string {
  if (kind === 'f') return foreignKeySignature(target ?? '', on_delete);
  if (kind === 'u') return uniqueSignature;
  // PostgreSQL prints the check in its own form, so the values are extracted from it.
  return valuesSignature([...definition.matchAll(/'([^']*)'/g)].map(([, value]) => value!));
}

/** Parses a default as PostgreSQL prints it: `'ENTERPRISE'::text`, `true`, `5`, `'-5'::integer`, `nextval(…)`. */
function readDefault(expression: string | null): ExistingDefault {
  if (expression === null) return { kind: 'none' };
  const [, text, plain] = /^(?:'((?:[^']|'')*)'|(true|false|\d[\d.]*))(?:::[^']+)?$/s.exec(expression) ?? [];
  const value = text?.replaceAll("''", "'") ?? plain;
  return value === undefined ? { kind: 'computed' } : { kind: 'value', value };
}

const columnsSql = `
  select c.relnamespace::regnamespace::text as schema, c.relname as table, a.attname as column,
    format_type(a.atttypid, a.atttypmod) as type,
         a.attnotnull as is_not_null, pg_get_expr(d.adbin, d.adrelid) as default_expression
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
  where c.relnamespace in ('${objectsSchema}'::regnamespace, '${serviceSchema}'::regnamespace)
    and c.relkind in ('r', 'p')
  order by c.relname, a.attnum`;

const constraintsSql = `
  select c.relname as table, k.conname as name, k.contype as kind, t.relname as target, k.confdeltype as on_delete,
         pg_get_constraintdef(k.oid) as definition
  from pg_constraint k join pg_class c on c.oid = k.conrelid left join pg_class t on t.oid = k.confrelid
  where c.relnamespace in ('${objectsSchema}'::regnamespace, '${serviceSchema}'::regnamespace)
    and k.contype in ('f', 'u', 'c')`;

const generatedTriggersSql = `
  select format('drop trigger %I on %s', g.tgname, g.tgrelid::regclass) as statement
  from pg_trigger g join pg_class c on c.oid = g.tgrelid join pg_proc p on p.oid = g.tgfoid
  where c.relnamespace in ('${objectsSchema}'::regnamespace, '${serviceSchema}'::regnamespace) and not g.tgisinternal
    and p.pronamespace = '${systemSchema}'::regnamespace`;
