// Creates one object, or all of an array or none, and remembers the answer under its `Idempotency-Key`.

import { hash } from 'node:crypto';
import type { Statement, Transaction } from '../database/database.ts';
import { ApiError } from '../errors.ts';
import type { JsonValue } from '../json/parse-json.ts';
import type { ObjectType } from '../model/object-type.ts';
import { compileReadArray } from '../query/read-statement.ts';
import type { View } from '../query/view.ts';
import { type CheckedBody, checkBody } from './check-body.ts';
import {
  type CreatedAnswer,
  type IdempotencyScope,
  insertAnswer,
  type RememberedRow,
  selectAnswer,
  tryLockScope,
} from './idempotency-table.ts';
import type { Caller, ObjectsContext } from './objects-context.ts';
import { answerOf, readStatement } from './read-object.ts';
import { prepareWrite } from './write-changes.ts';

export interface CreateRequest {
  type: ObjectType;
  body: JsonValue;
  view: View;
  caller: Caller;
  /** `bodyText`: what a repeat has to be equal to. */
  idempotency: { scope: IdempotencyScope; bodyText: string } | undefined;
}

export async function createObjects(context: ObjectsContext, request: CreateRequest): Promise<CreatedAnswer> {
  const checked = checkBodies(context, request);
  return context.database.transaction(request.caller.userKey, async (transaction) => {
    const { idempotency } = request;
    if (!idempotency) return write(context, transaction, request, checked);
    const bodyHash = hash('sha256', idempotency.bodyText, 'base64url');
    const remembered = await recall(transaction, idempotency.scope, bodyHash);
    if (remembered) return remembered;
    const answer = await write(context, transaction, request, checked);
    await transaction.commitWith(insertAnswer(idempotency.scope, bodyHash, answer));
    return answer;
  });
}

function checkBodies({ arrayObjectsMax }: ObjectsContext, { type, body }: CreateRequest): CheckedBody[] {
  const bodies = Array.isArray(body) ? body : [body];
  if (bodies.length > arrayObjectsMax) {
    throw new ApiError(
      'invalidBody',
      `An array may have at most ${arrayObjectsMax} objects; this has ${bodies.length}. Send it in parts.`,
    );
  }
  return bodies.map((object, index) =>
    checkBody(object, { type, key: undefined, path: Array.isArray(body) ? `[${index}]` : '', arrayObjectsMax }),
  );
}

async function write(
  context: ObjectsContext,
  transaction: Transaction,
  request: CreateRequest,
  checked: CheckedBody[],
): Promise<CreatedAnswer> {
  const { keys, statements } = await prepareWrite(
    transaction,
    checked.map(({ change }) => change),
    checked.flatMap(({ violations }) => violations),
    context,
  );
  const isArray = Array.isArray(request.body);
  const read = isArray ? readArray(request.view, keys, context) : readStatement(request.view, keys[0]!, context.links);
  const send = request.idempotency ? transaction.run : transaction.commitWith;
  const rows = (await send(...statements, read)).at(-1);
  if (isArray) return { key: null, etag: null, body: rows![0]!.array as string };
  return answerOf(request.type, keys[0]!, rows);
}

function readArray(view: View, keys: number[], { links }: ObjectsContext): Statement {
  return { text: compileReadArray(view, links), values: [keys] };
}

/**
 * The first request holds the lock until it has committed. Looked up before and after the lock is tried: a repeat of one
 * that is finished needs no lock, and one that finishes in between is found the second time.
 */
async function recall(
  transaction: Transaction,
  scope: IdempotencyScope,
  bodyHash: string,
): Promise<CreatedAnswer | undefined> {
  const [before, locks, after] = await transaction.run(selectAnswer(scope), tryLockScope(scope), selectAnswer(scope));
  const remembered = (before?.[0] ?? after?.[0]) as RememberedRow | undefined;
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
