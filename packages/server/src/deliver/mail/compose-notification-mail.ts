// The mail of one notification: what happened to which object, the object in readable rows, and the body attached.

import type { Mail } from '../../channels/mail/mail.ts';
import { type JsonObject, type JsonValue, parseJson } from '../../json/parse-json.ts';
import { button, code, html, link, type Markup, paragraph, remark, renderMailPage, table } from './mail-page.ts';
import { renderDateTime, renderTextTable, shorten } from './mail-text.ts';
import { type ReadableObject, readableObject, wordsOf } from './readable-object.ts';

export interface NotificationToMail {
  id: string;
  /** One address. */
  to: string;
  subscriptionKey: number;
  /** Dotted: `BunkerOrder.U`. */
  subscriptionEventType: string;
  /** What happened to the changed object, which `objectType` and `objectKey` name. */
  eventType: 'C' | 'U' | 'D';
  objectType: string;
  objectKey: number;
  /** Key of the object that the subscription is for. */
  subscribedObjectKey: number;
  /** `yyyy-MM-ddTHH:mm:ss`, UTC. */
  eventTime: string;
  contentType: string;
  /** Set by a script; null: derived from the change. */
  subject: string | null;
  body: string;
  restUrl: string;
}

const operations = { C: 'created', U: 'updated', D: 'deleted' } as const;

export function composeNotificationMail(notification: NotificationToMail): Mail {
  const { id, to, eventType, objectType, objectKey, subscriptionKey, contentType, body, restUrl } = notification;
  const content = readBody(notification);
  const about = subscribedObject(notification);
  const title = `${objectType} ${objectKey} ${operations[eventType]}`;
  const mailed = { notification, content, about, title };
  return {
    id,
    to,
    subject: notification.subject ?? (about === undefined ? title : `${title} (${about})`),
    text: renderText(mailed),
    html: renderHtml(mailed),
    attachment: { fileName: `notification-${id}.${extensionOf(contentType)}`, contentType, content: body },
    headers: {
      'List-Id':
        `Webhook subscription ${subscriptionKey} ` +
        `<${subscriptionKey}.webhook-subscription.${new URL(restUrl).hostname}>`,
      Precedence: 'bulk',
    },
  };
}

interface MailedNotification {
  notification: NotificationToMail;
  content: Content;
  /** `BunkerOrder 793628`: the subscribed object, if it is not the changed one. */
  about: string | undefined;
  title: string;
}

type Content = { kind: 'object'; object: JsonObject; readable: ReadableObject } | { kind: 'text'; text: string };

function readBody({ id, contentType, body }: NotificationToMail): Content {
  const value = isJson(contentType) ? attemptJson(body) : undefined;
  if (!(value instanceof Map)) return { kind: 'text', text: body };
  const resource = value.get('resource');
  // The id identifies an envelope: an operator's own type may have an attribute named `resource`.
  const object = value.get('id') === id && resource instanceof Map ? resource : value;
  return { kind: 'object', object, readable: readableObject(object) };
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

function subscribedObject(notification: NotificationToMail): string | undefined {
  const { subscriptionEventType, objectType, objectKey, subscribedObjectKey } = notification;
  const [subscribedType = ''] = subscriptionEventType.split('.');
  if (subscribedType === objectType && subscribedObjectKey === objectKey) return undefined;
  return `${subscribedType} ${subscribedObjectKey}`;
}

/** What happened, as one sentence. */
function renderEvent({ notification, about }: MailedNotification): string {
  const { eventType, objectType, objectKey, eventTime } = notification;
  const belongs = about === undefined ? '' : ` This concerns ${about}, which is shown below.`;
  return (
    `${capitalised(wordsOf(objectType))} ${objectKey} was ` +
    `${operations[eventType]} on ${renderDateTime(eventTime)}.${belongs}`
  );
}

function capitalised(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function renderText(mailed: MailedNotification): string {
  const { notification, content, title } = mailed;
  const { id, subscriptionKey, subscriptionEventType, eventType } = notification;
  const shown =
    content.kind === 'object'
      ? [renderTextTable(content.readable.rows), moreRows(content.readable)]
      : [shorten(content.text, textMax)];
  const parts = [
    mailed.about === undefined ? title : `${title} (${mailed.about})`,
    renderEvent(mailed),
    ...(eventType === 'D' ? [] : [objectUrl(notification)]),
    ...shown,
    `The whole notification is attached (${id}).`,
    `-- \nYou get this mail because of webhook subscription ${subscriptionKey} (${subscriptionEventType}). To ` +
      `unsubscribe, send\nPUT ${subscriptionUrl(notification)}\n{"unsubscribed": true}`,
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function moreRows({ omitted }: ReadableObject): string {
  return omitted === 0 ? '' : `The attachment contains ${omitted} more.`;
}

function renderHtml(mailed: MailedNotification): string {
  const { notification, title, about } = mailed;
  const { id, eventType, objectType, subscriptionKey, subscriptionEventType, contentType } = notification;
  const address = subscriptionUrl(notification);
  return renderMailPage({
    title: about === undefined ? title : `${title} · ${about}`,
    preview: renderEvent(mailed),
    tone: operations[eventType],
    badge: capitalised(operations[eventType]),
    content: html`${paragraph(renderEvent(mailed))}${shownContent(mailed.content)}${
      eventType === 'D' ? '' : button(objectUrl(notification), `Open ${wordsOf(objectType)}`)
    }${remark(html`The whole notification is attached as notification-${id}.${extensionOf(contentType)}.`)}`,
    footer: html`You get this mail because of webhook subscription ${link(address, String(subscriptionKey))}
      (${subscriptionEventType}). To unsubscribe, send <b>PUT</b> ${link(address, address)} with
      <b>{"unsubscribed": true}</b>.`,
  });
}

function shownContent(content: Content): Markup {
  if (content.kind === 'text') return code(shorten(content.text, textMax));
  const { rows, omitted } = content.readable;
  if (rows.length === 0) return html``;
  return html`${table(rows)}${omitted > 0 ? remark(moreRows(content.readable)) : ''}`;
}

const textMax = 2000;

function objectUrl({ restUrl, objectType, objectKey }: NotificationToMail): string {
  return `${restUrl}/${objectType}/${objectKey}`;
}

function subscriptionUrl({ restUrl, subscriptionKey }: NotificationToMail): string {
  return `${restUrl}/WebhookSubscription/${subscriptionKey}`;
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
