// Where the notifications of one subscription go, and with which credentials.

import type { Encryption } from '../../auth/encryption/encryption.ts';
import { type ChannelType, channelTypes } from '../../channel-types.ts';
import { decodeSecret } from '../../channels/http/sign.ts';
import type { Receiver } from '../../channels/registry/channel.ts';
import { signingSecretPurpose } from '../../subscriptions/signing-secret.ts';
import { webhookPasswordPurpose } from '../../subscriptions/subscription-rules.ts';
import type { TargetRow } from './target-table.ts';

export interface Target extends Receiver {
  readonly channelType: ChannelType;
  readonly state: TargetRow['state'];
  /** Whether the user is active, the secrets can be decrypted, and this version of the service knows the channel. */
  readonly isUsable: boolean;
  /** Masked if the receiver sends it back in its response. */
  readonly confidential: readonly string[];
}

/** Throws if the secret or the password cannot be decrypted. */
export function readTarget(row: TargetRow, encryption: Encryption): Target {
  const decrypt = (purpose: string, sealed: string | null) =>
    sealed === null ? undefined : encryption.decrypt(purpose, sealed);
  const secret = decrypt(signingSecretPurpose, row.signing_secret_sealed);
  const password = decrypt(webhookPasswordPurpose, row.webhook_password);
  const authorization = basicCredentials(row.webhook_username, password);
  return {
    key: Number(row.key),
    name: row.name,
    channelType: row.channel_info.channelType,
    url: row.url,
    eventTypes: row.event_types,
    state: row.state,
    isUsable: row.user_active && Object.hasOwn(channelTypes, row.channel_info.channelType),
    authorization,
    confidential: [password ?? '', authorization?.slice('Basic '.length) ?? ''].filter((text) => text !== ''),
    secret: secret === undefined ? undefined : decodeSecret(secret),
    previous: readPrevious(row, encryption),
  };
}

/** The previous secret only signs in addition. If it cannot be decrypted, the new secret signs alone. */
function readPrevious(
  { previous_secret_sealed: sealed, previous_until_ms: untilMs }: TargetRow,
  encryption: Encryption,
): Target['previous'] {
  if (sealed === null || untilMs === null) return undefined;
  try {
    return { secret: decodeSecret(encryption.decrypt(signingSecretPurpose, sealed)), untilMs };
  } catch {
    return undefined;
  }
}

function basicCredentials(username: string | null, password: string | undefined): string | undefined {
  if (username === null && password === undefined) return undefined;
  return `Basic ${Buffer.from(`${username ?? ''}:${password ?? ''}`).toString('base64')}`;
}
