// What can be asked about subscriptions besides reading and writing them.

import type { ActionDeclaration } from '../object-type.ts';

/** Rules that hold a subscription back, and what was evaluated. */
const heldBackBy = [
  'ANOTHER_OPERATION',
  'ANOTHER_KEY',
  'ONLY_MAIN_OBJECT',
  'SAME_TRANSACTION',
  'OWN_CHANGE',
  'EXPRESSION_FALSE',
  'EXPRESSION_ERROR',
  'NOT_ACTIVE',
];

export const subscriptionActions: Record<string, ActionDeclaration> = {
  decisions: {
    summary: 'Why a WebhookSubscription was notified of recent changes, and why not',
    description:
      'Why it was notified of recent changes, and why not: those of objects of its type, and of anything in their hierarchy. Newest first.',
    ofType: {
      summary: 'Why the subscriptions of the caller were notified of recent changes, and why not',
      description:
        'The same of all subscriptions of the caller; an administrator is told of those of all users. Newest first.',
    },
    method: 'GET',
    on: 'both',
    answersList: true,
    takes: {
      event: { kind: 'key', description: 'Id of the one event that is meant.', example: 52011 },
      objectKey: {
        kind: 'key',
        description: 'Key of the changed object, or of one that has it in its hierarchy.',
        example: 1042,
      },
      limit: { kind: 'integer', minimum: 1, maximum: 1000, default: 100, description: 'How many decisions at most.' },
    },
    answers: {
      event: { kind: 'key', isRequired: true, description: 'Id of the event.', example: 52011 },
      eventTime: { kind: 'dateTime', isRequired: true, description: 'When the change was made.' },
      objectType: { kind: 'text', isRequired: true, description: 'Type of the changed object.', example: 'PortCall' },
      eventType: {
        kind: 'code',
        values: ['C', 'U', 'D'],
        isRequired: true,
        description: 'What was done to it.',
        example: 'U',
      },
      objectKey: { kind: 'key', isRequired: true, description: 'Key of the changed object.', example: 1042 },
      subscription: { kind: 'key', isRequired: true, description: 'Key of the subscription.', example: 1009 },
      subscribedObjectKey: {
        kind: 'key',
        isRequired: true,
        description: 'Key of the object that the subscription would be told about.',
        example: 1007,
      },
      isNotified: { kind: 'boolean', isRequired: true, example: true },
      reason: {
        kind: 'code',
        values: ['NOTIFIED', ...heldBackBy, 'BEFORE_SUBSCRIPTION', 'WAITING', 'NOT_RECORDED'],
        isRequired: true,
        description: 'What decided it.',
        example: 'NOTIFIED',
      },
      message: {
        kind: 'text',
        isRequired: true,
        description: 'The same in words; the error of an expression.',
        example: 'A notification was made.',
      },
      notification: { kind: 'key', description: 'Key of the WebhookNotification, if there is one.', example: 1077 },
      notificationId: { kind: 'text', description: 'The `id` of its message.', example: '52011-1077' },
    },
  },
  test: {
    summary: 'Try a WebhookSubscription out',
    description:
      'Tells what a subscription, saved or not, would send for a change, or why it would send nothing. Nothing is stored or sent.',
    on: 'type',
    changesNothing: true,
    takes: {
      subscription: {
        kind: 'json',
        isRequired: true,
        description:
          'A key; or a subscription as it would be created; or, with `key`, the changes to one as they would be sent in a PUT.',
        schema: {
          examples: [{ eventType: 'BunkerOrder.U', url: 'https://agent.example/webhooks' }],
          anyOf: [
            { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
            { $ref: '#/components/schemas/WebhookSubscriptionCreate' },
            { allOf: [{ $ref: '#/components/schemas/WebhookSubscriptionChange' }, { required: ['key'] }] },
          ],
        },
      },
      objectKey: {
        kind: 'key',
        description:
          'An object of the subscribed type, taken as it is: as if it had just been created or deleted, or updated without a difference. With `event`, the one of its objects that is meant.',
        example: 1007,
      },
      operation: {
        kind: 'code',
        values: ['C', 'U', 'D'],
        description: "What is done to the object; where it is left out, the subscription's own operation.",
      },
      event: {
        kind: 'key',
        description: 'Id of a recent event, instead of an object: that change, as if it was made now.',
      },
    },
    answers: {
      isNotified: { kind: 'boolean', isRequired: true, example: true },
      reason: {
        kind: 'code',
        values: ['NOTIFIED', ...heldBackBy, 'BODY_TOO_LARGE'],
        isRequired: true,
        description: 'What decided it.',
        example: 'NOTIFIED',
      },
      message: {
        kind: 'text',
        isRequired: true,
        description: 'The same in words; the error of an expression.',
        example: 'This would be sent.',
      },
      subscribedObjectKey: {
        kind: 'key',
        isRequired: true,
        description: 'Key of the object that the subscription would be told about.',
        example: 1007,
      },
      channelType: { kind: 'code', values: ['HTTP', 'EMAIL'], isRequired: true },
      url: {
        kind: 'text',
        isRequired: true,
        description: 'Where it would be sent.',
        example: 'https://agent.example/webhooks',
      },
      contentType: { kind: 'text', description: 'Of the body.', example: 'application/json' },
      body: {
        kind: 'text',
        description: 'What would be sent; null where nothing would.',
        example: '{"id":"0-0", … }',
      },
    },
  },
};
