// The mail to the owner of a deactivated subscription: what has stopped, why, what is waiting, and how to continue.

import type { Mail } from '../../channels/mail/mail.ts';
import { channelRegistry } from '../../channels/registry/channel-registry.ts';
import { restPath, subscriptionPage } from '../../paths.ts';
import { placeholder } from '../../subscriptions/channel/placeholder.ts';
import type { RetrySchedule } from '../../subscriptions/channel/retry-policy.ts';
import { onlyPlain } from '../../subscriptions/event-types.ts';
import type { MailBlock, MailRow } from './mail-page.ts';
import { enumerate, renderCount, renderDay, renderDuration, renderTime, shorten } from './mail-text.ts';
import { nameSchedule } from './name-schedule.ts';
import { type NamedSubscription, nameSubscription } from './name-subscription.ts';
import { composeOwnerMail } from './owner-mail.ts';
import { repeatChannel, type StoredChannel, withoutUnused } from './repeat-channel.ts';

export interface Deactivation {
  subscription: DeactivatedSubscription;
  user: { name: string; email: string };
  failingSince: Date;
  lastAttemptAt: Date;
  /** Of the notification that could not be delivered, like `lastAttemptAt`. */
  firstAttemptAt: Date;
  attempts: number;
  schedule: RetrySchedule;
  /** Whether the subscription has a retry policy, which the schedule then is. */
  hasOwnPolicy: boolean;
  lastError: string;
  /** The first bytes of the response; null if there was none. */
  lastAnswer: string | null;
  /** How many notifications were not delivered. */
  waiting: number;
  /** Until when the deactivated subscription collects notifications; null if it collects none. */
  collectsUntil: Date | null;
  baseUrl: string;
}

export interface DeactivatedSubscription extends NamedSubscription {
  /** Dotted: `BunkerOrder.U`. */
  eventTypes: readonly string[];
  channelInfo: StoredChannel;
  /** The other attributes that the subscription was created with, by name. Secrets are placeholders. */
  shape?: Readonly<Record<string, unknown>>;
}

export function composeAlertMail(deactivation: Deactivation): Mail {
  const { subscription, user, lastAnswer, baseUrl } = deactivation;
  const { key, eventTypes, channelInfo } = subscription;
  const receiver = channelRegistry[channelInfo.channelType].nameReceiver(channelInfo.URL ?? '');
  const attemptsUrl = subscriptionPage(baseUrl, key);
  const docsUrl = `${baseUrl}/docs#deliveries-fail`;
  return composeOwnerMail({
    id: `alert-${key}`,
    subscriptionKey: key,
    owner: user,
    title: `Deliveries of ${enumerate(eventTypes)} to ${receiver} have stopped`,
    opening: renderOpening(deactivation),
    tone: 'stopped',
    badge: 'Deactivated',
    blocks: [
      { kind: 'table', rows: renderFacts(deactivation) },
      ...(lastAnswer === null ? [] : renderResponse(lastAnswer)),
      { kind: 'paragraph', text: renderCollecting(deactivation) },
      { kind: 'paragraph', text: 'First fix the receiver. Then you have two options:' },
      ...remediesFor(deactivation),
      { kind: 'remark', text: `All attempts and responses: ${attemptsUrl}\nDocumentation: ${docsUrl}` },
    ],
    baseUrl,
  });
}

function renderOpening({ subscription, attempts }: Deactivation): string {
  const inAll = renderCount(attempts, 'attempt');
  return (
    `A notification of webhook subscription ${nameSubscription(subscription)} could not be delivered in ${inAll}. ` +
    'The subscription is now deactivated, and nothing more is sent to this receiver.'
  );
}

function renderFacts(deactivation: Deactivation): MailRow[] {
  const { subscription, failingSince, lastAttemptAt, lastError, waiting } = deactivation;
  return [
    { label: 'Subscription', value: `${nameSubscription(subscription)} (${enumerate(subscription.eventTypes)})` },
    { label: 'Receiver', value: subscription.channelInfo.URL ?? '' },
    { label: 'Failing since', value: renderTime(failingSince) },
    { label: 'Last attempt', value: renderTime(lastAttemptAt) },
    { label: 'Attempts', value: renderAttempts(deactivation) },
    { label: 'Retry policy', value: renderPolicy(deactivation) },
    { label: 'Last error', value: shorten(lastError, errorMax) },
    { label: 'Not delivered', value: renderCount(waiting, 'notification') },
  ];
}

function renderAttempts({ attempts, firstAttemptAt, lastAttemptAt }: Deactivation): string {
  const spanMs = lastAttemptAt.getTime() - firstAttemptAt.getTime();
  return attempts === 1 ? '1' : `${attempts} in ${renderDuration(spanMs)}`;
}

function renderPolicy({ schedule, hasOwnPolicy }: Deactivation): string {
  return `${nameSchedule(schedule)} (${hasOwnPolicy ? 'of this subscription' : 'the default'})`;
}

const errorMax = 500;
const responseMax = 600;

function renderResponse(response: string): MailBlock[] {
  return [
    { kind: 'remark', text: 'The last response of the receiver:' },
    { kind: 'command', text: shorten(response, responseMax) },
  ];
}

function renderCollecting({ collectsUntil }: Deactivation): string {
  if (collectsUntil === null)
    return 'No notification is lost so far, but the subscription collects no further notifications.';
  return (
    `No notification is lost: the subscription continues to collect notifications until ` +
    `${renderDay(collectsUntil)}.`
  );
}

/** Both require that the receiver works again. */
function remediesFor({ subscription, baseUrl }: Deactivation): MailBlock[] {
  const { key, channelInfo, shape = {} } = subscription;
  const used = withoutUnused(shape, channelInfo);
  const resource = `${baseUrl}${restPath}/WebhookSubscription`;
  return [
    { kind: 'heading', text: 'Continue with a new subscription' },
    {
      kind: 'paragraph',
      text:
        'A deactivated subscription cannot be reactivated. A new subscription that replaces it gets all undelivered ' +
        'notifications and all new ones, and keeps the signing secret. This mail contains no other secret: put each ' +
        `in the place of its ${placeholder}.`,
    },
    {
      kind: 'command',
      text: renderCommand(resource, {
        ...matching(subscription),
        ...repeatChannel(channelInfo),
        ...used,
        replaces: key,
      }),
    },
    { kind: 'heading', text: 'Or resend only the undelivered notifications' },
    {
      kind: 'paragraph',
      text: 'This resends the failed notifications to the same receiver, once. The subscription stays deactivated.',
    },
    { kind: 'command', text: renderCommand(`${resource}/${key}/sendFailedNotifications`) },
  ];
}

/** The short form, if there is one. */
function matching({ eventTypes }: DeactivatedSubscription): object {
  const eventType = onlyPlain(eventTypes);
  return eventType === null ? { eventTypes } : { eventType };
}

function renderCommand(url: string, body?: unknown): string {
  const lines = ['curl -X POST', '-H "Authorization: Bearer $TOKEN"'];
  if (body !== undefined)
    lines.push("-H 'Content-Type: application/json'", `-d ${quoteForShell(JSON.stringify(body, null, 2))}`);
  return [...lines, quoteForShell(url)].join(' \\\n  ');
}

/** The command is meant to be pasted, and a URL may contain any shell metacharacter. */
function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
