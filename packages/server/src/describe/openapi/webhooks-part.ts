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

/** Empty if no type makes events. */
export function webhooksPart(context: DescriptionContext, shared: SharedNames): Record<string, unknown> {
  const types = heardTypes(context);
  if (types.length === 0) return {};
  const resources = types.map((type) => schemaRef(namesOf(context, type).whole));
  return {
    notification: {
      post: {
        operationId: 'receiveNotification',
        summary: 'An object has changed',
        description: sendingText(context),
        security: [],
        parameters: notificationHeaders,
        requestBody: {
          required: true,
          description: 'The envelope or, with `rawObject`, the object alone.',
          content: { 'application/json': { schema: { anyOf: [schemaRef(shared.notification), ...resources] } } },
        },
        responses: {
          '2XX': { description: 'It has arrived, whatever the answer says.' },
          '429': laterResponse,
          '503': laterResponse,
          default: { description: 'Anything else, a redirect too, is a failure: it is tried again.' },
        },
      },
    },
    ping: {
      post: {
        operationId: 'receivePing',
        summary: 'A test message',
        description:
          'Sent when somebody asks for it with `ping`, as notifications are, signed and with the same ' +
          'credentials. No object has changed. It is sent once, and what is answered is told to whoever asked.',
        security: [],
        parameters: pingHeaders,
        requestBody: { required: true, content: jsonContent(schemaRef(shared.ping)) },
        responses: {
          '2XX': { description: 'It has arrived, whatever the answer says.' },
          default: { description: 'Anything else is reported as a failure, and has no consequences.' },
        },
      },
    },
  };
}

const laterResponse = {
  description:
    'A failure like others. `Retry-After` lengthens the wait until the next attempt, to at most ten times the ' +
    'usual one.',
  headers: { 'Retry-After': { description: 'Seconds, or a date.', schema: { type: 'string' } } },
};

function sendingText({ limits }: DescriptionContext): string {
  return [
    'Sent to the `url` of a WebhookSubscription for each change that it matches, with its `webhookUsername` and ' +
      '`webhookPassword` as HTTP Basic credentials where they are set. It arrives at least once, every repeat with ' +
      'the same `id` and the same bytes, in no certain order.',
    triesText(limits),
  ].join(' ');
}

/** What a receiver has to do, and what happens if it fails. */
export function triesText({ deliveryAttempts, deliveryIntervalMs, deliveryTimeoutMs }: DescribedLimits): string {
  const [apart, within] = [deliveryIntervalMs, deliveryTimeoutMs].map((ms) => `${ms / 1000} s`);
  return (
    `A status from 200 to 299 has to be answered within ${within}, over everything from the look-up of the name to ` +
    `the last header of the answer. What fails is tried ${deliveryAttempts} times in all, ${apart} apart. When the ` +
    `last attempt has failed, the subscription is deactivated, unless it has \`doNotUnsubscribe\`.`
  );
}

export function notificationSchemas(
  context: DescriptionContext,
  { notification, ping }: SharedNames,
  wireNames: WireNames = 'service',
): Record<string, Schema> {
  const types = heardTypes(context);
  const [first] = types;
  if (!first) return {};
  const resources = types.map((type) => schemaRef(namesOf(context, type).whole));
  return {
    [notification]: {
      ...objectSchema('What subscribers are sent: what was changed, and the object that the subscription is about.', {
        id: {
          ...notificationId,
          description: 'Of the event and of the notification: the same on every repeat, and the `webhook-id`.',
        },
        eventTime: { ...dateTime, description: 'When the change was made, in UTC.' },
        objectType: { type: 'string', enum: types.map(({ name }) => name), description: 'Type of the changed object.' },
        eventType: { type: 'string', enum: ['C', 'U', 'D'], description: 'What was done to it.' },
        [`${wireNames}Object`]: { ...keySchema, description: 'Key of the changed object.' },
        [`${wireNames}ObjectSelf`]: { ...url, description: 'URL of the changed object.' },
        subscription: subscriptionSchema,
        resource: {
          description:
            'The object that the subscription is about, whole or as `json` selects: the changed one, or one that ' +
            'has it in its hierarchy. Of a deleted one its last state; null where it is gone by now.',
          anyOf: [...resources, { type: 'null' }],
        },
      }),
      examples: [notificationExample(context, first, wireNames)],
    },
    [ping]: {
      ...objectSchema('A test message: what `ping` sends.', {
        id: { ...pingId, description: 'Of the message, and the `webhook-id`.' },
        eventTime: { ...dateTime, description: 'When it was asked for, in UTC.' },
        isTest: { type: 'boolean', const: true, description: 'No notification has it.' },
        message: { type: 'string', description: 'The same in words.' },
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

const subscriptionSchema = objectSchema('The subscription that it is sent for.', {
  key: { ...keySchema, description: 'Key of the subscription.' },
  self: { ...url, description: 'URL of the subscription.' },
  eventType: { type: 'string', description: 'What it matches.' },
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

export function heardTypes({ types }: DescriptionContext): ObjectType[] {
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
function sentHeaders(id: HeaderText, event: HeaderText): Parameter[] {
  const headers: Record<string, HeaderText> = {
    'webhook-id': id,
    'webhook-timestamp': ['When this attempt was made, in seconds since 1970.', { type: 'integer', minimum: 0 }],
    'webhook-signature': [
      "`v1,` and the HMAC-SHA-256, in Base64, of `<webhook-id>.<webhook-timestamp>.<body>` by the subscription's " +
        '`signingSecret`; several, separated by spaces, while a secret is being rotated.',
      { type: 'string', pattern: '^v1,[A-Za-z0-9+/=]+( v1,[A-Za-z0-9+/=]+)*$' },
    ],
    'User-Agent': ['`Flaghoist/<version>`', { type: 'string', pattern: '^Flaghoist/' }],
    'flaghoist-event': event,
  };
  return Object.entries(headers).map(([name, [description, schema]]) => {
    return { name, in: 'header', required: true, description, schema };
  });
}

type HeaderText = [description: string, schema: Schema];

export const notificationHeaders = sentHeaders(
  ['The `id` of the notification: if you have seen it before, this is a repeat.', notificationId],
  [
    '`<Resource>.<operation>.<key>` of the changed object.',
    { type: 'string', pattern: '^[A-Za-z0-9]+\\.[CUD]\\.\\d+$' },
  ],
);

const pingHeaders = sentHeaders(
  ['The `id` of the message.', pingId],
  ['That it is none.', { type: 'string', const: 'ping' }],
);
