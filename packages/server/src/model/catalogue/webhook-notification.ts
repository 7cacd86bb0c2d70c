// The notification log: one notification of one change to one subscription, with its outcome.

import type { TypeDeclaration } from '../object-type.ts';

const attemptLogSchema = {
  type: 'array',
  items: {
    type: 'object',
    required: ['date', 'durationMs', 'statusCode', 'answer', 'error'],
    properties: {
      date: { type: 'string', format: 'date-time', description: 'When it began, in UTC.' },
      durationMs: { type: 'integer', description: 'How long it took.' },
      statusCode: { type: ['integer', 'null'], description: 'What the receiver answered; null where it did not.' },
      answer: { type: ['string', 'null'], description: 'The first bytes of the body of the answer.' },
      error: { type: ['string', 'null'], description: 'Why it failed; null where it has not.' },
    },
  },
};

export const webhookNotification: TypeDeclaration = {
  description: 'One notification of one change to one subscription, with what became of it.',
  shownBy: ['id'],
  makesEvents: false,
  isServiceOwn: true,
  isKeptInDays: true,
  ownedBy: 'user',
  access: { read: 'webhook', write: 'nobody' },
  attributes: {
    id: {
      kind: 'text',
      maxLength: 40,
      isRequired: true,
      isFixed: true,
      description: 'The `id` of the message: that of the event and that of the notification.',
      example: '52011-1077',
    },
    subscription: {
      kind: 'reference',
      to: 'WebhookSubscription',
      isRequired: true,
      isUnchecked: true,
      description: 'Whom it is for.',
    },
    user: {
      kind: 'reference',
      to: 'ApiUser',
      isRequired: true,
      isUnchecked: true,
      description: 'Whose subscription that is.',
    },
    objectType: {
      kind: 'text',
      maxLength: 40,
      isRequired: true,
      description: 'Type of the changed object.',
      example: 'PortCall',
    },
    objectKey: { kind: 'key', isRequired: true, description: 'Key of the changed object.', example: 1042 },
    eventType: {
      kind: 'code',
      values: ['C', 'U', 'D'],
      isRequired: true,
      description: 'What was done to it.',
      example: 'U',
    },
    subscribedObjectKey: {
      kind: 'key',
      isRequired: true,
      description: 'Key of the object that the subscription refers to.',
      example: 1007,
    },
    eventTime: { kind: 'dateTime', isRequired: true, description: 'When it was done.' },
    status: {
      kind: 'code',
      values: ['PENDING', 'DELIVERED', 'FAILED'],
      isRequired: true,
      description: 'PENDING: it is still to be sent. FAILED: it is not sent any more; `errorMessage` says why.',
      example: 'DELIVERED',
    },
    isFailed: { kind: 'boolean', default: false, description: 'Whether `status` is FAILED.' },
    attempts: { kind: 'integer', default: 0, description: 'How often it was tried.' },
    deliveryDate: { kind: 'dateTime', description: 'When it arrived.' },
    nextAttemptDate: { kind: 'dateTime', description: 'When it is tried next, or first.' },
    errorMessage: { kind: 'text', description: 'Why it failed.' },
    contentType: { kind: 'text', maxLength: 255, description: 'Of the body.', example: 'application/json' },
    body: {
      kind: 'text',
      isLarge: true,
      isMade: true,
      description: 'What is sent, byte by byte; null where it was too large, or is not kept any more.',
    },
    attemptLog: {
      kind: 'json',
      isLarge: true,
      description: 'Each attempt, oldest first; of very many the last ones.',
      schema: attemptLogSchema,
    },
  },
};
