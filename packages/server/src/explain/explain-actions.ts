// The actions of subscriptions that explain matching: decisions and dry runs, by `<type>.<action>`.

import type { Clock } from '../clock.ts';
import type { Settings } from '../config/settings-table.ts';
import type { Database } from '../database/database.ts';
import type { Model } from '../model/object-type.ts';
import type { ActionHandler } from '../objects/action-call.ts';
import type { Objects } from '../objects/objects.ts';
import type { Links } from '../query/view-columns.ts';
import type { SandboxTurns } from '../scripts/sandbox-turns.ts';
import type { Engines } from '../shape/shape-matches.ts';
import { explainDecisions } from './decisions.ts';
import { dryRun } from './dry-run.ts';

export interface WebhookActionsParts {
  settings: Pick<Settings, 'deactivatedKeepMs' | 'notificationBytesMax' | 'wireNames'>;
  model: Model;
  links: Links;
  database: Database;
  objects: Pick<Objects, 'rehearse'>;
  clock: Clock;
  engines: Engines;
  turns: SandboxTurns;
}

export function explainActions({ settings, ...parts }: WebhookActionsParts): Map<string, ActionHandler> {
  const { deactivatedKeepMs, notificationBytesMax, wireNames } = settings;
  return new Map([
    ['WebhookSubscription.decisions', explainDecisions({ ...parts, deactivatedKeepMs })],
    ['WebhookSubscription.test', dryRun({ ...parts, notificationBytesMax, wireNames })],
  ]);
}
