// Renders a notification as the message that a channel sends.

import type { Message } from '../../channels/registry/channel.ts';
import { composeNotificationMail } from '../mail/compose-notification-mail.ts';
import { parseHead, sequenceOf } from '../queue/message-head.ts';
import type { ReadyNotification } from '../queue/ready-notification.ts';

export function notificationMessage(notification: ReadyNotification, restUrl: string): Message {
  const { head: line, subject, body, attempts, replay } = notification;
  const head = parseHead(line);
  const { id, objectType, objectKey, eventType, contentType } = head;
  return {
    id,
    event: `${objectType}.${eventType}.${objectKey}`,
    objectType,
    operation: eventType,
    objectKey,
    sequence: sequenceOf(head),
    attempt: attempts + 1,
    replay,
    contentType,
    body,
    composeMail: (receiver) => composeNotificationMail({ ...head, subject, body: body.toString(), receiver, restUrl }),
  };
}
