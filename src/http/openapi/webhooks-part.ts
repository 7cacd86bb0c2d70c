// The `webhooks` of the API description: what the service itself sends to subscribers, and what it takes for an answer.

import type { ObjectType } from '../../model/object-type.ts';
import type { WireNames } from '../../payload/render-envelope.ts';
import type { SharedNames } from './component-names.ts';
import { type DescriptionContext, exampleKey, namesOf } from './description-context.ts';
import { wholeExample } from './example-objects.ts';
import { type Schema, schemaRef } from './json-schema.ts';
import type { Parameter } from './parameters.ts';
import { keySchema } from './scalar-schemas.ts';

/** Nothing where no type makes events. */
export function webhooksPart(context: DescriptionContext, { notification }: SharedNames): Record<string, unknown> {
  const types = heardTypes(context);
  if (types.length === 0) return {};
  const resources = types.map((type) => schemaRef(namesOf(context, type).whole));
  return {
    notification: {
      post: {
        operationId: 'receiveNotification',
        summary: 'An object has changed',
        description: sendingText,
        security: [],
        parameters: headerParameters,
        requestBody: {
          required: true,
          description: 'The envelope or, with `rawObject`, the object alone.',
          content: { 'application/json': { schema: { anyOf: [schemaRef(notification), ...resources] } } },
        },
        responses: {
          '2XX': { description: 'It has arrived, whatever the answer says.' },
          default: { description: 'Anything else, a redirect too, is a failure: it is tried again.' },
        },
      },
    },
  };
}

const sendingText =
  'Sent to the `url` of a WebhookSubscription for each change that it hears of, with its `webhookUsername` and `webhookPassword` as HTTP Basic credentials where they are set. It arrives at least once, every repeat with the same `id` and the same bytes, in no certain order.';

export function notificationSchemas(
  context: DescriptionContext,
  { notification }: SharedNames,
  wireNames: WireNames = 'service',
): Record<string, Schema> {
  const types = heardTypes(context);
  const [first] = types;
  if (!first) return {};
  const [object, self] = [`${wireNames}Object`, `${wireNames}ObjectSelf`];
  return {
    [notification]: {
      type: 'object',
      description: 'What subscribers are sent: what was changed, and the object that the subscription is about.',
      required: ['id', 'eventTime', 'objectType', 'eventType', object, self, 'subscription', 'resource'],
      properties: {
        id: {
          type: 'string',
          pattern: '^\\d+-\\d+$',
          description: 'Of the event and of the notification: the same on every repeat, and the `webhook-id`.',
        },
        eventTime: { type: 'string', pattern: dateTimePattern, description: 'When the change was made, in UTC.' },
        objectType: { type: 'string', enum: types.map(({ name }) => name), description: 'Type of the changed object.' },
        eventType: { type: 'string', enum: ['C', 'U', 'D'], description: 'What was done to it.' },
        [object]: { ...keySchema, description: 'Key of the changed object.' },
        [self]: { type: 'string', format: 'uri', description: 'URL of the changed object.' },
        subscription: subscriptionSchema,
        resource: {
          description:
            'The object that the subscription is about, whole or as `json` selects: the changed one, or one that has it in its hierarchy. Of a deleted one its last state; null where it is gone by now.',
          anyOf: [...types.map((type) => schemaRef(namesOf(context, type).whole)), { type: 'null' }],
        },
      },
      examples: [notificationExample(context, first, wireNames)],
    },
  };
}

/** As notifications have it, `yyyy-MM-ddTHH:mm:ss`. */
const dateTimePattern = '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d$';

const subscriptionSchema: Schema = {
  type: 'object',
  description: 'The subscription that it is sent for.',
  required: ['key', 'self', 'eventType'],
  properties: {
    key: { ...keySchema, description: 'Key of the subscription.' },
    self: { type: 'string', format: 'uri', description: 'URL of the subscription.' },
    eventType: { type: 'string', description: 'What it hears of.' },
  },
};

function heardTypes({ types }: DescriptionContext): ObjectType[] {
  return types.filter(({ makesEvents }) => makesEvents);
}

function notificationExample(context: DescriptionContext, type: ObjectType, wireNames: WireNames): unknown {
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

/** Standard Webhooks, and one of our own. */
const headerParameters: Parameter[] = [
  {
    name: 'webhook-id',
    in: 'header',
    required: true,
    description: 'The `id` of the notification: whoever has seen it before has a repeat.',
    schema: { type: 'string', pattern: '^\\d+-\\d+$' },
  },
  {
    name: 'webhook-timestamp',
    in: 'header',
    required: true,
    description: 'When this attempt was made, in seconds since 1970.',
    schema: { type: 'integer', minimum: 0 },
  },
  {
    name: 'webhook-signature',
    in: 'header',
    required: true,
    description:
      "`v1,` and the HMAC-SHA-256, in Base64, of `<webhook-id>.<webhook-timestamp>.<body>` by the subscription's `signingSecret`; several, separated by spaces, while a secret is being rotated.",
    schema: { type: 'string', pattern: '^v1,[A-Za-z0-9+/=]+( v1,[A-Za-z0-9+/=]+)*$' },
  },
  {
    name: 'flaghoist-event',
    in: 'header',
    required: true,
    description: '`<Resource>.<operation>.<key>` of the changed object.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9]+\\.[CUD]\\.\\d+$' },
  },
  {
    name: 'User-Agent',
    in: 'header',
    required: true,
    description: '`Flaghoist/<version>`',
    schema: { type: 'string', pattern: '^Flaghoist/' },
  },
];
