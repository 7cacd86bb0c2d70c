// The health of subscriptions.

import { quoteText } from '@flaghoist/source-text';
import type { Database } from '../../database/database.ts';
import { ApiError } from '../../errors.ts';
import { healthMax, pendingCountedMax } from '../../model/catalogue/statistics-actions.ts';
import type { ActionHandler } from '../../objects/action-call.ts';
import { onlyUserFor } from '../../objects/caller.ts';
import { isKeyText } from '../../query/attributes/attribute-value.ts';
import { type HealthRow, selectHealth } from './health-table.ts';

export function readHealth({ database }: { database: Database }): ActionHandler {
  return async ({ type, given, caller }) => {
    const text = given.get('subscriptions') ?? null;
    const wanted = {
      userKey: onlyUserFor(type, caller) ?? null,
      keys: text === null ? null : readKeys(text),
      subscriptionsMax: healthMax,
      pendingMax: pendingCountedMax,
    };
    const rows = (await database.run(selectHealth(wanted), caller)) as unknown as HealthRow[];
    return JSON.stringify({ subscriptions: rows.map(healthOf) });
  };
}

function readKeys(text: string): number[] {
  const texts = text.split(',').map((each) => each.trim());
  const bad = texts.find((each) => !isKeyText(each));
  if (bad !== undefined)
    throw refused(`subscriptions: ${quoteText(bad)} is not a key; keys separated by commas were expected.`);
  if (texts.length > healthMax)
    throw refused(`subscriptions: has ${texts.length} keys; at most ${healthMax} are allowed.`);
  return texts.map(Number);
}

function refused(message: string): ApiError {
  return new ApiError('invalidQuery', message);
}

function healthOf(row: HealthRow) {
  const { error_at, error_text, error_status } = row;
  return {
    subscription: Number(row.key),
    status: statusOf(row),
    deliveredLastHour: row.delivered,
    failedLastHour: row.failed,
    pending: row.pending,
    oldestPendingAt: row.oldest_pending,
    lastError: error_at === null ? null : { at: error_at, text: error_text, status: error_status },
    failingSince: row.failing_since,
    points: pointsOf(row),
  };
}

function statusOf({ state, failing_since, is_shaping_failing }: HealthRow): string {
  return state === 'ACTIVE' && (failing_since !== null || is_shaping_failing) ? 'FAILING' : state;
}

function pointsOf({ hours, current_hour }: HealthRow) {
  const counts = new Map((JSON.parse(hours) as number[][]).map(([hour, ...rest]) => [hour, rest]));
  return Array.from({ length: 24 }, (_, index) => {
    const hour = current_hour - 23 + index;
    const [delivered = 0, failed = 0] = counts.get(hour) ?? [];
    return { at: new Date(hour * 3_600_000).toISOString().replace('.000Z', 'Z'), delivered, failed };
  });
}
