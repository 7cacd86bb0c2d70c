// Reads how and where notifications are sent: `url`, and `channelInfo` with a channel type, the same address and what
// else the channel takes. All forms are normalised to one. If both addresses are given, they must agree.

import { didYouMean, quoteText } from '@flaghoist/source-text';
import {
  type ChannelDescription,
  type ChannelType,
  channelCodes,
  channelTypes,
  defaultChannelType,
  isChannelType,
} from '../../channel-types.ts';
import type { AddressChecks } from '../../channels/registry/channel-registry.ts';
import { joinPath } from '../../json/join-path.ts';
import type { JsonValue } from '../../json/parse-json.ts';
import { nameOf } from '../../objects/check-scalar.ts';
import type { Mistake } from '../../objects/mistake.ts';
import type { LockedRow } from '../../objects/type-rules.ts';
import { readAuth, type ShownAuth } from './channel-auth.ts';
import { checkSubject } from './check-subject.ts';

export interface ReadChannel {
  /** Undefined if the body states nothing new, or nothing valid. */
  channel?: ChannelInfo & { channelType: ChannelType };
  /** The secret of `auth`. Null: there is none any more. Undefined: as before. */
  secret?: string | null;
  mistakes: Mistake[];
}

export interface ChannelInfo {
  /** A stored subscription may have a channel that this version of the service does not know. */
  channelType: string;
  /** Null: the channel has no address. */
  url: string | null;
  subject: string | undefined;
  auth: ShownAuth | undefined;
}

/** A `url` that is not text is left to other checks. */
export function readChannel(
  { url, channelInfo }: { url: JsonValue | undefined; channelInfo: JsonValue | undefined },
  current: LockedRow | undefined,
  addresses: AddressChecks,
): ReadChannel {
  const stored = current && storedChannel(current);
  const { mistakes, ...info } = readInfo(channelInfo, stored);
  const isText = typeof url === 'string';
  if (mistakes.length > 0 || (url != null && !isText)) return { mistakes };
  return resolveChannel({ url: isText ? url : undefined, isCleared: url === null, ...info }, stored, addresses);
}

/** As stored in the column `channel_info`. */
export function renderChannelInfo({ channelType, url, subject, auth }: ChannelInfo): string {
  return JSON.stringify({ channelType, URL: url ?? undefined, subject, auth });
}

function storedChannel(current: LockedRow): ChannelInfo {
  const { channelType, subject, auth } = JSON.parse(current.get('channel_info')!) as Omit<ChannelInfo, 'url'>;
  return { channelType, url: current.get('url') ?? null, subject, auth };
}

interface SentChannel {
  url: string | undefined;
  /** Whether `url` is null. */
  isCleared: boolean;
  channelType?: string;
  /** The `URL` of `channelInfo`. */
  address?: string;
  subject?: string;
  auth?: JsonValue;
}

function readInfo(
  value: JsonValue | undefined,
  stored: ChannelInfo | undefined,
): Omit<SentChannel, 'url' | 'isCleared'> & { mistakes: Mistake[] } {
  if (value === undefined || value === null) return { mistakes: [] };
  if (!(value instanceof Map))
    return rejected('channelInfo', `must be an object with channelType and URL, not ${nameOf(value)}.`);
  const mistakes = [...value].flatMap(([name, member]) => {
    const message = findMemberMistake(name, member, stored);
    return message === undefined ? [] : [{ name: joinPath('channelInfo', name), message }];
  });
  const {
    channelType,
    URL: address,
    subject,
    auth,
  } = Object.fromEntries(value) as Record<string, string> & {
    auth?: JsonValue;
  };
  return { channelType, address, subject, auth, mistakes };
}

const memberNames = ['channelType', 'URL', 'subject', 'auth'];

function findMemberMistake(name: string, value: JsonValue, stored: ChannelInfo | undefined): string | undefined {
  switch (name) {
    case 'channelType':
      if (isChannelType(value) || value === stored?.channelType) return undefined;
      return `must be one of ${channelCodes.join(', ')}, not ${shown(value)}.`;
    case 'URL':
    case 'subject':
      return typeof value === 'string' ? undefined : `must be text, not ${nameOf(value)}.`;
    case 'auth':
      return undefined;
    default:
      return `is not part of channelInfo.${didYouMean(name, memberNames)}`;
  }
}

function shown(value: JsonValue): string {
  return typeof value === 'string' ? quoteText(value) : nameOf(value);
}

function resolveChannel(sent: SentChannel, stored: ChannelInfo | undefined, addresses: AddressChecks): ReadChannel {
  const channelType = sent.channelType ?? stored?.channelType ?? defaultChannelType;
  if (!isChannelType(channelType)) return resolveUnknown(sent, stored, channelType);
  if (stored && isStreamed(stored.channelType) !== isStreamed(channelType))
    return rejected(
      'channelInfo.channelType',
      `cannot be changed from ${stored.channelType} to ${channelType}: create another subscription.`,
    );
  const kept = stored?.channelType === channelType ? stored : undefined;
  const target = resolveTarget(sent, stored, { channelType, addresses });
  const subject = resolveSubject(sent, kept, channelTypes[channelType]);
  const auth = readAuth(sent.auth, kept?.auth, { channelType, addresses });
  const mistakes = [...target.mistakes, ...subject.mistakes, ...auth.mistakes];
  if (mistakes.length > 0) return { mistakes };
  const channel = { channelType, url: target.url, subject: subject.text, auth: auth.shown };
  const isSame = stored && renderChannelInfo(stored) === renderChannelInfo(channel) && auth.secret === undefined;
  return isSame ? { mistakes } : { channel, secret: auth.secret, mistakes };
}

function isStreamed(channelType: string): boolean {
  return isChannelType(channelType) && channelTypes[channelType].isStreamed;
}

/** The stored channel is from another version of the service. It can stay as it is. */
function resolveUnknown(sent: SentChannel, stored: ChannelInfo | undefined, channelType: string): ReadChannel {
  const isKept = [sent.url, sent.address].every((url) => url === undefined || url === stored?.url);
  if (isKept && sent.subject === undefined && sent.auth === undefined) return { mistakes: [] };
  return rejected(
    'channelInfo.channelType',
    `is required: this version of the service has no channel ${quoteText(channelType)}, which the subscription ` +
      `uses. Send one of ${channelCodes.join(', ')}.`,
  );
}

function resolveTarget(
  sent: SentChannel,
  stored: ChannelInfo | undefined,
  { channelType, addresses }: { channelType: ChannelType; addresses: AddressChecks },
): { url: string | null; mistakes: Mistake[] } {
  const { url, address } = withoutSentBack(sent, stored);
  const reject = (name: string, message: string) => ({ url: null, ...rejected(name, message) });
  const place = sent.address === undefined ? 'url' : 'channelInfo.URL';
  if (channelTypes[channelType].address === null)
    return (address ?? url) === undefined || (address ?? url) === stored?.url
      ? { url: null, mistakes: [] }
      : reject(place, `cannot be set: ${channelType} has no address.`);
  if (url !== undefined && address !== undefined && url !== address)
    return reject('channelInfo.URL', 'does not agree with url: leave one of them out, or send the same.');
  const target = address ?? url ?? (sent.isCleared ? undefined : (stored?.url ?? undefined));
  if (target === undefined)
    return reject('url', 'is required: where notifications go. It can also be sent as URL in channelInfo.');
  if (stored?.url === target && stored.channelType === channelType) return { url: target, mistakes: [] };
  const mistake = addresses[channelType].check(target);
  return mistake === undefined ? { url: target, mistakes: [] } : reject(place, mistake);
}

/** If a whole object is sent back with one of the two addresses changed, the unchanged one is ignored. */
function withoutSentBack(
  { url, address }: SentChannel,
  stored: ChannelInfo | undefined,
): Pick<SentChannel, 'url' | 'address'> {
  if (!stored || url === undefined || address === undefined) return { url, address };
  return { url: url === stored.url ? undefined : url, address: address === stored.url ? undefined : address };
}

function resolveSubject(
  { subject }: SentChannel,
  kept: ChannelInfo | undefined,
  { defaultSubject, title }: ChannelDescription,
): { text: string | undefined; mistakes: Mistake[] } {
  if (defaultSubject === null)
    return subject === undefined
      ? { text: undefined, mistakes: [] }
      : { text: undefined, ...rejected('channelInfo.subject', `cannot be set: ${title} has no subjects.`) };
  const text = subject ?? kept?.subject ?? defaultSubject;
  const mistake = checkSubject(text);
  return { text, mistakes: mistake === undefined ? [] : [{ name: 'channelInfo.subject', message: mistake }] };
}

function rejected(name: string, message: string): { mistakes: Mistake[] } {
  return { mistakes: [{ name, message }] };
}
