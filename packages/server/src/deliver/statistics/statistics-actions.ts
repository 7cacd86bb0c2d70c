// The actions that read statistics: a map from `<type>.<action>` to the handler.

import type { ActionHandler } from '../../objects/action-call.ts';
import { readHealth } from './read-health.ts';
import { readStatistics, type StatisticsParts } from './read-statistics.ts';

export function statisticsActions(parts: StatisticsParts): Map<string, ActionHandler> {
  return new Map([
    ['WebhookNotification.statistics', readStatistics(parts)],
    ['WebhookSubscription.health', readHealth(parts)],
  ]);
}
