// The action `testRecent`: a subscription against the newest changes that it covers.

import type { ActionDeclaration } from '../object-type.ts';
import { evaluationSchema } from './evaluation-schema.ts';
import { suppressedBy } from './explained-answers.ts';
import { testedSubscription, triedScript } from './tested-subscription.ts';

const key = { type: 'integer', format: 'int64', minimum: 1, maximum: Number.MAX_SAFE_INTEGER };
const count = { type: 'integer', format: 'int32', minimum: 0 };

/** Rules that are about event types: what they reject is not among the changes. */
const uncovered = ['ANOTHER_OPERATION', 'ANOTHER_KEY', 'SAME_TRANSACTION', 'NOT_ACTIVE'];

const reasons = [
  'NOTIFIED',
  ...suppressedBy.filter((reason) => !uncovered.includes(reason)),
  'BODY_TOO_LARGE',
  'STYLESHEET_ERROR',
  'NOT_RUN',
];

const sentBody = {
  title: 'RecentChangeBody',
  description: 'What would be sent.',
  type: 'object',
  required: ['contentType', 'text', 'bytes', 'subject'],
  properties: {
    contentType: { type: 'string', description: 'Content type of the body.' },
    text: { type: 'string', description: 'The body, exactly as it would be sent.' },
    bytes: { ...count, description: 'How many bytes it has.' },
    subject: { type: ['string', 'null'], description: 'Subject of the mail, if the script has set one.' },
  },
  additionalProperties: false,
};

const recentChange = {
  title: 'RecentChange',
  description: 'A change that the event types cover, and what the subscription would have made of it.',
  type: 'object',
  required: [
    'id',
    'event',
    'objectType',
    'objectKey',
    'name',
    'occurredAt',
    'subscribedObjectType',
    'subscribedObjectKey',
    'isMatch',
    'reason',
    'message',
    'evaluation',
    'body',
    'log',
  ],
  properties: {
    id: { ...key, description: 'Id of the event.' },
    event: { type: 'string', description: 'The type of the changed object and the operation, such as `PortCall.U`.' },
    objectType: { type: 'string', description: 'Type of the changed object.' },
    objectKey: { ...key, description: 'Key of the changed object.' },
    name: {
      type: ['string', 'null'],
      description: 'What identifies the changed object to a person, as its reference shows it. Null if nothing does.',
    },
    occurredAt: { type: 'string', format: 'date-time', description: 'When the change was made, in UTC.' },
    subscribedObjectType: { type: 'string', description: 'Type of the object that would be notified.' },
    subscribedObjectKey: { ...key, description: 'Its key.' },
    isMatch: { type: 'boolean', description: 'Whether the subscription matches the change.' },
    reason: { type: 'string', enum: reasons, description: 'The reason for the decision.' },
    message: {
      type: 'string',
      description: 'The reason in words, or the error of an expression, script or stylesheet.',
    },
    evaluation: {
      anyOf: [evaluationSchema, { type: 'null' }],
      description: 'How the expression was evaluated, of a change that does not match. It has at most 60 parts.',
    },
    body: {
      anyOf: [sentBody, { type: 'null' }],
      description: 'What would be sent, of the newest three matches. Null for all others.',
    },
    log: {
      type: ['array', 'null'],
      items: { type: 'string' },
      description: 'The lines that the script wrote with console.log. Null if there is no script.',
    },
  },
  additionalProperties: false,
};

export const testRecent: ActionDeclaration = {
  summary: 'Try a WebhookSubscription out on recent changes',
  description:
    'Shows what a subscription, saved or not, would have made of the newest changes that its event types cover, ' +
    'newest first: which it matches, why not the others, and what would be sent. The objects are as the transaction ' +
    'of each change left them. Nothing is stored or sent. Of a saved subscription, the state does not matter.',
  on: 'type',
  isRepeatable: true,
  takes: {
    subscription: testedSubscription,
    script: triedScript,
    limit: { kind: 'integer', minimum: 1, maximum: 50, default: 50, description: 'Maximum number of changes.' },
  },
  answers: {
    changes: {
      kind: 'json',
      isRequired: true,
      description: 'Newest first. Of each type, the newest 2,000 changes are searched.',
      schema: { type: 'array', items: recentChange, examples: [[]] },
    },
    matched: { kind: 'integer', isRequired: true, description: 'How many of the changes match.', example: 0 },
    examined: { kind: 'integer', isRequired: true, description: 'How many changes there are.', example: 0 },
  },
};
