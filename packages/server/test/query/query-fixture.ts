// What the tests of `src/query` share: the built-in model, and ways to run its statements as a caller would.

import type pg from 'pg';
import { ApiError } from '../../src/errors.ts';
import { buildModel } from '../../src/model/build-model.ts';
import { catalogue } from '../../src/model/catalogue/catalogue.ts';
import type { ObjectType } from '../../src/model/object-type.ts';
import { renderCursor } from '../../src/query/cursor.ts';
import type { KeptDays } from '../../src/query/kept-days.ts';
import { parseListRequest, parseReadRequest, type RequestHeaders } from '../../src/query/list-request.ts';
import { compileList, type ListHead } from '../../src/query/list-statement.ts';
import type { QueryParameter } from '../../src/query/query-parameter.ts';
import { compileRead } from '../../src/query/read-statement.ts';
import { asTexts } from '../support/as-texts.ts';

export const model = buildModel(catalogue);

export const links = { restUrl: 'https://example.org/ws/rest' };

export function typeOf(name: string): ObjectType {
  const type = model.types.get(name);
  if (type === undefined) throw new Error(`no type ${name}`);
  return type;
}

export type Json = Record<string, unknown> & { key: number; self: string };

export interface Listed {
  objects: Json[];
  keys: number[];
  total: number | undefined;
  count: number;
  hasMore: boolean;
  /** The `after` of the next page. */
  next: string | undefined;
  /** As they were rendered. */
  texts: string[];
}

/** Read by a driver that makes texts of everything. */
interface ListRow extends ListHead {
  object: string | null;
}

/** What a statement of the list answers, with the objects as texts. */
export async function runList(
  pool: pg.Pool,
  { text, values }: { text: string; values: unknown[] },
): Promise<{ head: ListHead; texts: string[] }> {
  const { rows } = await pool.query<ListRow>({ text, values, types: asTexts });
  const [head, ...objects] = rows;
  return { head: head!, texts: objects.map(({ object }) => object!) };
}

export async function list(
  pool: pg.Pool,
  type: string,
  query: readonly QueryParameter[] = [],
  headers: RequestHeaders = {},
  days?: KeptDays,
): Promise<Listed> {
  const request = parseListRequest(typeOf(type), query, headers);
  const { head, texts } = await runList(pool, compileList(request, links, days));
  const objects: Json[] = texts.map((text) => JSON.parse(text));
  return {
    objects,
    keys: objects.map((object) => object.key),
    total: head.total === null ? undefined : Number(head.total),
    count: head.count,
    hasMore: head.has_more,
    next: head.cursor === null ? undefined : renderCursor(head.cursor, request.mark),
    texts,
  };
}

/** The keys of what fits the filters, in order of their keys. */
export async function find(pool: pg.Pool, type: string, ...filters: string[]): Promise<number[]> {
  const listed = await list(pool, type, [
    ...filters.map((text): QueryParameter => ['filter', text]),
    ['limit', '2000'],
  ]);
  return listed.keys;
}

export async function read(pool: pg.Pool, type: string, key: number, fields?: string): Promise<Json> {
  return JSON.parse((await readRow(pool, type, key, fields)).object);
}

interface RenderedRow {
  object: string;
  state: string;
}

export async function readRow(pool: pg.Pool, type: string, key: number, fields?: string): Promise<RenderedRow> {
  const view = parseReadRequest(typeOf(type), [], { fields });
  const { rows } = await pool.query<RenderedRow>({ text: compileRead(view, links), values: [key], types: asTexts });
  return rows[0]!;
}

export async function insert(pool: pg.Pool, table: string, row: Record<string, unknown> = {}): Promise<number> {
  const columns = Object.keys(row);
  const places = columns.map((_, index) => `$${index + 1}`);
  const what = columns.length === 0 ? 'default values' : `(${columns.join(', ')}) values (${places.join(', ')})`;
  const { rows } = await pool.query(`insert into flaghoist.${table} ${what} returning key::int`, Object.values(row));
  return rows[0].key;
}

/** The error that a caller would see, or a failure if there is none. */
export function errorOf(action: () => unknown): ApiError {
  try {
    action();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}
