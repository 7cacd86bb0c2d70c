// Reports notifications that have waited to be sent for too long, once until the backlog is young again. Every process
// looks; the database decides which one reports.

import type { Database } from '../../database/database.ts';
import { WorkLoop } from '../../database/work-loop.ts';
import type { Observe } from '../../observe/observation.ts';
import { deliveryActor } from '../workers/delivery-actor.ts';
import { type NewAlert, wholeService } from './alert.ts';
import { forgetOthers, type OldBacklogRow, rememberReported, selectOldBacklog } from './old-backlog-table.ts';
import { insertAlert } from './outgoing-alert-table.ts';

export interface WatchBacklogParts {
  database: Database;
  observe: Observe;
  /** From this age on, a backlog is reported. */
  oldMs: number;
}

const [pollMinMs, pollMaxMs] = [1_000, 30_000];

export function createWatchBacklogLoop(parts: WatchBacklogParts): WorkLoop {
  return new WorkLoop({
    round: async () => {
      await reportOldBacklog(parts);
      return false;
    },
    pollEveryMs: Math.min(pollMaxMs, Math.max(pollMinMs, parts.oldMs / 10)),
    onError: (error) => parts.observe({ kind: 'delivery.failed', error }),
  });
}

async function reportOldBacklog({ database, oldMs }: Pick<WatchBacklogParts, 'database' | 'oldMs'>): Promise<void> {
  const old = (await database.run(selectOldBacklog(oldMs))) as unknown as OldBacklogRow[];
  const keys = old.map(({ key }) => Number(key));
  await database.transaction(deliveryActor, async ({ run, commitWith }) => {
    const [, added = []] = await run(forgetOthers(keys), rememberReported(keys));
    const isNew = new Set(added.map(({ key }) => key));
    await commitWith(...alertsAbout(old.filter(({ key }) => isNew.has(key))).map(insertAlert));
  });
}

/** If more subscriptions than this have an old backlog, none of them is the cause. */
const subscriptionsMax = 5;

/** Pure. */
export function alertsAbout(rows: readonly OldBacklogRow[]): NewAlert[] {
  const changes = rows.filter(({ key }) => Number(key) === wholeService);
  const notifications = rows.filter(({ key }) => Number(key) !== wholeService);
  const all = notifications.length > subscriptionsMax ? [sumOf(notifications)] : notifications.map(toAlert);
  return [...changes.map(toAlert), ...all];
}

function toAlert({ key, waiting, age_seconds: ageSeconds }: OldBacklogRow): NewAlert {
  const subscriptionKey = Number(key);
  const what = subscriptionKey === wholeService ? 'changes' : 'notifications';
  return { subscriptionKey, kind: 'BACKLOG_OLD', facts: { what, waiting, ageSeconds } };
}

function sumOf(rows: readonly OldBacklogRow[]): NewAlert {
  const waiting = rows.reduce((sum, row) => sum + row.waiting, 0);
  const ageSeconds = rows.reduce((most, { age_seconds }) => Math.max(most, age_seconds), 0);
  const facts = { what: 'notifications', waiting, ageSeconds, subscriptions: rows.length } as const;
  return { subscriptionKey: wholeService, kind: 'BACKLOG_OLD', facts };
}
