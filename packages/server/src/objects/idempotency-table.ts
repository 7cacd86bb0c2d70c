// All SQL of the table that stores responses by `Idempotency-Key`.

import type { Statement } from '../database/database.ts';

/** Which client used the key, and on which path. */
export interface IdempotencyScope {
  client: string;
  path: string;
  key: string;
}

/** The response to a create, the first time and at every repeat. */
export interface CreatedAnswer {
  /** The key of the object; null for an array of objects. */
  key: number | null;
  etag: string | null;
  /** JSON. */
  body: string;
}

export interface RememberedRow extends Omit<CreatedAnswer, 'key'> {
  body_hash: string;
  object_key: string | null;
}

/** The lock lasts until the transaction ends. A concurrent repeat does not get it. */
export function tryLockScope({ client, path, key }: IdempotencyScope): Statement {
  return {
    text: 'select pg_try_advisory_xact_lock(hashtextextended($1, 7)) as is_locked',
    values: [JSON.stringify([client, path, key])],
  };
}

export function selectAnswer({ client, path, key }: IdempotencyScope): Statement {
  return {
    text: `select body_hash, object_key, etag, body from flaghoist_system.idempotency
           where client = $1 and path = $2 and key = $3 and created_at > now() - interval '24 hours'`,
    values: [client, path, key],
  };
}

export function insertAnswer(
  { client, path, key }: IdempotencyScope,
  bodyHash: string,
  answer: CreatedAnswer,
): Statement {
  return {
    text: `insert into flaghoist_system.idempotency (client, path, key, body_hash, object_key, etag, body)
           values ($1, $2, $3, $4, $5, $6, $7)
           on conflict (client, path, key) do update
           set body_hash = excluded.body_hash, object_key = excluded.object_key, etag = excluded.etag,
               body = excluded.body, created_at = now()`,
    values: [client, path, key, bodyHash, answer.key, answer.etag, answer.body],
  };
}

/** Deletes in small steps, so that no statement locks many rows at once. */
export function deleteOldAnswers(): Statement {
  return {
    text: `delete from flaghoist_system.idempotency where ctid = any(array(
             select ctid from flaghoist_system.idempotency where created_at < now() - interval '24 hours'
               limit 1000)) returning 1`,
    values: [],
  };
}
