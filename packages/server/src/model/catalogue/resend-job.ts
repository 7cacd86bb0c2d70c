// A job that sends failed notifications again. Users can watch and cancel it.

import type { TypeDeclaration } from '../object-type.ts';

export const resendJob: TypeDeclaration = {
  description:
    'Sends failed notifications again, by and by. Started by `sendFailedNotifications`, or by a subscription that `replaces` another.',
  makesEvents: false,
  isServiceOwn: true,
  isMadeByService: true,
  ownedBy: 'user',
  access: { read: 'webhook', write: 'webhook' },
  attributes: {
    user: { kind: 'reference', to: 'ApiUser', isRequired: true, description: 'Whose subscriptions it is about.' },
    subscription: {
      kind: 'reference',
      to: 'WebhookSubscription',
      isUnchecked: true,
      isReadOnly: true,
      description: 'The one subscription that is meant; null: all of the user.',
    },
    replacedSubscription: {
      kind: 'reference',
      to: 'WebhookSubscription',
      isUnchecked: true,
      isReadOnly: true,
      description: 'The subscription whose failed notifications are carried over to `subscription`.',
    },
    from: { kind: 'dateTime', isReadOnly: true, description: 'Only notifications of changes from then on.' },
    to: { kind: 'dateTime', isReadOnly: true, description: 'Only notifications of changes before that.' },
    notifications: {
      kind: 'json',
      isReadOnly: true,
      description: 'Keys of the notifications that were chosen; null: all that have failed.',
      schema: { type: 'array', items: { type: 'integer' } },
    },
    status: {
      kind: 'code',
      values: ['RUNNING', 'DONE', 'CANCELLED'],
      default: 'RUNNING',
      isReadOnly: true,
      description:
        'DONE: each of them has been delivered, or has failed again. CANCELLED: it was stopped, or its subscription was unsubscribed.',
    },
    total: { kind: 'integer', default: 0, isReadOnly: true, description: 'How many there were to send.', example: 250 },
    done: {
      kind: 'integer',
      default: 0,
      isReadOnly: true,
      description: 'How many of them have arrived.',
      example: 180,
    },
    failed: { kind: 'integer', default: 0, isReadOnly: true, description: 'How many have failed again.', example: 2 },
    cancelled: {
      kind: 'boolean',
      default: false,
      description: 'Set it to true to stop: what has not been sent by then stays failed.',
    },
    endedDate: { kind: 'dateTime', isReadOnly: true, description: 'When it was done or cancelled.' },
  },
};
