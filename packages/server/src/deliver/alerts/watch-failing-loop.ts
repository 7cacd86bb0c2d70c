// Tells the owner of a subscription, and the alert URL, that deliveries have been failing for long and will be retried
// for long: once until a delivery succeeds. Every process looks; the database decides which one tells.

import type { Database } from '../../database/database.ts';
import { WorkLoop } from '../../database/work-loop.ts';
import type { Observe } from '../../observe/observation.ts';
import {
  type RetrySchedule,
  type RetrySettings,
  scheduleOf,
  spanAfter,
} from '../../subscriptions/channel/retry-policy.ts';
import { composeFailingMail } from '../mail/compose-failing-mail.ts';
import {
  type LongFailingRow,
  reportFailing,
  selectLongFailing,
  selectUnreported,
  type UnreportedRow,
} from './long-failing-table.ts';

export interface WatchFailingParts {
  database: Database;
  observe: Observe;
  baseUrl: string;
  settings: RetrySettings;
  hasAlertUrl: boolean;
}

const pollEveryMs = 5_000;

export function createWatchFailingLoop(parts: WatchFailingParts): WorkLoop {
  return new WorkLoop({
    round: async (loop) => {
      const rows = (await parts.database.run(selectUnreported(shortSpanMs / 2))) as unknown as UnreportedRow[];
      for (const { key, failing_ms: failingMs, retry_policy: policy } of rows)
        if (!loop.isStopping && isLong(failingMs, scheduleOf(policy, parts.settings))) await tell(parts, Number(key));
      return false;
    },
    pollEveryMs,
    onError: (error) => parts.observe({ kind: 'delivery.failed', error }),
  });
}

/** Shorter retries are not reported: the deactivation follows soon. */
const shortSpanMs = 600_000;
const longMs = 3_600_000;

/** An hour, or half of the time that is spent on retries. Pure. */
export function isLong(failingMs: number, schedule: RetrySchedule): boolean {
  const spanMs = spanAfter(schedule, 1);
  return spanMs > shortSpanMs && failingMs >= Math.min(longMs, spanMs / 2);
}

async function tell(
  { database, observe, baseUrl, settings, hasAlertUrl }: WatchFailingParts,
  key: number,
): Promise<void> {
  const [row] = (await database.run(selectLongFailing(key))) as unknown as LongFailingRow[];
  if (!row) return;
  const { failing_since: since, waiting, do_not_unsubscribe } = row;
  const lastAttempt = lastAttemptOf(row, settings);
  const error = row.error ?? 'unknown';
  const [reported] = await database.run(
    reportFailing(key, {
      failingSince: since,
      mail: mailTo(row, { baseUrl, lastAttempt, error }),
      facts: hasAlertUrl
        ? { since, error, waiting, lastAttempt: lastAttempt.toISOString(), isDeactivated: !do_not_unsubscribe }
        : undefined,
    }),
  );
  if (reported)
    observe({
      kind: 'subscription.failing',
      subscription: key,
      since,
      lastAttempt: lastAttempt.toISOString(),
      reason: error,
    });
}

function lastAttemptOf({ retry_policy, attempts, next_attempt }: LongFailingRow, settings: RetrySettings): Date {
  const restMs = spanAfter(scheduleOf(retry_policy, settings), attempts + 1);
  return new Date(new Date(next_attempt).getTime() + restMs);
}

function mailTo(
  row: LongFailingRow,
  { baseUrl, lastAttempt, error }: { baseUrl: string; lastAttempt: Date; error: string },
) {
  const { subscription, user_name, user_email: email } = row;
  if (email === null) return undefined;
  return composeFailingMail({
    subscription: { ...subscription, url: subscription.url ?? '' },
    user: { name: user_name ?? '', email },
    failingSince: new Date(row.failing_since),
    lastError: error,
    waiting: row.waiting,
    nextAttemptAt: new Date(row.next_attempt),
    lastAttemptAt: lastAttempt,
    attempts: row.attempts,
    isDeactivated: !row.do_not_unsubscribe,
    baseUrl,
  });
}
