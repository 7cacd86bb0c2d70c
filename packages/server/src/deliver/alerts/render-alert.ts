// Renders alerts as the JSON that the alert URL gets. Slack, Teams and Mattermost show `text`; programs read the rest.
// Several alerts about one subscription become one summary.

import { printable } from '@flaghoist/source-text';
import { type ChannelType, channelTypes, isChannelType } from '../../channel-types.ts';
import { channelRegistry } from '../../channels/registry/channel-registry.ts';
import { consolePath, subscriptionPage } from '../../paths.ts';
import { enumerate, shorten } from '../mail/mail-text.ts';
import { nameSubscription } from '../mail/name-subscription.ts';
import { type AlertFacts, type AlertKind, sentenceOf } from './alert.ts';

export interface StoredAlert {
  id: string;
  kind: AlertKind;
  facts: AlertFacts[AlertKind];
  /** When it happened, like `2026-09-14T08:15:22Z`. */
  date: string;
}

export interface AlertedSubscription {
  key: number;
  name: string | null;
  eventTypes: readonly string[];
  channelType: string;
  url: string | null;
  userCode: string | null;
}

export interface DeletedSubscription {
  key: number;
  isDeleted: true;
}

export interface AlertsToSend {
  /** Null: they are about the service as a whole. */
  subscription: AlertedSubscription | DeletedSubscription | null;
  /** At least one, oldest first. */
  alerts: readonly StoredAlert[];
  /** Whether there was an alert about the same subscription within the last hour. */
  isMore: boolean;
}

export interface AlertMessage {
  /** Stays the same when the alert is sent again. */
  id: string;
  kind: AlertKind | 'SUMMARY';
  text: string;
  date: string;
  subscription: object | null;
  link: string;
  /** Only in a summary. */
  alerts?: object[];
}

/** A summary has the newest of its alerts. */
const listedMax = 10;

export function renderAlerts({ subscription, alerts, isMore }: AlertsToSend, baseUrl: string): AlertMessage {
  const about = subscription ? describe(subscription) : `Flaghoist at ${new URL(baseUrl).host}`;
  const link = subscription ? subscriptionPage(baseUrl, subscription.key) : `${baseUrl}${consolePath}`;
  const common = { subscription: subscription && renderSubscription(subscription), link };
  const newest = alerts.at(-1)!;
  const id = `alert-${newest.id}`;
  if (alerts.length === 1) {
    const { kind, facts, date } = newest;
    return { id, kind, text: `${forChat(sentenceOf(kind, about, facts))}\n${link}`, date, ...common };
  }
  const listed = alerts.slice(-listedMax).map(({ kind, facts, date }) => ({
    kind,
    date,
    text: forChat(sentenceOf(kind, about, facts)),
  }));
  const title = forChat(`${alerts.length} ${isMore ? 'more ' : ''}alerts about ${about}`);
  const lines = listed.map(({ date, text }) => `- ${date.slice(11, 16)} UTC: ${text}`);
  const newestOnly = alerts.length > listedMax ? `, the last ${listedMax}` : '';
  const text = `${title}${newestOnly}:\n${lines.join('\n')}\n${link}`;
  return { id, kind: 'SUMMARY', text, date: newest.date, ...common, alerts: listed };
}

/** `subscription 1009 "ERP sync" (BunkerOrder.U to agent.example, user KN)`. */
function describe(subscription: AlertedSubscription | DeletedSubscription): string {
  if ('isDeleted' in subscription) return `subscription ${subscription.key} (deleted since)`;
  const { eventTypes, userCode } = subscription;
  const user = userCode === null ? '' : `, user ${printable(userCode)}`;
  const what = `${enumerate(eventTypes)} to ${shorten(printable(nameReceiver(subscription)), receiverMax)}`;
  return `subscription ${nameSubscription(subscription)} (${what}${user})`;
}

const receiverMax = 100;

function nameReceiver({ channelType, url }: Pick<AlertedSubscription, 'channelType' | 'url'>): string {
  if (!isChannelType(channelType)) return channelType;
  return url === null ? channelTypes[channelType].title : channelRegistry[channelType as ChannelType].nameReceiver(url);
}

function renderSubscription(subscription: AlertedSubscription | DeletedSubscription): object {
  if ('isDeleted' in subscription)
    return { key: subscription.key, name: null, eventTypes: [], receiver: null, user: null };
  const { key, name, eventTypes, userCode } = subscription;
  return { key, name, eventTypes, receiver: nameReceiver(subscription), user: userCode };
}

/**
 * Names and errors may be hostile. Slack reads `&`, `<` and `>` as markup (`<!channel>`, `<https://…|a link>`).
 * Mattermost mentions people at an `@`, whatever is before it, and reads Markdown, also links and images; a zero-width
 * space stops both.
 */
function forChat(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('@', '@\u200b')
    .replaceAll('](', ']\u200b(');
}
