// A subscription, as the service shows it.

export type State = 'ACTIVE' | 'DEACTIVATED' | 'UNSUBSCRIBED';

export type ChannelType = 'HTTP' | 'EMAIL' | 'STREAM' | 'NATS';

export interface ChannelInfo {
  channelType: ChannelType;
  URL?: string;
  subject?: string;
  /** Without its secret. */
  auth?: { type: string } & Record<string, string>;
}

export interface RetryPolicy {
  attempts?: number;
  intervalSeconds?: number;
  backoff?: 'FIXED' | 'EXPONENTIAL';
  maxIntervalSeconds?: number;
}

export interface SubscriptionUser {
  key: number;
  userCode?: string;
  name?: string | null;
}

export interface Subscription {
  key: number;
  createdDate: string;
  modifiedDate: string;
  name: string | null;
  eventTypes: string[];
  user: SubscriptionUser;
  url: string | null;
  channelInfo: ChannelInfo;
  headers: Record<string, string> | null;
  acknowledgeSeconds: number | null;
  retryPolicy: RetryPolicy | null;
  ratePerSecond: number | null;
  webhookUsername: string | null;
  /** Base64 of a field selection. */
  json: string | null;
  expression: string | null;
  dlpAlertScript: string | null;
  scriptParameterValues: Record<string, unknown> | null;
  useMsg: boolean;
  onlyMainObject: boolean;
  rawObject: boolean;
  includeChanges: boolean;
  /** Base64 of a stylesheet. */
  xsl: string | null;
  doNotUnsubscribe: boolean;
  notSendMyChanges: boolean;
  ordering: 'NONE' | 'OBJECT';
  state: State;
  stateDate: string;
  stateReason: string | null;
  failingSince: string | null;
  consecutiveFailures: number;
  shapingFailures: number;
  shapingError: string | null;
  replaces: number | null;
}

export type NamedSubscription = Pick<Subscription, 'key' | 'name'>;

export function nameOf({ key, name }: NamedSubscription): string {
  return name || `Subscription ${key}`;
}

/** The state, or that an active one fails. */
export function statusOf({ state, failingSince }: Pick<Subscription, 'state' | 'failingSince'>): string {
  return state === 'ACTIVE' && failingSince ? 'FAILING' : state;
}

export const channelWords: Readonly<Record<ChannelType, string>> = {
  HTTP: 'HTTP',
  EMAIL: 'E-mail',
  STREAM: 'Stream',
  NATS: 'NATS',
};

export const channelTypes = Object.keys(channelWords) as ChannelType[];

/** Where its notifications go, in a few words. */
export function targetOf({ url, channelInfo }: Pick<Subscription, 'url' | 'channelInfo'>): string {
  return url ?? (channelInfo.channelType === 'STREAM' ? 'fetched by the receiver' : '');
}
