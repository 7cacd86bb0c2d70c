// The `webhooks` part of the API description: the messages that the service sends to subscribers, and the responses
// that it expects.

import type { Settings } from '../../../config/settings-table.ts';
import { type DescriptionContext, notifiedTypes } from '../description-context.ts';
import { jsonContent, keySchema, type Schema, schemaRef } from '../json-schema.ts';
import type { Parameter } from '../parameters.ts';
import { notificationId, pingId, sequenceSchema } from '../schemas/service-schemas.ts';

/** Empty if no type creates events. */
export function webhooks(context: DescriptionContext): Record<string, unknown> {
  const types = notifiedTypes(context);
  if (types.length === 0) return {};
  const { message, ping } = context.names.shared;
  return {
    notification: {
      post: {
        operationId: 'receiveNotification',
        summary: 'An object has changed',
        description: `${notificationText} ${deliveryText(context.settings)}`,
        security: [],
        parameters: notificationHeaders,
        requestBody: {
          required: true,
          description: 'The envelope or, with `rawObject`, the object alone.',
          content: jsonContent(schemaRef(message)),
        },
        responses: {
          '2XX': delivered,
          '429': retryAfterResponse,
          '503': retryAfterResponse,
          default: { description: 'Any other response, including a redirect, is a failure. The delivery is retried.' },
        },
      },
    },
    ping: {
      post: {
        operationId: 'receivePing',
        summary: 'A test message',
        description:
          'Sent when a caller requests it with `ping`. It is signed and has the same credentials as ' +
          'notifications. No object has changed. It is sent once, and the caller gets the result.',
        security: [],
        parameters: pingHeaders,
        requestBody: { required: true, content: jsonContent(schemaRef(ping)) },
        responses: {
          '2XX': delivered,
          default: { description: 'Any other response is reported as a failure, without further effects.' },
        },
      },
    },
  };
}

const delivered = { description: 'The message was delivered. The response body is ignored.' };

const retryAfterResponse = {
  description:
    'A failure. `Retry-After` extends the wait before the next attempt, to at most ten times the usual wait.',
  headers: { 'Retry-After': { description: 'Seconds, or a date.', schema: { type: 'string' } } },
};

const notificationText =
  'Sent to the `url` of a WebhookSubscription for each change that the subscription matches. It has the `headers` ' +
  'of the subscription, and its authorization: HTTP Basic (`webhookUsername`, `webhookPassword`), an OAuth 2.0 ' +
  'Bearer token or a client certificate (`channelInfo.auth`). Each notification is delivered at least once. ' +
  'Repeats have the same `id` and the same bytes. The order is not ' +
  'guaranteed, unless the subscription has `ordering`.';

/** What a receiver has to do, and what happens if it fails. */
export function deliveryText({ deliveryAttempts, deliveryIntervalMs, deliveryTimeoutMs }: Settings): string {
  return (
    `The receiver must return a status from 200 to 299 within ${deliveryTimeoutMs / 1000} s. This time covers ` +
    'everything from the DNS lookup to the last response header. There are as many attempts as `retryPolicy` says, ' +
    `by default up to ${deliveryAttempts}, ${deliveryIntervalMs / 1000} s apart. If the last attempt fails, the ` +
    'subscription is deactivated, unless it has `doNotUnsubscribe`.'
  );
}

/** The headers of Standard Webhooks, and our own. */
function describeHeaders(id: HeaderText, own: Record<string, HeaderText>): Parameter[] {
  const texts: Record<string, HeaderText> = {
    'webhook-id': id,
    'webhook-timestamp': ['The time of this attempt, in seconds since 1970.', { type: 'integer', minimum: 0 }],
    'webhook-signature': [
      '`v1,` and the HMAC-SHA-256, in Base64, of `<webhook-id>.<webhook-timestamp>.<body>`. The key is the ' +
        '`signingSecret` of the subscription. While a secret is being rotated, there are several signatures, ' +
        'separated by spaces.',
      { type: 'string', pattern: '^v1,[A-Za-z0-9+/=]+( v1,[A-Za-z0-9+/=]+)*$' },
    ],
    'User-Agent': ['`Flaghoist/<version>`', { type: 'string', pattern: '^Flaghoist/' }],
    ...own,
    'flaghoist-subscription': ['The key of the subscription.', keySchema],
  };
  return Object.entries(texts).map(([name, [description, schema]]) => {
    return { name, in: 'header', required: !optionalHeaders.has(name), description, schema };
  });
}

const optionalHeaders = new Set(['flaghoist-replay']);

type HeaderText = [description: string, schema: Schema];

export const notificationHeaders = describeHeaders(
  ['The `id` of the notification. If you have already seen it, the message is a repeat.', notificationId],
  {
    'flaghoist-event': [
      '`<Resource>.<operation>.<key>` of the changed object.',
      { type: 'string', pattern: '^[A-Za-z0-9]+\\.[CUD]\\.\\d+$' },
    ],
    'flaghoist-sequence': [
      'The number of the event. Of two changes to the same object, the later one has the higher number.',
      sequenceSchema,
    ],
    'flaghoist-attempt': [
      'The number of this attempt, since the notification was created or last resent: 1, 2, …',
      { type: 'integer', minimum: 1 },
    ],
    'flaghoist-replay': ['Only on a replay: the key of the ResendJob.', keySchema],
  },
);

const pingHeaders = describeHeaders(['The `id` of the message.', pingId], {
  'flaghoist-event': ['`ping`, because no object has changed.', { type: 'string', enum: ['ping'] }],
  'flaghoist-sequence': ['0, because no object has changed.', { ...sequenceSchema, maximum: 0 }],
  'flaghoist-attempt': ['1: a test message is sent once.', { type: 'integer', minimum: 1, maximum: 1 }],
});
