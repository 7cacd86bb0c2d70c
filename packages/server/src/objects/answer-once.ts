// Carries out a request once and stores the response under its `Idempotency-Key`, in the same transaction. A repeat
// gets the stored response, and the work is not done again.

import { hash } from 'node:crypto';
import type { Actor, Database, Transaction } from '../database/database.ts';
import { ApiError } from '../errors.ts';
import {
  type CreatedAnswer,
  type IdempotencyScope,
  insertAnswer,
  type RememberedRow,
  selectAnswer,
  tryLockScope,
} from './idempotency-table.ts';

export interface Idempotency {
  scope: IdempotencyScope;
  /** A repeat must have the same body. */
  bodyText: string;
}

export interface Written {
  /** The response that is stored for repeats. */
  kept: CreatedAnswer;
  shown: CreatedAnswer;
}

export interface IdempotentRequest {
  database: Database;
  caller: Actor;
  /** Undefined: the request cannot be repeated. Then `work` may end the transaction itself. */
  idempotency: Idempotency | undefined;
  /** Whether the request is expected to take the database a long time. */
  isLong?: boolean;
}

export function answerOnce(
  { database, caller, idempotency, isLong }: IdempotentRequest,
  work: (transaction: Transaction) => Promise<Written>,
): Promise<CreatedAnswer> {
  return database.transaction(
    caller,
    async (transaction) => {
      if (!idempotency) return (await work(transaction)).shown;
      const bodyHash = hash('sha256', idempotency.bodyText, 'base64url');
      const remembered = await recall(transaction, idempotency.scope, bodyHash);
      if (remembered) return remembered;
      const { kept, shown } = await work(transaction);
      // The stored response contains no secret, so a repeat never shows a secret again.
      await transaction.commitWith(insertAnswer(idempotency.scope, bodyHash, kept));
      return shown;
    },
    isLong,
  );
}

/**
 * The first request holds the lock until it commits. The response is looked up after the lock is tried, so a request
 * that finishes in between is found.
 */
async function recall(
  transaction: Transaction,
  scope: IdempotencyScope,
  bodyHash: string,
): Promise<CreatedAnswer | undefined> {
  const [locks, rows] = await transaction.run(tryLockScope(scope), selectAnswer(scope));
  const remembered = rows?.[0] as RememberedRow | undefined;
  if (!remembered && locks?.[0]?.is_locked !== true) {
    throw new ApiError(
      'stillRunning',
      'The first request with this Idempotency-Key has not finished. Try again in a moment.',
    );
  }
  if (!remembered) return undefined;
  if (remembered.body_hash !== bodyHash) {
    throw new ApiError(
      'keyReused',
      'This Idempotency-Key was used before with another body. Use a new key for a new request.',
    );
  }
  const { object_key, etag, body } = remembered;
  return { key: object_key === null ? null : Number(object_key), etag, body };
}
