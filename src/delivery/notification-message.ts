// A notification as it is sent.

import { composeNotificationMail } from './compose-notification-mail.ts';
import type { ReadyNotification } from './ready-notification.ts';
import type { Message } from './send-message.ts';

export function notificationMessage(notification: ReadyNotification, restUrl: string): Message {
  const { id, objectType, objectKey, eventType, contentType, body } = notification;
  return {
    id,
    event: `${objectType}.${eventType}.${objectKey}`,
    contentType,
    body,
    composeMail: ({ url: to, key: subscriptionKey, eventType: subscriptionEventType }) =>
      composeNotificationMail({
        ...notification,
        body: body.toString(),
        to,
        subscriptionKey,
        subscriptionEventType,
        restUrl,
      }),
  };
}
