// The actions of subscriptions that explain matching, and that help to write an expression, by `<type>.<action>`.

import type { Clock } from '../clock.ts';
import type { Settings } from '../config/settings-table.ts';
import type { Database } from '../database/database.ts';
import type { Model } from '../model/object-type.ts';
import type { ActionHandler } from '../objects/action-call.ts';
import type { Objects } from '../objects/objects.ts';
import type { Links } from '../query/view-columns.ts';
import type { SandboxTurns } from '../scripts/sandbox-turns.ts';
import type { Engines } from '../shape/shape-matches.ts';
import type { RetrySettings } from '../subscriptions/channel/retry-policy.ts';
import { findAffected } from './affected/affected.ts';
import { explainDecisions } from './decisions/decisions.ts';
import { dryRun } from './dry-run/dry-run.ts';
import { checkExpression } from './editor/check-expression.ts';
import { completeExpression } from './editor/complete-expression.ts';
import { testRecent } from './recent/test-recent.ts';

export interface WebhookActionsParts {
  settings: Pick<
    Settings,
    'deactivatedKeepMs' | 'expressionBytesMax' | 'notificationBytesMax' | 'scriptBytesMax' | 'wireNames'
  > &
    RetrySettings;
  model: Model;
  links: Links;
  database: Database;
  objects: Pick<Objects, 'rehearse' | 'tryOut'>;
  clock: Clock;
  engines: Engines;
  turns: SandboxTurns;
}

export function explainActions({ settings, ...parts }: WebhookActionsParts): Map<string, ActionHandler> {
  const { deactivatedKeepMs, expressionBytesMax, notificationBytesMax, scriptBytesMax, wireNames } = settings;
  const trying = { ...parts, notificationBytesMax, scriptBytesMax, wireNames, retrySettings: settings };
  return new Map<string, ActionHandler>([
    ['WebhookSubscription.decisions', explainDecisions({ ...parts, deactivatedKeepMs })],
    ['WebhookSubscription.completions', completeExpression(parts.model)],
    ['WebhookSubscription.checkExpression', checkExpression(parts.model, expressionBytesMax)],
    ['WebhookSubscription.test', dryRun(trying)],
    ['WebhookSubscription.testRecent', testRecent(trying)],
    ['WebhookSubscription.affected', findAffected(parts)],
  ]);
}
