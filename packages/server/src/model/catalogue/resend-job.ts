// A job that sends notifications again. Users can watch and cancel it.

import type { TypeDeclaration } from '../object-type.ts';
import { replayStatuses } from './resend-actions.ts';

export const resendJob: TypeDeclaration = {
  description:
    'Sends notifications again, in the background. Started by `sendFailedNotifications`, by `replay`, by `resend` of ' +
    'notifications, or by a subscription that `replaces` another.',
  makesEvents: false,
  isServiceOwn: true,
  isCreatedByService: true,
  ownedBy: 'user',
  access: { read: 'webhook', write: 'webhook' },
  attributes: {
    kind: {
      kind: 'code',
      values: ['RESEND', 'REPLAY'],
      default: 'RESEND',
      isReadOnly: true,
      description: 'RESEND: failed notifications. REPLAY: delivered ones as well.',
    },
    user: {
      kind: 'reference',
      to: 'ApiUser',
      isReadOnly: true,
      description: 'The owner of the subscriptions. Null: an administrator sends those of all users.',
    },
    subscription: {
      kind: 'reference',
      to: 'WebhookSubscription',
      isUnchecked: true,
      isReadOnly: true,
      description: 'The subscription to resend. Null: all subscriptions of the user.',
    },
    replacedSubscription: {
      kind: 'reference',
      to: 'WebhookSubscription',
      isUnchecked: true,
      isReadOnly: true,
      description: 'The subscription whose failed notifications are carried over to `subscription`.',
    },
    from: { kind: 'dateTime', isReadOnly: true, description: 'Only notifications of changes at or after this time.' },
    to: { kind: 'dateTime', isReadOnly: true, description: 'Only notifications of changes before this time.' },
    notifications: {
      kind: 'json',
      isReadOnly: true,
      description: 'Keys of the notifications to send again. Null: all.',
      schema: { type: 'array', items: { type: 'integer' } },
    },
    objectKey: {
      kind: 'key',
      isReadOnly: true,
      description: 'Of a replay: only notifications of this object, changed or subscribed to. Null: all.',
    },
    notificationStatus: {
      kind: 'code',
      values: replayStatuses,
      isReadOnly: true,
      description: 'Of a replay: only notifications with this status. Null: both.',
    },
    filter: {
      kind: 'json',
      isReadOnly: true,
      description: 'Of a `resend` of notifications: the filters that select them.',
      schema: { type: 'array', items: { type: 'string' } },
    },
    status: {
      kind: 'code',
      values: ['RUNNING', 'DONE', 'CANCELLED'],
      default: 'RUNNING',
      isReadOnly: true,
      description:
        'DONE: each notification was delivered or has failed. CANCELLED: the job was cancelled, or its ' +
        'subscription was unsubscribed.',
    },
    total: {
      kind: 'integer',
      default: 0,
      isReadOnly: true,
      description: 'Number of notifications to send again. May be an estimate until the job is done.',
      example: 250,
    },
    done: {
      kind: 'integer',
      default: 0,
      isReadOnly: true,
      description: 'How many of them were delivered.',
      example: 180,
    },
    failed: {
      kind: 'integer',
      default: 0,
      isReadOnly: true,
      description: 'How many of them have failed.',
      example: 2,
    },
    cancelled: {
      kind: 'boolean',
      default: false,
      description: 'Set to true to cancel the job. Notifications that are not sent by then stay as they were.',
    },
    endedDate: { kind: 'dateTime', isReadOnly: true, description: 'When the job ended.' },
  },
};
