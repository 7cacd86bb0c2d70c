// The channels that notifications can be sent over, as subscribers see them. `channels/registry/` implements each.

export interface ChannelDescription {
  /** As in "notifications by e-mail". */
  title: string;
  /** What the `url` of a subscription has to be. */
  address: string;
  /** What is sent, and which attributes of the subscription it uses. */
  description: string;
}

/** By the code in `channelInfo`. */
export const channelTypes = {
  HTTP: {
    title: 'HTTP',
    address: 'an `http` or `https` URL',
    description: 'a signed POST, with `webhookUsername` and `webhookPassword` if they are set',
  },
  EMAIL: {
    title: 'e-mail',
    address: 'one e-mail address',
    description: 'a readable mail with the body attached',
  },
} satisfies Record<string, ChannelDescription>;

export type ChannelType = keyof typeof channelTypes;

export const channelCodes = Object.keys(channelTypes) as ChannelType[];

/** Of a subscription with a `url` and no channel type. */
export const defaultChannelType: ChannelType = 'HTTP';

/** Creates one value for each channel. */
export function byChannelType<T>(create: (type: ChannelType) => T): Readonly<Record<ChannelType, T>> {
  return Object.fromEntries(channelCodes.map((type) => [type, create(type)])) as Record<ChannelType, T>;
}
