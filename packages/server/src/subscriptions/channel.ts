// Reads how and where notifications are sent: `url`, and `channelInfo` with a channel type and the same address. Both
// forms are normalised to one. If both are given, they must agree.

import { didYouMean, quoteText } from '@flaghoist/source-text';
import { type ChannelType, channelCodes, defaultChannelType } from '../channel-types.ts';
import type { AddressChecks } from '../channels/registry/channel-registry.ts';
import { joinPath } from '../json/join-path.ts';
import type { JsonObject, JsonValue } from '../json/parse-json.ts';
import { nameOf, type StoredValue } from '../objects/check-scalar.ts';
import type { Mistake } from '../objects/mistake.ts';
import type { LockedRow } from '../objects/type-rules.ts';

/** `said`: the resulting channel. Undefined if the body says nothing new, or nothing valid. */
export interface ReadChannel {
  said: ChannelInfo | undefined;
  mistakes: Mistake[];
}

export interface ChannelInfo {
  channelType: ChannelType;
  url: string;
}

/** A member that is null, and a `url` that is not text, are left to other checks. */
export function readChannel(body: JsonObject, present: LockedRow | undefined, addresses: AddressChecks): ReadChannel {
  const has = present && presentChannel(present);
  const info = readInfo(body.get('channelInfo'));
  const url = body.get('url');
  if (info.mistakes.length > 0 || (url !== undefined && url !== null && typeof url !== 'string'))
    return { said: undefined, mistakes: info.mistakes };
  return resolveChannel({ url: url ?? undefined, ...info }, has, addresses);
}

/** The column stored along with a `url`. */
export function renderChannelInfo(
  columns: ReadonlyMap<string, StoredValue>,
  present: LockedRow | undefined,
): string | undefined {
  const url = columns.get('url');
  if (!url) return undefined;
  const channelType = present ? presentChannel(present).channelType : defaultChannelType;
  return columns.get('channel_info') ?? JSON.stringify({ channelType, URL: url });
}

function presentChannel(present: LockedRow): ChannelInfo {
  const { channelType } = JSON.parse(present.get('channel_info')!) as { channelType: ChannelType };
  return { channelType, url: present.get('url')! };
}

interface SaidInfo {
  channelType?: ChannelType;
  address?: string;
  mistakes: Mistake[];
}

function readInfo(value: JsonValue | undefined): SaidInfo {
  const said: SaidInfo = { mistakes: [] };
  const refuse = (name: string, message: string) => said.mistakes.push({ name, message });
  if (value === undefined || value === null) return said;
  if (!(value instanceof Map)) {
    refuse('channelInfo', `must be an object with channelType and URL, not ${nameOf(value)}.`);
    return said;
  }
  for (const [name, member] of value) {
    const path = joinPath('channelInfo', name);
    if (name === 'channelType') {
      if (channelCodes.includes(member as ChannelType)) said.channelType = member as ChannelType;
      else refuse(path, `must be one of ${channelCodes.join(', ')}, not ${shown(member)}.`);
    } else if (name === 'URL') {
      if (typeof member === 'string') said.address = member;
      else refuse(path, `must be text, not ${nameOf(member)}.`);
    } else refuse(path, `is not part of channelInfo.${didYouMean(name, ['channelType', 'URL'])}`);
  }
  return said;
}

function shown(value: JsonValue): string {
  return typeof value === 'string' ? quoteText(value) : nameOf(value);
}

function resolveChannel(
  given: { url: string | undefined; channelType?: ChannelType; address?: string },
  has: ChannelInfo | undefined,
  addresses: AddressChecks,
): ReadChannel {
  const { url, address } = withoutSentBack(given, has);
  const channelType = given.channelType ?? has?.channelType ?? defaultChannelType;
  const refuse = (name: string, message: string) => ({ said: undefined, mistakes: [{ name, message }] });
  if (url !== undefined && address !== undefined && url !== address)
    return refuse('channelInfo.URL', 'does not agree with url: leave one of them out, or send the same.');
  const target = address ?? url ?? has?.url;
  if (target === undefined)
    return refuse('url', 'is required: where notifications go. It can also be sent as URL in channelInfo.');
  if (has?.url === target && has.channelType === channelType) return { said: undefined, mistakes: [] };
  const mistake = addresses[channelType].check(target);
  if (mistake !== undefined) return refuse(given.address === undefined ? 'url' : 'channelInfo.URL', mistake);
  return { said: { channelType, url: target }, mistakes: [] };
}

/** If a whole object is sent back with one of the two addresses changed, the unchanged one is ignored. */
function withoutSentBack(
  { url, address }: { url: string | undefined; address?: string },
  has: ChannelInfo | undefined,
): { url: string | undefined; address: string | undefined } {
  if (!has || url === undefined || address === undefined) return { url, address };
  return { url: url === has.url ? undefined : url, address: address === has.url ? undefined : address };
}
