// The actions of subscriptions whose notifications are fetched (the channel STREAM).

import type { AttributeDeclaration } from '../attribute-declaration.ts';
import type { ActionDeclaration } from '../object-type.ts';
import { chosenKeys } from './resend-actions.ts';

const limit: AttributeDeclaration = { kind: 'integer', minimum: 1, maximum: 1000, default: 100 };

/** What is sent of a notification, over a stream and in the answer of a pull. */
const streamed: Record<string, AttributeDeclaration> = {
  notification: {
    kind: 'key',
    isRequired: true,
    description: 'Key of the WebhookNotification, by which it is acknowledged.',
    example: 1100,
  },
  headers: {
    kind: 'json',
    isRequired: true,
    description: 'The headers that HTTP would send, including the signature.',
    schema: { type: 'object', additionalProperties: { type: 'string' } },
  },
  body: {
    kind: 'text',
    isRequired: true,
    description: 'The body, exactly as it was signed.',
    example: '{"id":"52011-1100","resource":{"key":1042}}',
  },
};

export const streamActions: Record<string, ActionDeclaration> = {
  stream: {
    summary: 'Receive the notifications of a WebhookSubscription over one connection',
    description:
      'For the channel STREAM. Sends everything that is not acknowledged, then new notifications as they come, as ' +
      'server-sent events: `id` is the key of the notification, `event` is `notification`, `data` is one line of ' +
      'JSON. A comment every 15 seconds keeps the connection open. After a lost connection, `Last-Event-ID` goes on ' +
      'after that notification, without acknowledging it. What is not acknowledged within `acknowledgeSeconds` is ' +
      'sent again. Several connections share the notifications: each gets another part. A ' +
      'connection ends when its token expires.',
    method: 'GET',
    answersEvents: true,
    takes: {
      limit: {
        ...limit,
        description: 'How many notifications are sent before the first of them is acknowledged.',
      },
    },
    answers: streamed,
  },
  pull: {
    summary: 'Fetch the next notifications of a WebhookSubscription',
    description:
      'For the channel STREAM: the same as `stream`, one request at a time. An answer has at most 256 kB. ' +
      'What is not acknowledged within `acknowledgeSeconds` is returned again.',
    isRepeatable: true,
    answersList: true,
    takes: {
      limit: { ...limit, description: 'Maximum number of notifications.' },
      waitSeconds: {
        kind: 'integer',
        minimum: 0,
        maximum: 60,
        default: 0,
        description: 'How long to wait if there is none.',
        example: 20,
      },
    },
    answers: streamed,
  },
  acknowledge: {
    summary: 'Acknowledge notifications that were fetched from a WebhookSubscription',
    description:
      'For the channel STREAM: acknowledged notifications are DELIVERED and not sent again. Acknowledge a ' +
      'notification after it is processed and stored. It can be repeated.',
    isRepeatable: true,
    takes: {
      notifications: chosenKeys(
        'Keys of notifications that were sent. Those that are acknowledged already are ignored.',
      ),
      upTo: {
        kind: 'key',
        description:
          'Instead of `notifications`: this one, and all that were sent before it over the same connection or by ' +
          'the same pull; this one alone if it was sent more than once.',
        example: 1100,
      },
    },
    answers: {
      acknowledged: { kind: 'integer', isRequired: true, description: 'How many were acknowledged.', example: 1 },
    },
  },
};
