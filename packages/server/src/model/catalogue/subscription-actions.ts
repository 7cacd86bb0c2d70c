// The actions of subscriptions, besides reading and writing them.

import type { ActionDeclaration } from '../object-type.ts';
import { graceSeconds } from './access.ts';
import { dryRunActions } from './dry-run-actions.ts';
import { evaluation } from './evaluation-schema.ts';
import { channelType, isNotified, logAnswer, subscribedObjectKey, suppressedBy } from './explained-answers.ts';
import { expressionActions } from './expression-actions.ts';
import { resendActions } from './resend-actions.ts';
import { healthActions } from './statistics-actions.ts';
import { streamActions } from './stream-actions.ts';

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
    isRepeatable: true,
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
  ...streamActions,
  ...expressionActions,
  ...healthActions,
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
      evaluation: {
        ...evaluation,
        description:
          'How the expression was evaluated. Only for the newest 20 decisions, and null if none was evaluated or if ' +
          'the expression was changed since.',
      },
    },
  },
  ...dryRunActions,
};
