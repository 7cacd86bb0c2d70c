// The actions of subscriptions that send notifications again.

import type { AttributeDeclaration } from '../attribute-declaration.ts';
import type { ActionDeclaration } from '../object-type.ts';

/** How many notifications can be selected by key. */
export const resendKeysMax = 1_000;

/** The statuses of notifications that can be replayed. */
export const replayStatuses = ['DELIVERED', 'FAILED'];

const window: Record<string, AttributeDeclaration> = {
  from: { kind: 'dateTime', description: 'Only notifications of changes at or after this time (`eventTime`).' },
  to: { kind: 'dateTime', description: 'Only notifications of changes before this time.' },
};

export const chosenKeys = (description: string): AttributeDeclaration => ({
  kind: 'json',
  description,
  schema: {
    type: 'array',
    items: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
    maxItems: resendKeysMax,
  },
});

const dryRun: AttributeDeclaration = {
  kind: 'boolean',
  default: false,
  description: 'true: only counts the notifications.',
};

const jobAnswers: Record<string, AttributeDeclaration> = {
  job: {
    kind: 'key',
    description: 'Key of the ResendJob. Null if there is nothing to send, or with `dryRun`.',
    example: 1090,
  },
  jobSelf: {
    kind: 'text',
    description: 'URL of the ResendJob.',
    example: 'https://flaghoist.example/ws/rest/ResendJob/1090',
  },
};

/** The action of notifications. */
export const resendByFilter: Record<string, ActionDeclaration> = {
  resend: {
    summary: 'Send all WebhookNotification objects again that match a filter',
    description:
      'Sends delivered and failed notifications again whose bodies are kept, with the same `id` and bytes and the ' +
      'header `flaghoist-replay`. Selects what the list selects with the same filters, for an administrator that of ' +
      'all users. Pending notifications, and those of unsubscribed subscriptions, are not sent. Returns a ResendJob.',
    on: 'type',
    answersStatus: 202,
    takes: {
      filter: {
        kind: 'json',
        isRequired: true,
        description: 'At least one filter, each written as in the query of the list. `(OR)` separates groups.',
        schema: {
          type: 'array',
          items: { type: 'string', minLength: 1 },
          minItems: 1,
          examples: [['status(EQ)FAILED', 'eventTime(GTE)2026-11-14']],
        },
      },
      dryRun,
    },
    answers: {
      count: {
        kind: 'integer',
        isRequired: true,
        description: 'How many notifications are sent again.',
        example: 250,
      },
      isEstimate: {
        kind: 'boolean',
        isRequired: true,
        description: 'Whether `count` is an estimate, because counting would have taken more than 5 seconds.',
        example: false,
      },
      oldest: { kind: 'dateTime', description: 'The oldest `eventTime` among them.' },
      newest: { kind: 'dateTime', description: 'The newest `eventTime` among them. Null with an estimate.' },
      resendJob: {
        kind: 'key',
        description: 'Key of the ResendJob. Null if there is nothing to send, or with `dryRun`.',
        example: 1090,
      },
    },
  },
};

export const resendActions: Record<string, ActionDeclaration> = {
  sendFailedNotifications: {
    summary: 'Send the failed notifications of a WebhookSubscription again',
    description:
      'Resends its failed notifications, with the same `id` and bytes and a new set of attempts. Also works for ' +
      'a deactivated subscription, which stays deactivated. Returns a ResendJob that can be watched and ' +
      'cancelled.',
    ofType: {
      summary: 'Send the failed notifications of all subscriptions of the caller again',
      description:
        "The same for all subscriptions of the caller's own user that are not unsubscribed: their failed " +
        'notifications are sent again.',
    },
    on: 'both',
    since: '3.16',
    answersStatus: 202,
    takes: {
      ...window,
      notifications: chosenKeys('Keys of the notifications to resend, at most 1,000. Default: all failed ones.'),
      dryRun,
    },
    answers: {
      total: {
        kind: 'integer',
        isRequired: true,
        description: 'How many notifications are resent, without those that a running ResendJob is still to resend.',
        example: 250,
      },
      ...jobAnswers,
    },
  },
  replay: {
    summary: 'Send delivered and failed notifications of a WebhookSubscription again',
    description:
      'Sends notifications again whose bodies are kept, with the same `id` and bytes and the header ' +
      '`flaghoist-replay`. A delivered one stays delivered, even if the replay fails. Returns a ResendJob.',
    answersStatus: 202,
    takes: {
      ...window,
      notifications: chosenKeys('Keys of the notifications to replay, at most 1,000. Default: all.'),
      objectKey: {
        kind: 'key',
        description: 'Only notifications of this object, changed or subscribed to.',
        example: 1007,
      },
      status: {
        kind: 'json',
        description: '`DELIVERED` or `FAILED`, or an array of them. Default: both.',
        schema: {
          title: 'ReplayedStatus',
          anyOf: [
            { type: 'string', enum: replayStatuses },
            { type: 'array', items: { type: 'string', enum: replayStatuses }, minItems: 1 },
          ],
        },
      },
      dryRun,
    },
    answers: {
      total: {
        kind: 'integer',
        isRequired: true,
        description: 'How many notifications are replayed.',
        example: 250,
      },
      ...jobAnswers,
    },
  },
};
