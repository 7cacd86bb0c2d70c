// Renders a notification as the message that a channel sends.

import type { Message } from '../../channels/registry/channel.ts';
import { composeNotificationMail } from '../mail/compose-notification-mail.ts';
import { parseHead } from '../queue/message-head.ts';
import type { ReadyNotification } from '../queue/ready-notification.ts';

export function notificationMessage(
  { head: line, subject, body, replay }: ReadyNotification,
  restUrl: string,
): Message {
  const head = parseHead(line);
  const { id, objectType, objectKey, eventType, contentType } = head;
  return {
    id,
    event: `${objectType}.${eventType}.${objectKey}`,
    contentType,
    replay,
    body,
    composeMail: (receiver) => composeNotificationMail({ ...head, subject, body: body.toString(), receiver, restUrl }),
  };
}
