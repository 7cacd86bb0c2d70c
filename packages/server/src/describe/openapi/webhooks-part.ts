// The `webhooks` part of the API description: the messages that the service sends to subscribers, and the responses
// that it expects.

import type { ObjectType } from '../../model/object-type.ts';
import type { WireNames } from '../../render/render-envelope.ts';
import type { SharedNames } from './component-names.ts';
import { type DescribedLimits, type DescriptionContext, exampleKey, namesOf } from './description-context.ts';
import { wholeExample } from './example-objects.ts';
import { jsonContent, objectSchema, type Schema, schemaRef } from './json-schema.ts';
import type { Parameter } from './parameters.ts';
import { dateTimePattern, keySchema } from './scalar-kinds.ts';

/** Empty if no type creates events. */
export function webhooksPart(context: DescriptionContext, shared: SharedNames): Record<string, unknown> {
  const types = notifiedTypes(context);
  if (types.length === 0) return {};
  const resources = types.map((type) => schemaRef(namesOf(context, type).whole));
  return {
    notification: {
      post: {
        operationId: 'receiveNotification',
        summary: 'An object has changed',
        description: notificationText(context),
        security: [],
        parameters: notificationHeaders,
        requestBody: {
          required: true,
          description: 'The envelope or, with `rawObject`, the object alone.',
          content: { 'application/json': { schema: { anyOf: [schemaRef(shared.notification), ...resources] } } },
        },
        responses: {
          '2XX': { description: 'The message was delivered. The response body is ignored.' },
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
        requestBody: { required: true, content: jsonContent(schemaRef(shared.ping)) },
        responses: {
          '2XX': { description: 'The message was delivered. The response body is ignored.' },
          default: { description: 'Any other response is reported as a failure, without further effects.' },
        },
      },
    },
  };
}

const retryAfterResponse = {
  description:
    'A failure. `Retry-After` extends the wait before the next attempt, to at most ten times the usual wait.',
  headers: { 'Retry-After': { description: 'Seconds, or a date.', schema: { type: 'string' } } },
};

function notificationText({ limits }: DescriptionContext): string {
  return [
    'Sent to the `url` of a WebhookSubscription for each change that the subscription matches. If ' +
      '`webhookUsername` and `webhookPassword` are set, they are sent as HTTP Basic credentials. Each notification ' +
      'is delivered at least once. Repeats have the same `id` and the same bytes. The order is not guaranteed.',
    deliveryText(limits),
  ].join(' ');
}

/** What a receiver has to do, and what happens if it fails. */
export function deliveryText({ deliveryAttempts, deliveryIntervalMs, deliveryTimeoutMs }: DescribedLimits): string {
  const [interval, timeout] = [deliveryIntervalMs, deliveryTimeoutMs].map((ms) => `${ms / 1000} s`);
  return (
    `The receiver must return a status from 200 to 299 within ${timeout}. This time covers everything from the DNS ` +
    `lookup to the last response header. Each notification is attempted up to ${deliveryAttempts} times, ` +
    `${interval} apart. If the last attempt fails, the subscription is deactivated, unless it has \`doNotUnsubscribe\`.`
  );
}

export function notificationSchemas(
  context: DescriptionContext,
  { notification, ping }: SharedNames,
  wireNames: WireNames = 'service',
): Record<string, Schema> {
  const types = notifiedTypes(context);
  const [first] = types;
  if (!first) return {};
  const resources = types.map((type) => schemaRef(namesOf(context, type).whole));
  return {
    [notification]: {
      ...objectSchema('A notification: what changed, and the object that the subscription is for.', {
        id: {
          ...notificationId,
          description:
            'The id of the event and of the notification. It is the same in every repeat, and equals the `webhook-id`.',
        },
        eventTime: { ...dateTime, description: 'The time of the change, in UTC.' },
        objectType: { type: 'string', enum: types.map(({ name }) => name), description: 'Type of the changed object.' },
        eventType: {
          type: 'string',
          enum: ['C', 'U', 'D'],
          description: 'The operation: created, updated or deleted.',
        },
        [`${wireNames}Object`]: { ...keySchema, description: 'Key of the changed object.' },
        [`${wireNames}ObjectSelf`]: { ...url, description: 'URL of the changed object.' },
        subscription: subscriptionSchema,
        resource: {
          description:
            'The object that the subscription is for, whole or as `json` selects. It is the changed object, or one ' +
            'that has the changed object in its hierarchy. For a deleted object, its last state. Null if the ' +
            'object no longer exists.',
          anyOf: [...resources, { type: 'null' }],
        },
      }),
      examples: [notificationExample(context, first, wireNames)],
    },
    [ping]: {
      ...objectSchema('A test message: what `ping` sends.', {
        id: { ...pingId, description: 'The id of the message; equals the `webhook-id`.' },
        eventTime: { ...dateTime, description: 'The time of the request, in UTC.' },
        isTest: { type: 'boolean', const: true, description: 'Notifications do not have this member.' },
        message: { type: 'string', description: 'An explanation for people.' },
        subscription: subscriptionSchema,
      }),
      examples: [pingExample(context)],
    },
  };
}

const notificationId: Schema = { type: 'string', pattern: '^\\d+-\\d+$' };
const pingId: Schema = { type: 'string', pattern: '^ping-\\d+-\\d+$' };
const dateTime: Schema = { type: 'string', pattern: dateTimePattern };
const url: Schema = { type: 'string', format: 'uri' };

const subscriptionSchema = objectSchema('The subscription that the message is sent for.', {
  key: { ...keySchema, description: 'Key of the subscription.' },
  self: { ...url, description: 'URL of the subscription.' },
  eventType: { type: 'string', description: 'What the subscription matches.' },
});

export function pingExample({ restUrl }: DescriptionContext): unknown {
  return {
    id: 'ping-1100-1763203202000',
    eventTime: '2026-11-15T08:30:00',
    isTest: true,
    message: 'This is a test of your webhook subscription. No object has changed.',
    subscription: { key: 1100, self: `${restUrl}/WebhookSubscription/1100`, eventType: 'Voyage.U' },
  };
}

export function notifiedTypes({ types }: DescriptionContext): ObjectType[] {
  return types.filter(({ makesEvents }) => makesEvents);
}

export function notificationExample(context: DescriptionContext, type: ObjectType, wireNames: WireNames): unknown {
  const { restUrl } = context;
  const [key, subscription] = [exampleKey(context, type), 1100];
  return {
    id: '52011-1077',
    eventTime: '2026-11-15T08:30:00',
    objectType: type.name,
    eventType: 'U',
    [`${wireNames}Object`]: key,
    [`${wireNames}ObjectSelf`]: `${restUrl}/${type.name}/${key}`,
    subscription: {
      key: subscription,
      self: `${restUrl}/WebhookSubscription/${subscription}`,
      eventType: wireNames === 'dataloy' ? 'U' : `${type.name}.U`,
    },
    resource: wholeExample(context, type),
  };
}

/** The headers of Standard Webhooks, and one of our own. */
function describeHeaders(id: HeaderText, event: HeaderText): Parameter[] {
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
    'flaghoist-event': event,
  };
  return Object.entries(texts).map(([name, [description, schema]]) => {
    return { name, in: 'header', required: true, description, schema };
  });
}

type HeaderText = [description: string, schema: Schema];

export const notificationHeaders = describeHeaders(
  ['The `id` of the notification. If you have already seen it, the message is a repeat.', notificationId],
  [
    '`<Resource>.<operation>.<key>` of the changed object.',
    { type: 'string', pattern: '^[A-Za-z0-9]+\\.[CUD]\\.\\d+$' },
  ],
);

const pingHeaders = describeHeaders(
  ['The `id` of the message.', pingId],
  ['`ping`, because no object has changed.', { type: 'string', const: 'ping' }],
);
