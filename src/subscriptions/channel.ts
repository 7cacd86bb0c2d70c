// How notifications travel and where to: `url`, and `channelInfo` with its channel type and the same address. Both ways to
// say it are brought to one, and what is given in both must agree.

import { joinPath } from '../json/join-path.ts';
import type { JsonObject, JsonValue } from '../json/parse-json.ts';
import { quoteText } from '../json/printable.ts';
import { nameOf, type StoredValue } from '../objects/check-scalar.ts';
import type { HeldRow } from '../objects/type-rules.ts';
import { didYouMean } from '../query/nearest-name.ts';
import { type AddressPolicy, type ChannelType, channelTypes, checkAddress } from './check-address.ts';
import type { Mistake } from './mistake.ts';

/** `said`: what the body comes to; undefined where it says nothing new, or nothing that can be understood. */
export interface ReadChannel {
  said: Channel | undefined;
  mistakes: Mistake[];
}

export interface Channel {
  channelType: ChannelType;
  url: string;
}

/** What the body has to say is left to other checks where it is `null` or, as `url`, no text. */
export function readChannel(body: JsonObject, present: HeldRow | undefined, policy: AddressPolicy): ReadChannel {
  const has = present && presentChannel(present);
  const info = readInfo(body.get('channelInfo'));
  const url = body.get('url');
  if (info.mistakes.length > 0 || (url !== undefined && url !== null && typeof url !== 'string'))
    return { said: undefined, mistakes: info.mistakes };
  return settle({ url: url ?? undefined, ...info }, has, policy);
}

/** The column that goes with a `url`. */
export function renderChannelInfo(
  columns: ReadonlyMap<string, StoredValue>,
  present: HeldRow | undefined,
): string | undefined {
  const url = columns.get('url');
  if (!url) return undefined;
  const channelType = present ? presentChannel(present).channelType : 'HTTP';
  return columns.get('channel_info') ?? JSON.stringify({ channelType, URL: url });
}

function presentChannel(present: HeldRow): Channel {
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
      if (channelTypes.includes(member as ChannelType)) said.channelType = member as ChannelType;
      else refuse(path, `must be one of ${channelTypes.join(', ')}, not ${shown(member)}.`);
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

function settle(
  given: { url: string | undefined; channelType?: ChannelType; address?: string },
  has: Channel | undefined,
  policy: AddressPolicy,
): ReadChannel {
  const { url, address } = withoutEchoes(given, has);
  const channelType = given.channelType ?? has?.channelType ?? 'HTTP';
  const refuse = (name: string, message: string) => ({ said: undefined, mistakes: [{ name, message }] });
  if (url !== undefined && address !== undefined && url !== address)
    return refuse('channelInfo.URL', 'does not agree with url: leave one of them out, or send the same.');
  const target = address ?? url ?? has?.url;
  if (target === undefined)
    return refuse('url', 'is required: where notifications go. It can also be sent as URL in channelInfo.');
  if (has?.url === target && has.channelType === channelType) return { said: undefined, mistakes: [] };
  const mistake = checkAddress(target, channelType, policy);
  if (mistake !== undefined) return refuse(given.address === undefined ? 'url' : 'channelInfo.URL', mistake);
  return { said: { channelType, url: target }, mistakes: [] };
}

/** Who sends back a whole object with one of the two changed has changed it: the other is what it was. */
function withoutEchoes(
  { url, address }: { url: string | undefined; address?: string },
  has: Channel | undefined,
): { url: string | undefined; address: string | undefined } {
  if (!has || url === undefined || address === undefined) return { url, address };
  return { url: url === has.url ? undefined : url, address: address === has.url ? undefined : address };
}
