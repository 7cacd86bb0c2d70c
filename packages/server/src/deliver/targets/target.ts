// Where the notifications of one subscription go, and with which credentials.

import type { Encryption } from '../../auth/encryption/encryption.ts';
import { decodeSecret } from '../../channels/http/sign.ts';
import { signingSecretPurpose, webhookPasswordPurpose } from '../../subscriptions/subscription-rules.ts';
import type { TargetRow } from './target-table.ts';

export interface Target {
  readonly key: number;
  readonly channelType: 'HTTP' | 'EMAIL';
  readonly url: string;
  readonly eventType: string;
  readonly state: TargetRow['state'];
  /** Whether the user is active and the secrets can be decrypted. */
  readonly isUsable: boolean;
  /** The value of `Authorization`; undefined if there are no credentials. */
  readonly authorization: string | undefined;
  /** Masked if the receiver sends it back in its answer. */
  readonly confidential: readonly string[];
  readonly secret: Buffer | undefined;
  /** Also signs until `untilMs`. */
  readonly previous: { readonly secret: Buffer; readonly untilMs: number } | undefined;
}

export function readTarget(row: TargetRow, encryption: Encryption): Target {
  const open = (purpose: string, sealed: string | null) =>
    sealed === null ? undefined : encryption.decrypt(purpose, sealed);
  const secret = open(signingSecretPurpose, row.signing_secret_sealed);
  const previous = open(signingSecretPurpose, row.previous_secret_sealed);
  const password = open(webhookPasswordPurpose, row.webhook_password);
  const authorization = basicCredentials(row.webhook_username, password);
  return {
    key: Number(row.key),
    channelType: row.channel_info.channelType,
    url: row.url,
    eventType: row.event_type,
    state: row.state,
    isUsable: row.user_active,
    authorization,
    confidential: [password ?? '', authorization?.slice('Basic '.length) ?? ''].filter((text) => text !== ''),
    secret: secret === undefined ? undefined : decodeSecret(secret),
    previous:
      previous === undefined || row.previous_until_ms === null
        ? undefined
        : { secret: decodeSecret(previous), untilMs: row.previous_until_ms },
  };
}

function basicCredentials(username: string | null, password: string | undefined): string | undefined {
  if (username === null && password === undefined) return undefined;
  return `Basic ${Buffer.from(`${username ?? ''}:${password ?? ''}`).toString('base64')}`;
}
