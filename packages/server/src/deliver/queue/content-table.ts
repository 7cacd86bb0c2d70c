// All SQL of contents, and which bodies share one. A content is stored if notifications of one insert share it, and if
// that saves enough. All others are stored with their body, as one row.

import { numberArray, textArray } from '../../database/array-parameter.ts';
import type { Row, Statement } from '../../database/database.ts';
import type { Body, Content } from '../../render/body.ts';

/** The key of each content that a transaction has stored. Held weakly: each is needed for a short time only. */
export type StoredContents = Pick<WeakMap<Content, number>, 'get' | 'set'>;

/** Saving less is not worth a row and a statement. An estimate: a statement and a row take about as long as a kB. */
const savedCharsMin = 1_000;

function isWorthSharing({ text }: Content, bodies: number): boolean {
  return text.length * (bodies - 1) >= savedCharsMin;
}

interface Sharing {
  readonly key: number;
  readonly body: Body | null;
}

/** Stores what several of these share and is not stored yet, and adds it to `stored`. Undefined if there is none. */
export function insertContents(
  rows: readonly Sharing[],
  stored: StoredContents,
  createdDate: string,
): Statement | undefined {
  const keys: number[] = [];
  const texts: string[] = [];
  for (const [content, { key, bodies }] of countBodies(rows)) {
    if (stored.get(content) !== undefined || !isWorthSharing(content, bodies)) continue;
    stored.set(content, key);
    keys.push(key);
    texts.push(content.text);
  }
  if (keys.length === 0) return undefined;
  return {
    text: `insert into flaghoist_system.notification_content (content_key, created_date, text)
select c.content_key, $2::timestamp, c.text from unnest($1::bigint[], $3::text[]) as c (content_key, text)`,
    values: [numberArray(keys), createdDate, textArray(texts)],
  };
}

/** `key`: of the first notification with the content. */
function countBodies(rows: readonly Sharing[]): Map<Content, { key: number; bodies: number }> {
  const counts = new Map<Content, { key: number; bodies: number }>();
  for (const { key, body } of rows) {
    if (!body) continue;
    const counted = counts.get(body.content);
    if (counted) counted.bodies += 1;
    else counts.set(body.content, { key, bodies: 1 });
  }
  return counts;
}

/** Of a row of `notification_body`. Reads no content. */
export function bytesOfBody(body: string): string {
  return `(octet_length(${body}.body) + coalesce(${body}.content_bytes, 0))`;
}

/** `row`: has the columns `content_key` and `created_date`. */
function selectContent(row: string): string {
  return `(select c.text from flaghoist_system.notification_content c
    where c.content_key = ${row}.content_key and c.created_date = ${row}.created_date)`;
}

/**
 * The content of a notification that is the first to have it among `rows`, a materialized query with the columns
 * `notification_key` and `content_key`. So each content is read and transferred once. All of `rows` are returned with
 * their bodies: the others find their content with the first.
 */
export function selectContentOnce(row: string, rows: string): string {
  return `case when ${row}.notification_key = any(array(
    select min(f.notification_key) from ${rows} f where f.content_key is not null group by f.content_key))
    then ${selectContent(row)} end`;
}

/** For the columns `body` and `content`: both are sent as bytes. */
export const bodyReaders = [
  ['body', (text: string) => Buffer.from(text)],
  ['content', (text: string) => Buffer.from(text)],
] as const;

/**
 * Completes the bodies of rows with the columns `body`, `content_key` and `content`. Returns the rows without those
 * whose content is no longer kept, as if their bodies were not kept either.
 */
export function completeBodies(rows: readonly Row[]): Row[] {
  const contents = new Map<unknown, Buffer>();
  for (const { content, content_key } of rows) if (content instanceof Buffer) contents.set(content_key, content);
  return rows.filter((row) => {
    if (typeof row.content_key !== 'string' || row.body === null) return true;
    const content = contents.get(row.content_key);
    if (content) row.body = Buffer.concat([row.body as Buffer, content]);
    return content !== undefined;
  });
}
