// The actions of subscriptions, besides reading and writing them.

import { channelCodes } from '../../channel-types.ts';
import type { ActionDeclaration } from '../object-type.ts';

/** The rules and evaluations that can suppress a notification. */
const suppressedBy = [
  'ANOTHER_OPERATION',
  'ANOTHER_KEY',
  'ONLY_MAIN_OBJECT',
  'SAME_TRANSACTION',
  'OWN_CHANGE',
  'EXPRESSION_FALSE',
  'EXPRESSION_ERROR',
  'SCRIPT_FALSE',
  'SCRIPT_ERROR',
  'NOT_ACTIVE',
];

const logAnswer = {
  kind: 'json',
  description: 'What the script has written with console.log, line by line; null where there is no script.',
  schema: { type: 'array', items: { type: 'string' } },
} as const;

const graceMaxSeconds = 30 * 86_400;

/** How many notifications can be selected by key. */
export const resendKeysMax = 1_000;

export const subscriptionActions: Record<string, ActionDeclaration> = {
  rotateSecret: {
    summary: 'Give a WebhookSubscription a new signing secret',
    description: 'Gives the subscription a new signing secret. The present one signs along for a grace time.',
    takes: {
      graceSeconds: {
        kind: 'integer',
        minimum: 0,
        maximum: graceMaxSeconds,
        description: 'How long the present secret signs along, at most 30 days.',
        default: 86_400,
      },
    },
    answers: {
      key: { kind: 'key', isRequired: true, description: 'Of the subscription.', example: 1009 },
      previousSecretExpiresDate: {
        kind: 'dateTime',
        isRequired: true,
        description: 'Until then both secrets sign.',
      },
      signingSecret: {
        kind: 'text',
        description: 'The new secret, shown once: a repeat with the same Idempotency-Key leaves it out.',
        example: 'whsec_YW4gZXhhbXBsZSBvZiBhIHNpZ25pbmcgc2VjcmV0Li4=',
      },
    },
  },
  ping: {
    summary: 'Send a test message to a WebhookSubscription',
    description:
      'Sends a marked test message, as notifications are sent, and answers what the receiver said. It is no notification and counts as no attempt.',
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
      channelType: { kind: 'code', values: channelCodes, isRequired: true },
      url: {
        kind: 'text',
        isRequired: true,
        description: 'Where it was sent.',
        example: 'https://agent.example/webhooks',
      },
      durationMs: { kind: 'integer', isRequired: true, description: 'How long it took.', example: 41 },
      statusCode: { kind: 'integer', description: 'What the receiver answered; null where it did not.', example: 200 },
      answer: { kind: 'text', description: 'The first bytes of the body of the answer.', example: 'ok' },
      errorMessage: { kind: 'text', description: 'Why it failed; null where it has not.' },
    },
  },
  sendFailedNotifications: {
    summary: 'Send the failed notifications of a WebhookSubscription again',
    description:
      'Sends its failed notifications again, with the same `id` and bytes and a fresh set of attempts. It works on a deactivated subscription too, which stays deactivated. The ResendJob that it answers can be watched and cancelled.',
    ofType: {
      summary: 'Send the failed notifications of all subscriptions of the caller again',
      description:
        "The same for all subscriptions of the caller's own user that are not unsubscribed: their failed notifications are sent again.",
    },
    on: 'both',
    since: '3.16',
    answersStatus: 202,
    takes: {
      from: {
        kind: 'dateTime',
        description: 'Only notifications of changes from then on (`eventTime`).',
      },
      to: { kind: 'dateTime', description: 'Only notifications of changes before that.' },
      notifications: {
        kind: 'json',
        description:
          'Keys of the notifications that are meant, at most 1,000; where it is left out, all that have failed.',
        schema: {
          type: 'array',
          items: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
          maxItems: resendKeysMax,
        },
      },
      dryRun: { kind: 'boolean', default: false, description: 'true: tells how many it would be, and sends nothing.' },
    },
    answers: {
      total: {
        kind: 'integer',
        isRequired: true,
        description: 'How many are sent again; those that a running ResendJob has before it are not counted.',
        example: 250,
      },
      job: {
        kind: 'key',
        description: 'Key of the ResendJob; null where there is nothing to send, or `dryRun` was asked for.',
        example: 1090,
      },
      jobSelf: {
        kind: 'text',
        description: 'Where it is watched and cancelled.',
        example: 'https://flaghoist.example/ws/rest/ResendJob/1090',
      },
    },
  },
  decisions: {
    summary: 'Why a WebhookSubscription was notified of recent changes, and why not',
    description:
      'Why it was notified of recent changes, and why not: those of objects of its type, and of anything in their hierarchy. Newest first.',
    ofType: {
      summary: 'Why the subscriptions of the caller were notified of recent changes, and why not',
      description:
        'The same of all subscriptions of the caller; an administrator sees those of all users. Newest first.',
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
        description: 'Key of the object that the subscription would be notified about.',
        example: 1007,
      },
      isNotified: { kind: 'boolean', isRequired: true, example: true },
      reason: {
        kind: 'code',
        values: ['NOTIFIED', ...suppressedBy, 'BEFORE_SUBSCRIPTION', 'WAITING', 'PREPARING', 'NOT_RECORDED'],
        isRequired: true,
        description: 'What decided it.',
        example: 'NOTIFIED',
      },
      message: {
        kind: 'text',
        isRequired: true,
        description: 'The same in words; the error of an expression or a script.',
        example: 'A notification was made.',
      },
      notification: { kind: 'key', description: 'Key of the WebhookNotification, if there is one.', example: 1077 },
      notificationId: { kind: 'text', description: 'The `id` of its message.', example: '52011-1077' },
      log: logAnswer,
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
        values: ['NOTIFIED', ...suppressedBy, 'BODY_TOO_LARGE', 'STYLESHEET_ERROR'],
        isRequired: true,
        description: 'What decided it.',
        example: 'NOTIFIED',
      },
      message: {
        kind: 'text',
        isRequired: true,
        description: 'The same in words; the error of an expression, a script or a stylesheet.',
        example: 'This would be sent.',
      },
      subscribedObjectKey: {
        kind: 'key',
        isRequired: true,
        description: 'Key of the object that the subscription would be notified about.',
        example: 1007,
      },
      channelType: { kind: 'code', values: channelCodes, isRequired: true },
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
      subject: { kind: 'text', description: 'Of the mail, where the script has said one.' },
      log: logAnswer,
    },
  },
};
