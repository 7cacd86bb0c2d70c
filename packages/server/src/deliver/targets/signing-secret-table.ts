// All SQL of replacing the signing secret of a subscription.

import type { Statement } from '../../database/database.ts';

/** The current secret becomes the previous one. Returns until when the previous secret also signs. */
export function replaceSigningSecret(subscriptionKey: number, sealed: string, graceSeconds: number): Statement {
  return {
    text: `update flaghoist_service.webhook_subscription
set previous_secret_sealed = signing_secret_sealed, previous_secret_until = flaghoist_system.utc_second() + $3 *
  interval '1 second', signing_secret_sealed = $2
where "key" = $1::bigint
returning to_char(previous_secret_until, 'YYYY-MM-DD"T"HH24:MI:SS') as until`,
    values: [subscriptionKey, sealed, graceSeconds],
  };
}
