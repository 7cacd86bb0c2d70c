// The notification log: what a subscription was notified of, and with what outcome.

import type { TypeDeclaration } from '../object-type.ts';
import { resendByFilter } from './resend-actions.ts';
import { statisticsActions } from './statistics-actions.ts';

const attemptLogSchema = {
  type: 'array',
  items: {
    title: 'DeliveryAttempt',
    description: 'One attempt to deliver a notification.',
    type: 'object',
    required: ['date', 'durationMs', 'statusCode', 'answer', 'error'],
    properties: {
      date: { type: 'string', format: 'date-time', description: 'When the attempt started, in UTC.' },
      durationMs: { type: 'integer', description: 'Duration of the attempt.' },
      statusCode: {
        type: ['integer', 'null'],
        description: 'The status code of the response. Null if there was none.',
      },
      answer: { type: ['string', 'null'], description: 'The first bytes of the body of the response.' },
      error: { type: ['string', 'null'], description: 'Why the attempt failed. Null if it succeeded.' },
    },
  },
};

export const changesSchema = {
  type: 'array',
  items: {
    title: 'AttributeChange',
    description: 'A changed attribute, with its old and new value.',
    type: 'object',
    required: ['objectType', 'objectKey', 'attribute', 'old', 'new'],
    properties: {
      objectType: { type: 'string', description: 'Type of the changed object.' },
      objectKey: { type: 'integer', format: 'int64', minimum: 1, description: 'Key of the changed object.' },
      attribute: { type: 'string', description: 'Name of the changed attribute.' },
      old: { description: 'The value before the change. A reference has `key` and `self`. Null on create.' },
      new: { description: 'The value after the change, in the same form. Null on delete.' },
    },
  },
};

export const webhookNotification: TypeDeclaration = {
  description: 'The notification of one subscription about one change, with its outcome.',
  shownBy: ['id'],
  makesEvents: false,
  isServiceOwn: true,
  isKeptInDays: true,
  ownedBy: 'user',
  access: { read: 'webhook', write: 'nobody' },
  actions: { ...resendByFilter, ...statisticsActions },
  indexes: [
    { on: ['createdDate', 'key'] },
    // Few have an error, so that delivering the others does not touch this index.
    { on: ['createdDate', 'key'], whereSet: 'errorMessage' },
    { on: ['objectType', 'eventType'] },
  ],
  attributes: {
    id: {
      kind: 'text',
      maxLength: 40,
      isRequired: true,
      isFixed: true,
      keyPattern: '^\\d+-(\\d+)$',
      description: 'The `id` of the message: event id and notification key.',
      example: '52011-1077',
    },
    subscription: {
      kind: 'reference',
      to: 'WebhookSubscription',
      isRequired: true,
      isUnchecked: true,
      description: 'The subscription that is notified.',
    },
    user: {
      kind: 'reference',
      to: 'ApiUser',
      isRequired: true,
      isUnchecked: true,
      description: 'The owner of the subscription.',
    },
    objectType: {
      kind: 'text',
      maxLength: 40,
      isRequired: true,
      description: 'Type of the changed object.',
      example: 'PortCall',
    },
    objectKey: {
      kind: 'key',
      isRequired: true,
      isIndexed: true,
      description: 'Key of the changed object.',
      example: 1042,
    },
    eventType: {
      kind: 'code',
      values: ['C', 'U', 'D'],
      isRequired: true,
      description: 'The operation: created, updated or deleted.',
      example: 'U',
    },
    subscribedObjectKey: {
      kind: 'key',
      isRequired: true,
      isIndexed: true,
      description: 'Key of the object that the subscription is notified about.',
      example: 1007,
    },
    subscribedObjectCode: {
      kind: 'text',
      codeOf: 'subscribed_object_key',
      isOnDemand: true,
      description:
        'What people know that object by: the number of a voyage, the code of a port, or its `externalObjectKey`. ' +
        'Null once the object is deleted.',
      example: '2041',
    },
    eventTime: {
      kind: 'dateTime',
      generatedAs: "date_trunc('second', occurred_at)",
      description: 'When the change was made.',
    },
    sequence: {
      kind: 'key',
      generatedAs: "split_part(id, '-', 1)::bigint",
      isIndexed: true,
      description: 'Number of the event. Of two changes to the same object, the later one has the higher number.',
      example: 52011,
    },
    occurredAt: {
      kind: 'dateTime',
      isInstant: true,
      isRequired: true,
      description: 'When the change was made, with microseconds.',
    },
    status: {
      kind: 'code',
      values: ['PENDING', 'DELIVERED', 'FAILED'],
      implies: {
        PENDING:
          'exists (select from flaghoist_system.pending_notification p ' +
          'where p.notification_key = {row}."key" and p.created_date = {row}.created_date)',
        FAILED: '{row}.error_message is not null',
      },
      isRequired: true,
      description:
        'PENDING: still to be sent. DELIVERED: the receiver has confirmed it. FAILED: no further attempts; ' +
        '`errorMessage` says why.',
      example: 'DELIVERED',
    },
    isFailed: { kind: 'boolean', generatedAs: "status = 'FAILED'", description: 'Whether `status` is FAILED.' },
    attempts: { kind: 'integer', default: 0, description: 'Number of attempts.' },
    deliveryDate: { kind: 'dateTime', description: 'When it was first delivered.' },
    nextAttemptDate: { kind: 'dateTime', description: 'When the next attempt is due.' },
    errorMessage: { kind: 'text', description: 'Why it failed.' },
    contentType: {
      kind: 'text',
      maxLength: 255,
      description: 'Content type of the body.',
      example: 'application/json',
    },
    body: {
      kind: 'text',
      isLarge: true,
      isComputed: true,
      description: 'What is sent, byte for byte. Null if it was too large or is no longer kept.',
    },
    changes: {
      kind: 'json',
      isOnDemand: true,
      isComputed: true,
      hasLinks: true,
      description: 'Each changed attribute with its old and new value. Null if the event is no longer kept.',
      schema: changesSchema,
    },
    attemptLog: {
      kind: 'json',
      isLarge: true,
      description: 'The attempts, oldest first. Only the last 50 are kept.',
      schema: attemptLogSchema,
    },
  },
};
