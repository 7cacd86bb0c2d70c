// The actions that read the statistics of notifications and the health of subscriptions.

import type { ActionDeclaration } from '../object-type.ts';

const keySchema = { type: 'integer', format: 'int64', minimum: 1, maximum: Number.MAX_SAFE_INTEGER };
const exampleTime = '2026-11-15T08:30:00Z';
const timeSchema = { type: 'string', format: 'date-time' };
const count = (description: string) => ({ type: 'integer', format: 'int32', minimum: 0, description });
const orNull = (schema: { type: string }, description: string) => ({
  ...schema,
  type: [schema.type, 'null'],
  description,
});

const milliseconds = (share: string) =>
  orNull(
    { type: 'integer' },
    `Within how many milliseconds after the change ${share} of them were delivered, to within 19 %. What was sent ` +
      'again on request is left out. Null if there is none.',
  );

const counts = {
  changes: count('Changes to objects, of all users.'),
  created: count('Notifications that were created.'),
  delivered: count('Notifications that were delivered.'),
  retried: count('Failed attempts that others follow.'),
  failed: count('Notifications that have failed for good.'),
  p50Ms: milliseconds('half'),
  p99Ms: milliseconds('99 %'),
};

const exampleCounts = { changes: 40, created: 25, delivered: 24, retried: 2, failed: 0, p50Ms: 13, p99Ms: 76 };

const countsSchema = (title: string, description: string, more: Record<string, unknown> = {}) => ({
  title,
  description,
  type: 'object',
  required: [...Object.keys(more), ...Object.keys(counts)],
  properties: { ...more, ...counts },
});

export const statisticsActions: Record<string, ActionDeclaration> = {
  statistics: {
    summary: 'How many notifications were created, delivered and failed, and how quickly',
    description:
      'Counts of the last hour, day or week in steps of 1, 15 or 120 minutes, oldest first: of the subscriptions of ' +
      'the caller, or of all users for an administrator. They are some seconds late.',
    method: 'GET',
    on: 'type',
    takes: {
      range: {
        kind: 'code',
        values: ['HOUR', 'DAY', 'WEEK'],
        default: 'HOUR',
        description: 'How far back: 60 points, 96, or 84.',
      },
      subscription: { kind: 'key', description: 'Only the notifications of this subscription.', example: 1009 },
    },
    answers: {
      range: { kind: 'code', values: ['HOUR', 'DAY', 'WEEK'], isRequired: true, example: 'HOUR' },
      from: {
        kind: 'text',
        isRequired: true,
        description: 'The start of the first step, in UTC.',
        example: exampleTime,
      },
      to: {
        kind: 'text',
        isRequired: true,
        description: 'The end of the last step, which is still to come.',
        example: exampleTime,
      },
      stepSeconds: { kind: 'integer', isRequired: true, description: 'The length of a step.', example: 60 },
      points: {
        kind: 'json',
        isRequired: true,
        description: 'One for each step. The last one has only just begun, or is still incomplete.',
        schema: {
          type: 'array',
          items: countsSchema('StatisticsPoint', 'The counts of one step.', {
            at: { ...timeSchema, description: 'The start of the step.' },
          }),
          examples: [[{ at: exampleTime, ...exampleCounts }]],
        },
      },
      totals: {
        kind: 'json',
        isRequired: true,
        description: 'The same for the whole range.',
        schema: { ...countsSchema('StatisticsTotals', 'The counts of a whole range.'), examples: [exampleCounts] },
      },
    },
  },
};

export const healthStatuses = ['ACTIVE', 'FAILING', 'DEACTIVATED', 'UNSUBSCRIBED'];

/** How many subscriptions one answer has. */
export const healthMax = 1_000;

/** How many pending notifications are counted. */
export const pendingCountedMax = 1_000;

const healthPoint = {
  title: 'HealthPoint',
  description: 'What was delivered in one hour, and what has failed.',
  type: 'object',
  required: ['at', 'delivered', 'failed'],
  properties: {
    at: { ...timeSchema, description: 'The start of the hour.' },
    delivered: count('Notifications that were delivered.'),
    failed: count('Notifications that have failed for good.'),
  },
};

const lastError = {
  title: 'LastError',
  description: 'The last failed attempt of the last 8 days. Null if there was none.',
  type: ['object', 'null'],
  required: ['at', 'text', 'status'],
  properties: {
    at: { ...timeSchema, description: 'When the attempt started.' },
    text: { type: 'string', description: 'Why it failed.' },
    status: orNull({ type: 'integer' }, 'The status code of the response. Null if there was none.'),
  },
};

const health = {
  title: 'SubscriptionHealth',
  description: 'How well a subscription is delivered.',
  type: 'object',
  required: [
    'subscription',
    'status',
    'deliveredLastHour',
    'failedLastHour',
    'pending',
    'oldestPendingAt',
    'lastError',
    'failingSince',
    'points',
  ],
  properties: {
    subscription: { ...keySchema, description: 'Key of the subscription.' },
    status: {
      type: 'string',
      enum: healthStatuses,
      description:
        'Its state. FAILING: it is active, and its last attempt has failed, or its script or stylesheet keeps failing.',
    },
    deliveredLastHour: count('Notifications that were delivered in the last hour, to within 15 minutes.'),
    failedLastHour: count('Notifications that have failed for good in the same time.'),
    pending: count(`Notifications that are still to be delivered, at most ${pendingCountedMax}.`),
    oldestPendingAt: {
      type: ['string', 'null'],
      format: 'date-time',
      description: 'When the oldest of these was created. Null if there is none.',
    },
    lastError,
    failingSince: {
      type: ['string', 'null'],
      format: 'date-time',
      description: 'Since when all attempts have failed. Null if the last attempt succeeded.',
    },
    points: { type: 'array', description: 'The last 24 hours, oldest first.', items: healthPoint },
  },
};

const exampleHealth = {
  subscription: 1009,
  status: 'FAILING',
  deliveredLastHour: 25,
  failedLastHour: 0,
  pending: 3,
  oldestPendingAt: '2026-11-15T08:29:41Z',
  lastError: { at: '2026-11-15T08:30:00.120Z', text: 'The response has the status 503.', status: 503 },
  failingSince: '2026-11-15T08:29:42Z',
  points: [{ at: '2026-11-15T08:00:00Z', delivered: 25, failed: 0 }],
};

export const healthActions: Record<string, ActionDeclaration> = {
  health: {
    summary: 'How well WebhookSubscriptions are delivered',
    description:
      'For each subscription: what was delivered and has failed in the last hour and in each of the last 24 hours, ' +
      'what is pending, and the last error. They are some seconds late.',
    method: 'GET',
    on: 'type',
    takes: {
      subscriptions: {
        kind: 'text',
        description:
          `Keys of subscriptions, separated by commas, at most ${healthMax}. Those that do not exist are left out. ` +
          `Default: all, at most the ${healthMax} newest; unsubscribed ones come last.`,
        example: '1009,1010',
      },
    },
    answers: {
      subscriptions: {
        kind: 'json',
        isRequired: true,
        description: 'The subscriptions, newest first.',
        schema: { type: 'array', items: health, examples: [[exampleHealth]] },
      },
    },
  },
};
