// Renders the message of a ping. The message is marked as a test, so that no receiver takes it for a change.

import type { Mail } from '../../channels/mail/mail.ts';
import type { Message, Receiver } from '../../channels/registry/channel.ts';
import { renderDateTime } from '../../clock.ts';
import { renderMailPage } from '../mail/mail-page.ts';

const words = 'This is a test of your webhook subscription. No object has changed.';

export function testMessage({ key, eventType }: Receiver, restUrl: string, now: Date): Message {
  const id = `ping-${key}-${now.getTime()}`;
  const self = `${restUrl}/WebhookSubscription/${key}`;
  const body = JSON.stringify({
    id,
    eventTime: renderDateTime(now),
    isTest: true,
    message: words,
    subscription: { key, self, eventType },
  });
  return {
    id,
    event: 'ping',
    contentType: 'application/json',
    body: Buffer.from(body),
    composeMail: (receiver) => composeTestMail({ id, self, body }, receiver),
  };
}

function composeTestMail(
  { id, self, body }: { id: string; self: string; body: string },
  { key, eventType, url }: Receiver,
): Mail {
  const title = `Test of webhook subscription ${key}`;
  return {
    id,
    to: url,
    subject: title,
    ...renderMailPage({
      title,
      preview: words,
      tone: 'updated',
      badge: 'Test',
      blocks: [{ kind: 'paragraph', text: `${words} Notifications of ${eventType} will arrive here.` }],
      footer: `This mail was requested with POST ${self}/ping`,
    }),
    attachment: { fileName: `${id}.json`, contentType: 'application/json', content: body },
    headers: {},
  };
}
