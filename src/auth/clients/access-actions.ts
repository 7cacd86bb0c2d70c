// The actions of the types that this folder is in charge of, by `<type>.<action>`.

import type { Database } from '../../database/database.ts';
import { ApiError } from '../../errors.ts';
import type { ActionCall, ActionHandler } from '../../objects/action-call.ts';
import { answerOnce } from '../../objects/answer-once.ts';
import { notFound } from '../../objects/refuse-change.ts';
import type { Encryption } from '../encryption/encryption.ts';
import { graceMaxSeconds, rotateSecret } from './rotate-secret.ts';

export interface AccessActionsParts {
  database: Database;
  encryption: Encryption;
  /** Where clients have their secrets from, if not from here. */
  issuerUrl: string | undefined;
}

export function accessActions(parts: AccessActionsParts): Map<string, ActionHandler> {
  return new Map<string, ActionHandler>([['ApiClient.rotateSecret', (call) => rotateClientSecret(parts, call)]]);
}

async function rotateClientSecret(parts: AccessActionsParts, call: ActionCall): Promise<string> {
  const { database, encryption, issuerUrl } = parts;
  const { key, given, caller, idempotency } = call;
  if (issuerUrl !== undefined)
    throw new ApiError('secretElsewhere', `Clients have their secrets from ${issuerUrl}: change it there.`);
  const graceSeconds = readGrace(given.get('graceSeconds')!);
  const { body } = await answerOnce({ database, caller, idempotency }, async (transaction) => {
    const rotated = await rotateSecret(transaction, { key, graceSeconds }, encryption);
    if (!rotated) throw notFound({ name: 'ApiClient' }, key);
    const { clientSecret, ...kept } = rotated;
    const answer = (members: object) => ({ key, etag: null, body: JSON.stringify(members) });
    return { kept: answer(kept), shown: answer({ ...kept, clientSecret }) };
  });
  return body;
}

function readGrace(text: string): number {
  const seconds = Number(text);
  if (seconds >= 0 && seconds <= graceMaxSeconds) return seconds;
  const message = `must be from 0 to ${graceMaxSeconds}.`;
  throw new ApiError('invalidBody', `graceSeconds ${message}`, { violations: [{ path: 'graceSeconds', message }] });
}
