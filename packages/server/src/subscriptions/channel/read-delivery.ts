// Reads the attributes that say how notifications are delivered over the channel: headers and the retry policy.

import type { Encryption } from '../../auth/encryption/encryption.ts';
import { channelAttributes, channelTypes, defaultChannelType, isChannelType } from '../../channel-types.ts';
import type { JsonObject } from '../../json/parse-json.ts';
import type { StoredValue } from '../../objects/check-scalar.ts';
import type { Mistake } from '../../objects/mistake.ts';
import type { LockedRow } from '../../objects/type-rules.ts';
import { type Headers, maskHeaders, readHeaders } from './headers.ts';
import type { ReadChannel } from './read-channel.ts';
import { type RetrySettings, readRetryPolicy } from './retry-policy.ts';
import { headersPurpose } from './secret-purposes.ts';

export interface ReadDeliveryParts {
  encryption: Encryption;
  settings: RetrySettings;
}

export interface ReadDelivery {
  /** The attributes that were read. */
  read: readonly string[];
  columns: [string, StoredValue][];
  mistakes: Mistake[];
}

export function readDelivery(
  body: JsonObject,
  channel: ReadChannel,
  current: LockedRow | undefined,
  { encryption, settings }: ReadDeliveryParts,
): ReadDelivery {
  const { headers, mistakes } = readHeaders(body.get('headers'), () => readStoredHeaders(current, encryption));
  const retry = readRetryPolicy(body.get('retryPolicy'), settings);
  const columns: [string, StoredValue][] = [];
  if (headers !== undefined) {
    columns.push(['headers', maskHeaders(headers)]);
    columns.push(['headers_sealed', headers && encryption.encrypt(headersPurpose, JSON.stringify(headers))]);
  }
  if (retry.policy !== undefined) columns.push(['retry_policy', retry.policy && JSON.stringify(retry.policy)]);
  return {
    read: ['headers', 'retryPolicy'],
    columns,
    mistakes: [...mistakes, ...retry.mistakes, ...checkUse(body, channel, current)],
  };
}

function readStoredHeaders(current: LockedRow | undefined, encryption: Encryption): Headers | undefined {
  const sealed = current?.get('headers_sealed') ?? null;
  if (sealed === null) return undefined;
  try {
    return JSON.parse(encryption.decrypt(headersPurpose, sealed)) as Headers;
  } catch {
    return undefined;
  }
}

/** Rejects attributes that the channel would ignore silently. */
function checkUse(body: JsonObject, { channel, mistakes }: ReadChannel, current: LockedRow | undefined): Mistake[] {
  const stored = current && (JSON.parse(current.get('channel_info')!) as { channelType: string }).channelType;
  const channelType = channel?.channelType ?? stored ?? defaultChannelType;
  if (mistakes.length > 0 || !isChannelType(channelType)) return [];
  const { uses } = channelTypes[channelType];
  return channelAttributes
    .filter((name) => (body.get(name) ?? null) !== null && !uses.includes(name))
    .map((name) => ({
      name,
      message: `cannot be set: ${channelType} does not use it. Leave it out, or set it to null.`,
    }));
}
