// The channels that notifications can be sent over, as subscribers see them. `channels/registry/` implements each.

export interface ChannelDescription {
  /** As in "notifications by e-mail". */
  title: string;
  /** What the `url` of a subscription has to be. Null: the channel has no address. */
  address: string | null;
  /** What is sent, and which attributes of the subscription it uses. */
  description: string;
  /** The attributes that this channel uses, of those that not every channel does. */
  uses: readonly ChannelAttribute[];
  /** The types of `auth` in `channelInfo` that it can carry. */
  authTypes: readonly AuthType[];
  /** The `subject` of a subscription that states none. Null: the channel has no subjects. */
  defaultSubject: string | null;
  /** Whether consumers fetch notifications, so that nothing is sent. */
  isStreamed: boolean;
}

export const channelAttributes = [
  'webhookUsername',
  'webhookPassword',
  'headers',
  'retryPolicy',
  'acknowledgeSeconds',
] as const;

export type ChannelAttribute = (typeof channelAttributes)[number];

export const authTypes = ['OAUTH2', 'MTLS', 'CREDENTIALS'] as const;

export type AuthType = (typeof authTypes)[number];

/** By the code in `channelInfo`. */
const descriptions = {
  HTTP: {
    title: 'HTTP',
    address: 'an `http` or `https` URL',
    description: 'a signed POST, with `webhookUsername` and `webhookPassword` if they are set',
    uses: ['webhookUsername', 'webhookPassword', 'headers', 'retryPolicy'],
    authTypes: ['OAUTH2', 'MTLS'],
    defaultSubject: null,
    isStreamed: false,
  },
  EMAIL: {
    title: 'e-mail',
    address: 'one e-mail address',
    description: 'a readable mail with the body attached',
    uses: ['retryPolicy'],
    authTypes: [],
    defaultSubject: null,
    isStreamed: false,
  },
  STREAM: {
    title: 'stream',
    address: null,
    description:
      'nothing is sent: the receiver connects to the service (`GET …/stream`) or asks for notifications ' +
      '(`POST …/pull`), and acknowledges them',
    uses: ['acknowledgeSeconds'],
    authTypes: [],
    defaultSubject: null,
    isStreamed: true,
  },
  NATS: {
    title: 'NATS',
    address: 'one or several `nats` or `tls` URLs with commas between them',
    description:
      'published to JetStream with the headers of HTTP and `Nats-Msg-Id`, with `webhookUsername` and ' +
      '`webhookPassword` if they are set, and delivered when the stream has acknowledged',
    uses: ['webhookUsername', 'webhookPassword', 'retryPolicy'],
    authTypes: ['CREDENTIALS', 'MTLS'],
    defaultSubject: 'flaghoist.{objectType}.{operation}.{objectKey}',
    isStreamed: false,
  },
} satisfies Record<string, ChannelDescription>;

export type ChannelType = keyof typeof descriptions;

export const channelTypes: Readonly<Record<ChannelType, ChannelDescription>> = descriptions;

export const channelCodes = Object.keys(channelTypes) as ChannelType[];

/** Of a subscription with a `url` and no channel type. */
export const defaultChannelType: ChannelType = 'HTTP';

export function isChannelType(code: unknown): code is ChannelType {
  return typeof code === 'string' && Object.hasOwn(channelTypes, code);
}

/** Creates one value for each channel. */
export function byChannelType<T>(create: (type: ChannelType) => T): Readonly<Record<ChannelType, T>> {
  return Object.fromEntries(channelCodes.map((type) => [type, create(type)])) as Record<ChannelType, T>;
}
