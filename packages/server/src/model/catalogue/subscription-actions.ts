// The actions of subscriptions, besides reading and writing them.

import { channelCodes } from '../../channel-types.ts';
import type { ActionDeclaration, AttributeDeclaration } from '../object-type.ts';
import { graceSeconds } from './access.ts';
import { resendActions } from './resend-actions.ts';

/** The rules and evaluations that can suppress a notification. */
const suppressedBy = [
  'ANOTHER_OPERATION',
  'ANOTHER_KEY',
  'ONLY_MAIN_OBJECT',
  'SAME_TRANSACTION',
  'OWN_CHANGE',
  'OBJECT_DELETED',
  'EXPRESSION_FALSE',
  'EXPRESSION_ERROR',
  'SCRIPT_FALSE',
  'SCRIPT_ERROR',
  'NOT_ACTIVE',
];

const logAnswer: AttributeDeclaration = {
  kind: 'json',
  description: 'The lines that the script wrote with console.log. Null if there is no script.',
  schema: { type: 'array', items: { type: 'string' } },
};

const isNotified: AttributeDeclaration = { kind: 'boolean', isRequired: true, example: true };

const subscribedObjectKey: AttributeDeclaration = {
  kind: 'key',
  isRequired: true,
  description: 'Key of the object that the subscription would be notified about.',
  example: 1007,
};

const channelType: AttributeDeclaration = { kind: 'code', values: channelCodes, isRequired: true };

export const subscriptionActions: Record<string, ActionDeclaration> = {
  rotateSecret: {
    summary: 'Give a WebhookSubscription a new signing secret',
    description: 'Gives the subscription a new signing secret. The current secret also signs for a grace period.',
    takes: {
      graceSeconds: graceSeconds('How long the current secret also signs, at most 30 days.'),
      signingSecret: {
        kind: 'text',
        format: 'signingSecret',
        description: 'The new secret. Omitted or null: the service creates one.',
      },
    },
    answers: {
      key: { kind: 'key', isRequired: true, description: 'Key of the subscription.', example: 1009 },
      previousSecretExpiresDate: {
        kind: 'dateTime',
        isRequired: true,
        description: 'Both secrets sign until this time.',
      },
      signingSecret: {
        kind: 'text',
        description:
          'The new secret. Shown only once: a repeated request with the same Idempotency-Key does not return it.',
        example: 'whsec_YW4gZXhhbXBsZSBvZiBhIHNpZ25pbmcgc2VjcmV0Li4=',
      },
    },
  },
  ping: {
    summary: 'Send a test message to a WebhookSubscription',
    description:
      'Sends a test message over the channel of the subscription and returns the response of the receiver. It is ' +
      'not a notification, and does not count as an attempt.',
    changesNothing: true,
    takes: {},
    answers: {
      isDelivered: { kind: 'boolean', isRequired: true, example: true },
      id: {
        kind: 'text',
        isRequired: true,
        description: 'The `id` of the message.',
        example: 'ping-1009-1763203202000',
      },
      channelType,
      url: {
        kind: 'text',
        isRequired: true,
        description: 'The address that it was sent to.',
        example: 'https://agent.example/webhooks',
      },
      durationMs: { kind: 'integer', isRequired: true, description: 'How long it took.', example: 41 },
      statusCode: {
        kind: 'integer',
        description: 'The status code of the response. Null if there was none.',
        example: 200,
      },
      answer: { kind: 'text', description: 'The first bytes of the body of the response.', example: 'ok' },
      errorMessage: { kind: 'text', description: 'Why it failed. Null if it succeeded.' },
    },
  },
  ...resendActions,
  decisions: {
    summary: 'Why a WebhookSubscription was notified of recent changes, and why not',
    description:
      'Why the subscription was, or was not, notified of recent changes to objects of its type and their ' +
      'hierarchies. Newest first.',
    ofType: {
      summary: 'Why the subscriptions of the caller were notified of recent changes, and why not',
      description: 'The same for all subscriptions of the caller, or of all users for an administrator. Newest first.',
    },
    method: 'GET',
    on: 'both',
    answersList: true,
    takes: {
      event: { kind: 'key', description: 'Only decisions about this event.', example: 52011 },
      objectKey: {
        kind: 'key',
        description: 'Key of the changed object, or of an object that has it in its hierarchy.',
        example: 1042,
      },
      limit: { kind: 'integer', minimum: 1, maximum: 1000, default: 100, description: 'Maximum number of decisions.' },
    },
    answers: {
      event: { kind: 'key', isRequired: true, description: 'Id of the event.', example: 52011 },
      eventTime: { kind: 'dateTime', isRequired: true, description: 'When the change was made.' },
      objectType: { kind: 'text', isRequired: true, description: 'Type of the changed object.', example: 'PortCall' },
      eventType: {
        kind: 'code',
        values: ['C', 'U', 'D'],
        isRequired: true,
        description: 'The operation.',
        example: 'U',
      },
      objectKey: { kind: 'key', isRequired: true, description: 'Key of the changed object.', example: 1042 },
      subscription: { kind: 'key', isRequired: true, description: 'Key of the subscription.', example: 1009 },
      subscriptionName: { kind: 'text', description: 'Name of the subscription.', example: 'Bunker orders' },
      subscribedObjectKey,
      isNotified,
      reason: {
        kind: 'code',
        values: ['NOTIFIED', ...suppressedBy, 'BEFORE_SUBSCRIPTION', 'WAITING', 'SHAPING', 'NOT_RECORDED'],
        isRequired: true,
        description: 'The reason for the decision.',
        example: 'NOTIFIED',
      },
      message: {
        kind: 'text',
        isRequired: true,
        description: 'The reason in words, or the error of an expression or script.',
        example: 'A notification was created.',
      },
      notification: { kind: 'key', description: 'Key of the WebhookNotification, if there is one.', example: 1077 },
      notificationId: { kind: 'text', description: 'The `id` of its message.', example: '52011-1077' },
      log: logAnswer,
    },
  },
  test: {
    summary: 'Try a WebhookSubscription out',
    description:
      'Shows what a subscription, saved or not, would send for a change, or why it would send nothing. Nothing ' +
      'is stored or sent.',
    on: 'type',
    changesNothing: true,
    takes: {
      subscription: {
        kind: 'json',
        isRequired: true,
        description:
          'A key; or a subscription as in a POST; or, with `key`, the changes to a subscription as in a PUT.',
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
          'Key of an object of a subscribed type, used in its current state: as if it had just been created, ' +
          'deleted, or updated without a difference. With `event`: which of its objects.',
        example: 1007,
      },
      operation: {
        kind: 'code',
        values: ['C', 'U', 'D'],
        description: 'The operation. Default: that of the first event type for the object, or U if that is `*`.',
      },
      event: {
        kind: 'key',
        description: 'Id of a recent event, instead of an object: the same change, as if it were made now.',
      },
    },
    answers: {
      isNotified,
      reason: {
        kind: 'code',
        values: ['NOTIFIED', ...suppressedBy, 'BODY_TOO_LARGE', 'STYLESHEET_ERROR'],
        isRequired: true,
        description: 'The reason for the decision.',
        example: 'NOTIFIED',
      },
      message: {
        kind: 'text',
        isRequired: true,
        description: 'The reason in words, or the error of an expression, script or stylesheet.',
        example: 'This would be sent.',
      },
      subscribedObjectKey,
      channelType,
      url: {
        kind: 'text',
        isRequired: true,
        description: 'The address that it would be sent to.',
        example: 'https://agent.example/webhooks',
      },
      contentType: { kind: 'text', description: 'Content type of the body.', example: 'application/json' },
      body: {
        kind: 'text',
        description: 'What would be sent. Null if nothing would be.',
        example: '{"id":"0-0", … }',
      },
      subject: { kind: 'text', description: 'Subject of the mail, if the script has set one.' },
      log: logAnswer,
    },
  },
};
