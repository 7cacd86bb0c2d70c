// Where the notifications of one subscription go, with which credentials, and how often they are tried.

import type { Encryption } from '../../auth/encryption/encryption.ts';
import { type ChannelType, isChannelType } from '../../channel-types.ts';
import { decodeSecret } from '../../channels/http/sign.ts';
import type { ReceiverAuth } from '../../channels/receiver-auth.ts';
import type { Receiver } from '../../channels/registry/channel.ts';
import { authDeclarations } from '../../model/catalogue/channel-settings.ts';
import type { Headers } from '../../subscriptions/channel/headers.ts';
import type { RetryPolicy } from '../../subscriptions/channel/retry-policy.ts';
import {
  channelSecretPurpose,
  headersPurpose,
  signingSecretPurpose,
  webhookPasswordPurpose,
} from '../../subscriptions/channel/secret-purposes.ts';
import type { TargetRow } from './target-table.ts';

export interface Target extends Receiver {
  readonly channelType: ChannelType;
  readonly state: TargetRow['state'];
  /** Whether the user is active, the secrets can be decrypted, and this version of the service knows the channel. */
  readonly isUsable: boolean;
  /** Masked if the receiver sends it back in its response. */
  readonly confidential: readonly string[];
  /** Null: as the settings say. */
  readonly retryPolicy: RetryPolicy | null;
  /** How many attempts per second are allowed; null: as many as possible. */
  readonly ratePerSecond: number | null;
}

/** Throws if a secret cannot be decrypted. */
export function readTarget(row: TargetRow, encryption: Encryption): Target {
  const decrypt = (purpose: string, sealed: string | null) =>
    sealed === null ? undefined : encryption.decrypt(purpose, sealed);
  const secret = decrypt(signingSecretPurpose, row.signing_secret_sealed);
  const password = decrypt(webhookPasswordPurpose, row.webhook_password);
  const headers = Object.entries(JSON.parse(decrypt(headersPurpose, row.headers_sealed) ?? '{}') as Headers);
  const channelSecret = decrypt(channelSecretPurpose, row.channel_secret_sealed);
  const authorization = basicCredentials(row.webhook_username, password);
  const secrets = [
    password,
    authorization?.slice('Basic '.length),
    channelSecret,
    ...linesOf(channelSecret),
    ...headers.flatMap(([, value]) => [value, withoutScheme(value)]),
  ];
  return {
    key: Number(row.key),
    name: row.name,
    channelType: row.channel_info.channelType,
    url: row.url ?? '',
    subject: row.channel_info.subject,
    eventTypes: row.event_types,
    state: row.state,
    isUsable: row.user_active && isChannelType(row.channel_info.channelType),
    username: row.webhook_username ?? undefined,
    password,
    authorization,
    auth: readAuth(row, channelSecret),
    headers: headers.flat(),
    confidential: secrets.filter((text): text is string => text !== undefined && text !== ''),
    retryPolicy: row.retry_policy,
    ratePerSecond: row.rate_per_second,
    secret: secret === undefined ? undefined : decodeSecret(secret),
    previous: readPrevious(row, encryption),
  };
}

function readAuth({ channel_info: { auth } }: TargetRow, secret: string | undefined): ReceiverAuth | undefined {
  if (!auth || secret === undefined) return undefined;
  return { ...auth, [authDeclarations[auth.type].secret]: secret } as unknown as ReceiverAuth;
}

/** Of a file with credentials, a server is sent single lines. */
function linesOf(secret: string | undefined): string[] {
  const lines = secret?.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('--')) ?? [];
  return lines.length > 1 ? lines : [];
}

/** `Bearer x` → `x`. */
function withoutScheme(value: string): string {
  return value.replace(/^[\w-]+ +/, '');
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
