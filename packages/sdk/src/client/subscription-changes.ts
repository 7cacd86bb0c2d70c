// What to send so that a subscription becomes as wanted: everything that looks different. The service ignores what is
// the same in another form, and rejects a change of what is fixed.

import type { Catalogue } from '../catalogue.ts';
import type { Violation } from '../flaghoist-error.ts';
import type { SubscriptionWish } from './subscription-wish.ts';

type Shown = Catalogue['WebhookSubscription']['scalars'];

type Changes = Catalogue['WebhookSubscription']['change'];

/** What the attributes are that a wish leaves out. Those that are missing here are never left out, or stay. */
const defaults: Record<Resettable, null | false | 'NONE'> = {
  acknowledgeSeconds: null,
  doNotUnsubscribe: false,
  dlpAlertScript: null,
  expression: null,
  headers: null,
  includeChanges: false,
  json: null,
  notSendMyChanges: false,
  onlyMainObject: false,
  ordering: 'NONE',
  ratePerSecond: null,
  rawObject: false,
  retryPolicy: null,
  scriptParameterValues: null,
  useMsg: false,
  webhookUsername: null,
  xsl: null,
};

type Resettable = Exclude<
  keyof SubscriptionWish,
  'name' | EventTypes | 'user' | 'externalObjectKey' | Address | Secret
>;

type EventTypes = 'eventTypes' | 'eventType' | 'objectType' | 'operation' | 'objectKey';
type Address = 'url' | 'channelInfo';
type Secret = 'webhookPassword' | 'signingSecret';

/** Null is the same as left out: another form says it. */
const eventTypes: readonly string[] = [
  'eventTypes',
  'eventType',
  'objectType',
  'operation',
  'objectKey',
] satisfies EventTypes[];

const fixed: readonly string[] = [
  ...eventTypes,
  'externalObjectKey',
  'onlyMainObject',
  'rawObject',
  'includeChanges',
  'xsl',
  'notSendMyChanges',
  'ordering',
];

/** Whether a mistake is that something fixed would change: then only another subscription helps. */
export function isOfFixed({ path }: Violation): boolean {
  return fixed.includes(path.split(/[.[]/, 1)[0]!) || path === 'channelInfo.channelType';
}

export function changesTo(shown: Shown, wish: SubscriptionWish): Changes {
  const { user: _, url, channelInfo, signingSecret: __, ...sent } = wish;
  const isGiven = (name: string, value: unknown) =>
    value !== undefined && !(value === null && eventTypes.includes(name));
  const given = Object.fromEntries(Object.entries(sent).filter(([name, value]) => isGiven(name, value)));
  // An older API version does not show everything.
  const reset = Object.entries(defaults).filter(([name]) => name in shown && !(name in given));
  // Without a user, there is no password.
  const password = shown.webhookUsername && !('webhookUsername' in given) ? { webhookPassword: null } : {};
  const wanted = { ...Object.fromEntries(reset), ...password, ...given };
  const changes = Object.entries(wanted).filter(([name, value]) => !isSame(shown[name as keyof Shown], value));
  return { ...Object.fromEntries(changes), ...addressChange(shown, { url, channelInfo }) };
}

function addressChange(shown: Shown, { url, channelInfo }: Pick<SubscriptionWish, Address>): Changes {
  const { channelInfo: current } = shown;
  if (!current) return isSame(shown.url, url) ? {} : { url: url ?? null };
  const { auth = null, ...wanted } = { channelType: 'HTTP' as const, ...(url && { URL: url }), ...channelInfo };
  const isKept = Object.entries(wanted).every(([name, value]) => isSame(current[name as keyof typeof current], value));
  // A secret in `auth` is not shown, so it counts as different.
  if (isKept && isSame(current.auth ?? null, auth)) return {};
  return { channelInfo: { ...wanted, ...((auth || current.auth) && { auth }) } } as Changes;
}

/** As JSON. Undefined is what the service does not show: a secret, which may be another one. */
function isSame(shown: unknown, wanted: unknown): boolean {
  if (typeof shown !== 'object' || typeof wanted !== 'object' || !shown || !wanted) return shown === wanted;
  const names = Object.keys(wanted);
  return (
    Array.isArray(shown) === Array.isArray(wanted) &&
    names.length === Object.keys(shown).length &&
    names.every((name) => isSame((shown as Members)[name], (wanted as Members)[name]))
  );
}

type Members = Readonly<Record<string, unknown>>;
