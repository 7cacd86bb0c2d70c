// The mail to the owner of a deactivated subscription: what has stopped, why, what is waiting, and how to continue.

import { type ChannelType, defaultChannelType } from '../../channel-types.ts';
import type { Mail } from '../../channels/mail/mail.ts';
import { channelRegistry } from '../../channels/registry/channel-registry.ts';
import { restPath } from '../../paths.ts';
import { onlyPlain } from '../../subscriptions/event-types.ts';
import { type MailBlock, type MailRow, renderMailPage } from './mail-page.ts';
import { enumerate, renderDay, renderTime, shorten } from './mail-text.ts';
import { type NamedSubscription, nameSubscription } from './name-subscription.ts';

export interface Deactivation {
  subscription: DeactivatedSubscription;
  user: { name: string; email: string };
  failingSince: Date;
  lastAttemptAt: Date;
  attempts: number;
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
  url: string;
  channelType: ChannelType;
  /** The other attributes that the subscription was created with, by name. */
  shape?: Readonly<Record<string, unknown>>;
}

export function composeAlertMail(deactivation: Deactivation): Mail {
  const { subscription, user, lastAnswer, baseUrl } = deactivation;
  const { key, eventTypes, channelType, url } = subscription;
  const receiver = channelRegistry[channelType].nameReceiver(url);
  const title = `Deliveries of ${enumerate(eventTypes)} to ${receiver} have stopped`;
  const opening = renderOpening(deactivation);
  const attemptsUrl = `${baseUrl}${restPath}/WebhookNotification?filter=subscription.key(EQ)${key}`;
  const docsUrl = `${baseUrl}/docs#deliveries-fail`;
  const page = renderMailPage({
    title,
    preview: opening,
    tone: 'stopped',
    badge: 'Deactivated',
    blocks: [
      { kind: 'paragraph', text: greeting(user.name) },
      { kind: 'paragraph', text: opening },
      { kind: 'table', rows: renderFacts(deactivation) },
      ...(lastAnswer === null ? [] : renderResponse(lastAnswer)),
      { kind: 'paragraph', text: renderCollecting(deactivation) },
      { kind: 'paragraph', text: 'First fix the receiver. Then you have two options:' },
      ...remediesFor(deactivation),
      { kind: 'remark', text: `All attempts and responses: ${attemptsUrl}\nDocumentation: ${docsUrl}` },
    ],
    footer: `You get this mail because you own this subscription: ${baseUrl}${restPath}/WebhookSubscription/${key}`,
  });
  return {
    id: `alert-${key}`,
    to: user.email,
    subject: `Flaghoist: ${title.charAt(0).toLowerCase()}${title.slice(1)}`,
    ...page,
    attachment: undefined,
    headers: { 'List-Id': `Flaghoist alerts <alerts.${new URL(baseUrl).hostname}>` },
  };
}

function greeting(name: string): string {
  return name.trim() === '' ? 'Hello,' : `Hello ${shorten(name.trim(), nameMax)},`;
}

function renderOpening({ subscription, attempts }: Deactivation): string {
  const count = attempts === 1 ? '1 attempt' : `${attempts} attempts`;
  return (
    `A notification of webhook subscription ${nameSubscription(subscription)} could not be delivered in ${count}. ` +
    'The subscription is now deactivated, and nothing more is sent to this receiver.'
  );
}

function renderFacts(deactivation: Deactivation): MailRow[] {
  const { subscription, failingSince, lastAttemptAt, lastError, waiting } = deactivation;
  return [
    { label: 'Subscription', value: `${nameSubscription(subscription)} (${enumerate(subscription.eventTypes)})` },
    { label: 'Receiver', value: subscription.url },
    { label: 'Failing since', value: renderTime(failingSince) },
    { label: 'Last attempt', value: renderTime(lastAttemptAt) },
    { label: 'Last error', value: shorten(lastError, errorMax) },
    { label: 'Not delivered', value: waiting === 1 ? '1 notification' : `${waiting} notifications` },
  ];
}

const nameMax = 100;
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
  const { key, url, channelType, shape } = subscription;
  const target = channelType === defaultChannelType ? { url } : { channelInfo: { channelType, URL: url } };
  const resource = `${baseUrl}${restPath}/WebhookSubscription`;
  return [
    { kind: 'heading', text: 'Continue with a new subscription' },
    {
      kind: 'paragraph',
      text:
        'A deactivated subscription cannot be reactivated. A new subscription that replaces it gets all undelivered ' +
        'notifications and all new ones, and keeps the signing secret. If the receiver requires a password, add ' +
        'webhookPassword.',
    },
    {
      kind: 'command',
      text: renderCommand(resource, { ...matching(subscription), ...target, ...shape, replaces: key }),
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
