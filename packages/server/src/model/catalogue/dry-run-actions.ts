// The dry runs: what a subscription, saved or not, would send.

import type { ActionDeclaration } from '../object-type.ts';
import { affected } from './affected-action.ts';
import { evaluation } from './evaluation-schema.ts';
import { channelType, isNotified, logAnswer, subscribedObjectKey, suppressedBy } from './explained-answers.ts';
import { testRecent } from './recent-changes.ts';
import { testedSubscription, triedScript } from './tested-subscription.ts';

const retryDate = (description: string) => ({
  type: ['string', 'null'],
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d$',
  description,
});

export const dryRunActions: Record<string, ActionDeclaration> = {
  test: {
    summary: 'Try a WebhookSubscription out',
    description:
      'Shows what a subscription, saved or not, would send for a change, or why it would send nothing. Nothing ' +
      'is stored or sent.',
    on: 'type',
    isRepeatable: true,
    takes: {
      subscription: testedSubscription,
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
      script: triedScript,
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
      evaluation: { ...evaluation, description: 'How the expression was evaluated. Null if none was.' },
      retries: {
        kind: 'json',
        description:
          'The attempts that would follow if a first attempt failed now. Null if the channel has no retries. Jitter, ' +
          'and what a receiver asks for with `Retry-After`, come on top.',
        schema: {
          title: 'RetryForecast',
          type: 'object',
          required: ['attempts', 'nextAttemptDate', 'lastAttemptDate'],
          properties: {
            attempts: { type: 'integer', minimum: 1, description: 'How many there are, including the first one.' },
            nextAttemptDate: retryDate('When the second attempt comes. Null if there is only one.'),
            lastAttemptDate: retryDate('When the last attempt comes. Null if there is only one.'),
          },
          additionalProperties: false,
          examples: [{ attempts: 5, nextAttemptDate: '2026-11-15T10:01:00', lastAttemptDate: '2026-11-15T10:04:00' }],
        },
      },
    },
  },
  testRecent,
  affected,
};
