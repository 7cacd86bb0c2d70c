// Where a new subscription has to be sent to reach the same receiver in the same way, as a command of a mail says it.

import { type ChannelType, channelAttributes, channelTypes, defaultChannelType } from '../../channel-types.ts';
import { authDeclarations } from '../../model/catalogue/channel-settings.ts';
import type { ShownAuth } from '../../subscriptions/channel/channel-auth.ts';
import { placeholder } from '../../subscriptions/channel/placeholder.ts';

/** As stored. It has no secret. */
export interface StoredChannel {
  channelType: ChannelType;
  /** Undefined: the channel has no address. */
  URL?: string;
  subject?: string;
  auth?: ShownAuth;
}

/** Without the attributes that the channel does not use: they are of the channel that the subscription had before. */
export function withoutUnused(
  attributes: Readonly<Record<string, unknown>>,
  { channelType }: StoredChannel,
): Record<string, unknown> {
  const { uses } = channelTypes[channelType];
  const unused = new Set<string>(channelAttributes.filter((name) => !uses.includes(name)));
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => !unused.has(name)));
}

/** All that is stored, with a placeholder for the secret. The short form, if there is nothing but the address. */
export function repeatChannel({ channelType, URL: url, ...rest }: StoredChannel): object {
  const { auth, ...others } = rest;
  if (channelType === defaultChannelType && Object.keys(rest).length === 0) return { url };
  const secret = auth && { [authDeclarations[auth.type].secret]: placeholder };
  return { channelInfo: { channelType, URL: url, ...others, ...(auth && { auth: { ...auth, ...secret } }) } };
}
