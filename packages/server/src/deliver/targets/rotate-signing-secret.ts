// Gives a subscription a new signing secret. The previous secret also signs for a grace period, so that the receiver
// has time to switch.

import type { Encryption } from '../../auth/encryption/encryption.ts';
import { createSecret } from '../../channels/http/sign.ts';
import type { Database } from '../../database/database.ts';
import type { ObjectCall } from '../../objects/action-call.ts';
import { answerOnce } from '../../objects/answer-once.ts';
import { signingSecretPurpose } from '../../subscriptions/channel/secret-purposes.ts';
import { lockSubscription } from './lock-subscription.ts';
import { replaceSigningSecret } from './target-table.ts';

export interface RotateParts {
  database: Database;
  encryption: Encryption;
}

export async function rotateSigningSecret({ database, encryption }: RotateParts, call: ObjectCall): Promise<string> {
  const { key, given, caller, idempotency } = call;
  const { body } = await answerOnce({ database, caller, idempotency }, async ({ run }) => {
    await lockSubscription(run, call, 'change');
    const signingSecret = given.get('signingSecret') ?? createSecret();
    const sealed = encryption.encrypt(signingSecretPurpose, signingSecret);
    const [rows] = await run(replaceSigningSecret(key, sealed, Number(given.get('graceSeconds'))));
    const kept = { key, previousSecretExpiresDate: rows![0]!.until };
    const respond = (members: object) => ({ key, etag: null, body: JSON.stringify(members) });
    return { kept: respond(kept), shown: respond({ ...kept, signingSecret }) };
  });
  return body;
}
