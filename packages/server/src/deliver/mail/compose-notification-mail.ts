// The mail of one notification: what happened to which object, the object in readable rows, and the body attached.

import type { Mail } from '../../channels/mail/mail.ts';
import type { Receiver } from '../../channels/registry/channel.ts';
import { eventTimeOf } from '../../events/change-event.ts';
import { type JsonObject, type JsonValue, parseJson } from '../../json/parse-json.ts';
import { objectPage, restPath, subscriptionPage } from '../../paths.ts';
import { wildcard } from '../../subscriptions/event-type.ts';
import type { MessageHead } from '../queue/message-head.ts';
import { type MailBlock, renderMailPage } from './mail-page.ts';
import { enumerate, renderDateTime, shorten } from './mail-text.ts';
import { nameSubscription } from './name-subscription.ts';
import { readableObject, wordsOf } from './readable-object.ts';

export interface NotificationToMail extends MessageHead {
  /** Set by a script; null: derived from the change. */
  subject: string | null;
  body: string;
  /** The subscription. Its `url` is one mail address. */
  receiver: Pick<Receiver, 'key' | 'name' | 'url' | 'eventTypes'>;
  restUrl: string;
}

const operations = { C: 'created', U: 'updated', D: 'deleted' } as const;

export function composeNotificationMail(notification: NotificationToMail): Mail {
  const { id, eventType, objectType, objectKey, receiver, contentType, body, restUrl } = notification;
  const about = subscribedObject(notification);
  const change = `${objectType} ${objectKey} ${operations[eventType]}`;
  const title = about === undefined ? change : `${change} (${about})`;
  const event = renderEvent(notification, about);
  const page = renderMailPage({
    title,
    preview: event,
    tone: operations[eventType],
    badge: capitalised(operations[eventType]),
    blocks: [
      { kind: 'paragraph', text: event },
      ...(eventType === 'D' ? [] : [openButton(notification)]),
      ...renderBody(notification),
      { kind: 'remark', text: `The whole notification is attached (${id}).` },
    ],
    footer:
      `You get this mail because of webhook subscription ${nameSubscription(receiver)} ` +
      `(${enumerate(receiver.eventTypes)}): ${subscriptionPage(baseUrlOf(restUrl), receiver.key)}\n` +
      `To unsubscribe, send\nPUT ${restUrl}/WebhookSubscription/${receiver.key}\n{"unsubscribed": true}`,
  });
  const host = new URL(restUrl).hostname;
  return {
    id,
    to: receiver.url,
    subject: notification.subject ?? title,
    ...page,
    attachment: { fileName: `notification-${id}.${extensionOf(contentType)}`, contentType, content: body },
    headers: {
      'List-Id': `Webhook subscription ${receiver.key} <${receiver.key}.webhook-subscription.${host}>`,
      Precedence: 'bulk',
    },
  };
}

/** `BunkerOrder 793628`: the subscribed object, if it is not the changed one. */
function subscribedObject(notification: NotificationToMail): string | undefined {
  const { receiver, objectKey, subscribedObjectKey } = notification;
  // A key names one object in the whole installation.
  if (subscribedObjectKey === objectKey) return undefined;
  const named = new Set(receiver.eventTypes.map((eventType) => eventType.split('.')[0]!));
  const [first] = named;
  const type = named.size === 1 && first !== wildcard ? first : shownType(notification);
  return `${type} ${subscribedObjectKey}`;
}

/** The type in the URL of the object that the body shows. With several types, every body shows that URL. */
function shownType(notification: NotificationToMail): string {
  const self = shownObject(notification)?.get('self');
  return (typeof self === 'string' ? self.split('/').at(-2) : undefined) ?? 'object';
}

/** What happened, as one sentence. */
function renderEvent(notification: NotificationToMail, about: string | undefined): string {
  const { eventType, objectType, objectKey, occurredAt } = notification;
  const belongs = about === undefined ? '' : ` This concerns ${about}, which is shown below.`;
  return (
    `${capitalised(wordsOf(objectType))} ${objectKey} was ` +
    `${operations[eventType]} on ${renderDateTime(eventTimeOf(occurredAt))}.${belongs}`
  );
}

function capitalised(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function openButton({ restUrl, objectType, objectKey }: NotificationToMail): MailBlock {
  const url = objectPage(baseUrlOf(restUrl), objectType, objectKey);
  return { kind: 'button', url, text: `Open ${wordsOf(objectType)}` };
}

function baseUrlOf(restUrl: string): string {
  return restUrl.slice(0, -restPath.length);
}

const textMax = 2000;

function renderBody(notification: NotificationToMail): MailBlock[] {
  const object = shownObject(notification);
  if (!object) return [{ kind: 'content', text: shorten(notification.body, textMax) }];
  const { rows, omitted } = readableObject(object);
  const more: MailBlock[] = omitted === 0 ? [] : [{ kind: 'remark', text: `The attachment contains ${omitted} more.` }];
  return [{ kind: 'table', rows }, ...more];
}

/** Undefined if the body is not a JSON object. */
function shownObject({ id, contentType, body }: NotificationToMail): JsonObject | undefined {
  const value = isJson(contentType) ? attemptJson(body) : undefined;
  if (!(value instanceof Map)) return undefined;
  const resource = value.get('resource');
  // The id identifies an envelope: an operator's own type may have an attribute named `resource`.
  return value.get('id') === id && resource instanceof Map ? resource : value;
}

function isJson(contentType: string): boolean {
  return /^application\/([\w.-]+\+)?json\b/i.test(contentType);
}

function attemptJson(text: string): JsonValue | undefined {
  try {
    return parseJson(text, { depthMax: 1000 });
  } catch {
    return undefined;
  }
}

function extensionOf(contentType: string): string {
  if (isJson(contentType)) return 'json';
  const kind = /^(?:text|application)\/(?:[\w.-]+\+)?(\w+)/i.exec(contentType)?.[1]?.toLowerCase() ?? '';
  return extensions.get(kind) ?? 'dat';
}

const extensions = new Map([
  ['xml', 'xml'],
  ['html', 'html'],
  ['csv', 'csv'],
  ['plain', 'txt'],
]);
