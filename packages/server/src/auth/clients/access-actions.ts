// The actions of the object types that this folder owns, keyed by `<type>.<action>`.

import type { Database } from '../../database/database.ts';
import { ApiError } from '../../errors.ts';
import { type ActionHandler, type ObjectCall, onObject } from '../../objects/action-call.ts';
import { answerOnce } from '../../objects/answer-once.ts';
import { notFound } from '../../objects/object-errors.ts';
import type { AccessWrites } from '../directory/access-writes.ts';
import type { Encryption } from '../encryption/encryption.ts';
import { rotateSecret } from './client-secret.ts';

export interface AccessActionsParts {
  database: Database;
  encryption: Encryption;
  /** The external issuer that manages client secrets; undefined for the built-in issuer. */
  issuerUrl: string | undefined;
  writes: Pick<AccessWrites, 'after'>;
}

export function accessActions(parts: AccessActionsParts): Map<string, ActionHandler> {
  return new Map<string, ActionHandler>([
    ['ApiClient.rotateSecret', onObject((call) => rotateClientSecret(parts, call))],
  ]);
}

async function rotateClientSecret(parts: AccessActionsParts, call: ObjectCall): Promise<string> {
  const { database, encryption, issuerUrl, writes } = parts;
  const { key, given, caller, idempotency } = call;
  if (issuerUrl !== undefined)
    throw new ApiError('secretElsewhere', `Client secrets are managed by ${issuerUrl}. Rotate the secret there.`);
  const graceSeconds = Number(given.get('graceSeconds'));
  const rotating = answerOnce({ database, caller, idempotency }, async (transaction) => {
    const rotated = await rotateSecret(transaction, { key, graceSeconds }, encryption);
    if (!rotated) throw notFound({ name: 'ApiClient' }, key);
    const { clientSecret, ...kept } = rotated;
    const responseOf = (members: object) => ({ key, etag: null, body: JSON.stringify(members) });
    return { kept: responseOf(kept), shown: responseOf({ ...kept, clientSecret }) };
  });
  return (await writes.after(rotating)).body;
}
