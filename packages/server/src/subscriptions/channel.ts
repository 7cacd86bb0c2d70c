// Reads how and where notifications are sent: `url`, and `channelInfo` with a channel type and the same address. Both
// forms are normalised to one. If both are given, they must agree.

import { didYouMean, quoteText } from '@flaghoist/source-text';
import { type ChannelType, channelCodes, defaultChannelType } from '../channel-types.ts';
import type { AddressChecks } from '../channels/registry/channel-registry.ts';
import { joinPath } from '../json/join-path.ts';
import type { JsonValue } from '../json/parse-json.ts';
import { nameOf } from '../objects/check-scalar.ts';
import type { Mistake } from '../objects/mistake.ts';
import type { LockedRow } from '../objects/type-rules.ts';

export interface ReadChannel {
  /** Undefined if the body states nothing new, or nothing valid. */
  channel?: ChannelInfo;
  mistakes: Mistake[];
}

export interface ChannelInfo {
  /** A stored subscription may have a channel that this version of the service does not know. */
  channelType: string;
  url: string;
}

/** Null, and a `url` that is not text, are left to other checks. */
export function readChannel(
  { url, channelInfo }: { url: JsonValue | undefined; channelInfo: JsonValue | undefined },
  current: LockedRow | undefined,
  addresses: AddressChecks,
): ReadChannel {
  const stored = current && storedChannel(current);
  const { mistakes, ...info } = readInfo(channelInfo, stored);
  const isText = typeof url === 'string';
  if (mistakes.length > 0 || (url != null && !isText)) return { mistakes };
  return resolveChannel({ url: isText ? url : undefined, ...info }, stored, addresses);
}

function storedChannel(current: LockedRow): ChannelInfo {
  const { channelType } = JSON.parse(current.get('channel_info')!) as { channelType: string };
  return { channelType, url: current.get('url')! };
}

interface SentChannel {
  url: string | undefined;
  channelType?: string;
  /** The `URL` of `channelInfo`. */
  address?: string;
}

function readInfo(
  value: JsonValue | undefined,
  stored: ChannelInfo | undefined,
): Omit<SentChannel, 'url'> & { mistakes: Mistake[] } {
  if (value === undefined || value === null) return { mistakes: [] };
  if (!(value instanceof Map))
    return rejected('channelInfo', `must be an object with channelType and URL, not ${nameOf(value)}.`);
  const mistakes = [...value].flatMap(([name, member]) => {
    const message = findMemberMistake(name, member, stored);
    return message === undefined ? [] : [{ name: joinPath('channelInfo', name), message }];
  });
  const { channelType, URL: address } = Object.fromEntries(value) as { channelType?: string; URL?: string };
  return { channelType, address, mistakes };
}

function findMemberMistake(name: string, value: JsonValue, stored: ChannelInfo | undefined): string | undefined {
  switch (name) {
    case 'channelType':
      if (isKnown(value) || value === stored?.channelType) return undefined;
      return `must be one of ${channelCodes.join(', ')}, not ${shown(value)}.`;
    case 'URL':
      return typeof value === 'string' ? undefined : `must be text, not ${nameOf(value)}.`;
    default:
      return `is not part of channelInfo.${didYouMean(name, ['channelType', 'URL'])}`;
  }
}

function shown(value: JsonValue): string {
  return typeof value === 'string' ? quoteText(value) : nameOf(value);
}

function isKnown(value: JsonValue): value is ChannelType {
  return channelCodes.some((code) => code === value);
}

function resolveChannel(sent: SentChannel, stored: ChannelInfo | undefined, addresses: AddressChecks): ReadChannel {
  const { url, address } = withoutSentBack(sent, stored);
  const channelType = sent.channelType ?? stored?.channelType ?? defaultChannelType;
  if (url !== undefined && address !== undefined && url !== address)
    return rejected('channelInfo.URL', 'does not agree with url: leave one of them out, or send the same.');
  const target = address ?? url ?? stored?.url;
  if (target === undefined)
    return rejected('url', 'is required: where notifications go. It can also be sent as URL in channelInfo.');
  if (stored?.url === target && stored.channelType === channelType) return { mistakes: [] };
  if (!isKnown(channelType))
    return rejected(
      'channelInfo.channelType',
      `is required: this version of the service has no channel ${quoteText(channelType)}, which the subscription ` +
        `uses. Send one of ${channelCodes.join(', ')}.`,
    );
  const mistake = addresses[channelType].check(target);
  if (mistake !== undefined) return rejected(sent.address === undefined ? 'url' : 'channelInfo.URL', mistake);
  return { channel: { channelType, url: target }, mistakes: [] };
}

/** If a whole object is sent back with one of the two addresses changed, the unchanged one is ignored. */
function withoutSentBack(
  { url, address }: SentChannel,
  stored: ChannelInfo | undefined,
): Omit<SentChannel, 'channelType'> {
  if (!stored || url === undefined || address === undefined) return { url, address };
  return { url: url === stored.url ? undefined : url, address: address === stored.url ? undefined : address };
}

function rejected(name: string, message: string): { mistakes: Mistake[] } {
  return { mistakes: [{ name, message }] };
}
