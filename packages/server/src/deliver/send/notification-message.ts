// Renders a notification as the message that a channel sends.

import type { Mail } from '../../channels/mail/mail.ts';
import type { Message, Receiver } from '../../channels/registry/channel.ts';
import { composeNotificationMail } from '../mail/compose-notification-mail.ts';
import { type MessageHead, parseHead } from '../queue/message-head.ts';
import type { ReadyNotification } from '../queue/ready-notification.ts';

export class NotificationMessage implements Message {
  readonly #head: MessageHead;
  readonly #subject: string | null;
  readonly #restUrl: string;
  readonly id: string;
  readonly event: string;
  readonly contentType: string;
  readonly body: Buffer;

  constructor(notification: ReadyNotification, restUrl: string) {
    this.#head = parseHead(notification.head);
    const { id, objectType, objectKey, eventType, contentType } = this.#head;
    this.#subject = notification.subject;
    this.#restUrl = restUrl;
    this.id = id;
    this.event = `${objectType}.${eventType}.${objectKey}`;
    this.contentType = contentType;
    this.body = notification.body;
  }

  composeMail({ url: to, key: subscriptionKey, eventType: subscriptionEventType }: Receiver): Mail {
    return composeNotificationMail({
      ...this.#head,
      subject: this.#subject,
      body: this.body.toString(),
      to,
      subscriptionKey,
      subscriptionEventType,
      restUrl: this.#restUrl,
    });
  }
}
