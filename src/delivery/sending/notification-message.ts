// A notification as it is sent.

import type { Mail } from '../../channels/mail.ts';
import type { ReadyNotification } from '../lanes/ready-notification.ts';
import { composeNotificationMail } from '../mail/compose-notification-mail.ts';
import type { Target } from '../targets/target.ts';
import type { Message } from './send-message.ts';

export class NotificationMessage implements Message {
  readonly #notification: ReadyNotification;
  readonly #restUrl: string;
  readonly id: string;
  readonly event: string;
  readonly contentType: string;
  readonly body: Buffer;

  constructor(notification: ReadyNotification, restUrl: string) {
    const { id, objectType, objectKey, eventType, contentType, body } = notification;
    this.#notification = notification;
    this.#restUrl = restUrl;
    this.id = id;
    this.event = `${objectType}.${eventType}.${objectKey}`;
    this.contentType = contentType;
    this.body = body;
  }

  composeMail({ url: to, key: subscriptionKey, eventType: subscriptionEventType }: Target): Mail {
    return composeNotificationMail({
      ...this.#notification,
      body: this.body.toString(),
      to,
      subscriptionKey,
      subscriptionEventType,
      restUrl: this.#restUrl,
    });
  }
}
