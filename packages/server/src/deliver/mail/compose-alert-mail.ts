// The mail to the owner of a deactivated subscription: what has stopped, why, what is waiting, and how to continue.

import { type ChannelType, defaultChannelType } from '../../channel-types.ts';
import type { Mail } from '../../channels/mail/mail.ts';
import { channelRegistry } from '../../channels/registry/channel-registry.ts';
import { code, heading, html, link, paragraph, remark, renderMailPage, table } from './mail-page.ts';
import { renderDay, renderTextTable, renderTime, shorten } from './mail-text.ts';

export interface Deactivation {
  subscription: {
    key: number;
    /** Dotted: `BunkerOrder.U`. */
    eventType: string;
    url: string;
    channelType: ChannelType;
    self: string;
    /** The other attributes that the subscription was created with, by name. */
    shape?: Readonly<Record<string, unknown>>;
  };
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
  docsUrl: string;
}

export function composeAlertMail(deactivation: Deactivation): Mail {
  const { subscription, user, baseUrl } = deactivation;
  const { eventType, channelType, url } = subscription;
  const title = `Deliveries of ${eventType} to ${channelRegistry[channelType].nameReceiver(url)} have stopped`;
  return {
    id: `alert-${subscription.key}`,
    to: user.email,
    subject: `Flaghoist: ${title.charAt(0).toLowerCase()}${title.slice(1)}`,
    text: renderText(deactivation, title),
    html: renderHtml(deactivation, title),
    attachment: undefined,
    headers: { 'List-Id': `Flaghoist alerts <alerts.${new URL(baseUrl).hostname}>` },
  };
}

function renderOpening({ subscription, attempts }: Deactivation): string {
  const count = attempts === 1 ? '1 attempt' : `${attempts} attempts`;
  return (
    `A notification of webhook subscription ${subscription.key} could not be delivered in ${count}. The ` +
    'subscription is now deactivated, and nothing more is sent to this receiver.'
  );
}

function renderFacts(deactivation: Deactivation): { label: string; value: string }[] {
  const { subscription, failingSince, lastAttemptAt, lastError, waiting } = deactivation;
  return [
    { label: 'Subscription', value: `${subscription.key} (${subscription.eventType})` },
    { label: 'Receiver', value: subscription.url },
    { label: 'Failing since', value: renderTime(failingSince) },
    { label: 'Last attempt', value: renderTime(lastAttemptAt) },
    { label: 'Last error', value: shorten(lastError, errorMax) },
    { label: 'Not delivered', value: waiting === 1 ? '1 notification' : `${waiting} notifications` },
  ];
}

const nameMax = 100;
const errorMax = 500;
const answerMax = 600;

function renderCollecting({ collectsUntil }: Deactivation): string {
  if (collectsUntil === null)
    return 'No notification is lost so far, but the subscription collects no further notifications.';
  return (
    `No notification is lost: the subscription continues to collect notifications until ` +
    `${renderDay(collectsUntil)}.`
  );
}

interface Remedy {
  title: string;
  text: string;
  command: string;
}

/** Both require that the receiver works again. */
function remediesFor({ subscription, baseUrl }: Deactivation): Remedy[] {
  const { key, eventType, url, channelType, shape } = subscription;
  const target = channelType === defaultChannelType ? { url } : { channelInfo: { channelType, URL: url } };
  const resource = `${baseUrl}/ws/rest/WebhookSubscription`;
  return [
    {
      title: 'Continue with a new subscription',
      text:
        'A deactivated subscription cannot be reactivated. A new subscription that replaces it gets all undelivered ' +
        'notifications and all new ones. The response to this command contains its new signing secret. For one day, ' +
        'messages are also signed with the old secret. If the receiver requires a password, add webhookPassword.',
      command: renderCommand(resource, { eventType, ...target, ...shape, replaces: key }),
    },
    {
      title: 'Or resend only the undelivered notifications',
      text: 'This resends the failed notifications to the same receiver, once. The subscription stays deactivated.',
      command: renderCommand(`${resource}/${key}/sendFailedNotifications`),
    },
  ];
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

function renderText(deactivation: Deactivation, title: string): string {
  const { user, lastAnswer, docsUrl } = deactivation;
  const parts = [
    `${title}.`,
    `${greeting(user.name)}\n\n${renderOpening(deactivation)}`,
    renderTextTable(renderFacts(deactivation)),
    ...(lastAnswer === null ? [] : [`The last response of the receiver:\n\n${indent(shorten(lastAnswer, answerMax))}`]),
    renderCollecting(deactivation),
    'First fix the receiver. Then:',
    ...remediesFor(deactivation).map(
      ({ title, text, command }) => `${title.toUpperCase()}\n${text}\n\n${indent(command)}`,
    ),
    `All attempts and responses: ${notificationsUrl(deactivation)}\nDocumentation: ${docsUrl}`,
    `-- \nYou get this mail because you own this subscription: ${deactivation.subscription.self}`,
  ];
  return `${parts.join('\n\n')}\n`;
}

function greeting(name: string): string {
  return name.trim() === '' ? 'Hello,' : `Hello ${shorten(name.trim(), nameMax)},`;
}

function indent(text: string): string {
  return text.replace(/^/gm, '  ');
}

function renderHtml(deactivation: Deactivation, title: string): string {
  const { user, subscription, lastAnswer, docsUrl } = deactivation;
  const remedies = remediesFor(deactivation).map(
    ({ title, text, command }) => html`${heading(title)}${paragraph(text)}${code(command)}`,
  );
  const response =
    lastAnswer === null
      ? html``
      : html`${remark('The last response of the receiver:')}${code(shorten(lastAnswer, answerMax))}`;
  const attempts = notificationsUrl(deactivation);
  return renderMailPage({
    title,
    preview: renderOpening(deactivation),
    tone: 'stopped',
    badge: 'Deactivated',
    content: html`${[
      paragraph(greeting(user.name)),
      paragraph(renderOpening(deactivation)),
      table(renderFacts(deactivation)),
      response,
      paragraph(renderCollecting(deactivation)),
      paragraph(html`<b>First fix the receiver.</b> Then you have two options:`),
      remedies,
      remark(html`All attempts and responses are in ${link(attempts, 'the log of notifications')}.
        See also ${link(docsUrl, 'the documentation')}.`),
    ]}`,
    footer: html`You get this mail because you own this subscription: ${link(subscription.self, subscription.self)}`,
  });
}

function notificationsUrl({ subscription, baseUrl }: Deactivation): string {
  return `${baseUrl}/ws/rest/WebhookNotification?filter=subscription.key(EQ)${subscription.key}`;
}
