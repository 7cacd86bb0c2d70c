// All SQL of contents, and which bodies share one. A content is stored if several notifications of one insert share it.
// All others are stored with their body: reading a second row would cost more than it saves.

import { numberArray, textArray } from '../../database/array-parameter.ts';
import type { Row, Statement } from '../../database/database.ts';
import type { Body, Content } from '../../render/body.ts';

/** The key of each content that a transaction has stored. Held weakly: an event may have many, each for a short time. */
export type StoredContents = Pick<WeakMap<Content, number>, 'get' | 'set'>;

/** Shorter ones are cheaper to repeat. Decision 25 has the measurement. */
const charsMin = 500;

export function isSharable({ text }: Content): boolean {
  return text.length >= charsMin;
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
  const seen = new Set<Content>();
  const added: { key: number; text: string }[] = [];
  for (const { key, body } of rows) {
    if (!body || !isSharable(body.content) || stored.get(body.content) !== undefined) continue;
    if (!seen.has(body.content)) seen.add(body.content);
    else {
      stored.set(body.content, key);
      added.push({ key, text: body.content.text });
    }
  }
  if (added.length === 0) return undefined;
  return {
    text: `insert into flaghoist_system.notification_content (content_key, created_date, text)
select c.content_key, $2::timestamp, c.text from unnest($1::bigint[], $3::text[]) as c (content_key, text)`,
    values: [numberArray(added.map(({ key }) => key)), createdDate, textArray(added.map(({ text }) => text))],
  };
}

/** Of a row of `notification_body`. Reads no content. */
export function bytesOfBody(body: string): string {
  return `(octet_length(${body}.body) + coalesce(${body}.content_bytes, 0))`;
}

/** `row`: has the columns `content_key` and `created_date`. */
export function selectContent(row: string): string {
  return `(select c.text from flaghoist_system.notification_content c
    where c.content_key = ${row}.content_key and c.created_date = ${row}.created_date)`;
}

/**
 * The content of a notification that is the first to have it among `rows`, a materialized query with the columns
 * `notification_key` and `content_key`. So each content is read and transferred once.
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

/** Completes the bodies of rows with the columns `body`, `content_key` and `content`. Null: its content is not kept. */
export function completeBodies(rows: readonly Row[]): void {
  const contents = new Map<unknown, Buffer>();
  for (const { content, content_key } of rows) if (content instanceof Buffer) contents.set(content_key, content);
  for (const row of rows) {
    if (row.content_key === null || row.body === null) continue;
    const content = contents.get(row.content_key);
    row.body = content ? Buffer.concat([row.body as Buffer, content]) : null;
  }
}
