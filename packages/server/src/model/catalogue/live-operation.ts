// The live feed: what happens, as it happens.

import type { AttributeDeclaration } from '../attribute-declaration.ts';
import type { ServiceOperationDeclaration } from '../service-operation.ts';

/** How many rows one event has. Others are counted as `skipped`. */
export const liveRowsMax = 50;

const perSecond = (what: string): AttributeDeclaration => ({
  kind: 'decimal',
  description:
    `\`ready\` and \`figures\`: ${what} per second, over the last 10 seconds, ` +
    'or since the connection if that is less.',
  example: 2.5,
});

const milliseconds = (share: string): AttributeDeclaration => ({
  kind: 'integer',
  description:
    `\`ready\` and \`figures\`: within how many milliseconds after the change ${share} of the notifications of the ` +
    'last minute were delivered, to within 19 %. Null if there is none.',
  example: 13,
});

export const openLiveFeed: ServiceOperationDeclaration = {
  path: 'live',
  scope: 'read',
  method: 'GET',
  answersEvents: true,
  summary: 'What happens, as it happens',
  description:
    'Server-sent events: `ready` first; `notifications` that were created or changed; `changes` to objects; ' +
    '`subscriptions` that were changed; `figures` every second. Everything that happens after `ready` is sent, or ' +
    'counted as `skipped`. What happens to notifications and subscriptions is ' +
    'that of the caller, or of all users for an administrator, and needs the scope `webhook`. Each event comes at ' +
    'most four times a second. Nothing is repeated after a lost connection: read the lists again. A connection ends ' +
    'when its token expires.',
  takes: {
    notifications: { kind: 'boolean', default: true, description: 'false: no `notifications`.' },
    changes: { kind: 'boolean', default: true, description: 'false: no `changes`.' },
  },
  answers: {
    rows: {
      kind: 'json',
      description:
        `\`notifications\`: as a list of WebhookNotification shows them, with the name of the subscription. ` +
        `\`changes\`: as \`GET changes\` shows them. At most ${liveRowsMax}, the newest first.`,
      schema: { type: 'array', items: { type: 'object' }, maxItems: liveRowsMax, examples: [[]] },
    },
    skipped: {
      kind: 'integer',
      description: 'How many rows were left out, at least 1 if their number is unknown. Read the lists again.',
      example: 0,
    },
    keys: {
      kind: 'json',
      description: '`subscriptions`: the keys of those that were created, changed or deleted.',
      schema: {
        type: 'array',
        items: { type: 'integer', format: 'int64', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
        examples: [[1009]],
      },
    },
    changesPerSecond: perSecond('changes to objects, of all users,'),
    notificationsPerSecond: perSecond('notifications that were created'),
    deliveredPerSecond: perSecond('notifications that were delivered'),
    failedPerSecond: perSecond('notifications that have failed for good'),
    backlog: {
      kind: 'integer',
      description:
        '`ready` and `figures`: how many notifications are pending, counted up to a limit; for an administrator, also ' +
        'changes that are not matched yet. Some seconds old.',
      example: 3,
    },
    oldestPendingSeconds: {
      kind: 'decimal',
      description: '`ready` and `figures`: how long the oldest of them has been waiting.',
      example: 1.2,
    },
    p50Ms: milliseconds('half'),
    p99Ms: milliseconds('99 %'),
  },
};
