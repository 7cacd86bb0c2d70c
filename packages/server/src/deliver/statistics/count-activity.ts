// Adds what has happened lately to the counts: of each subscription, of each user, and of all together, in steps of each
// length. One transaction moves a batch, so nothing is lost or counted twice.

import type { Database } from '../../database/database.ts';
import { WorkLoop } from '../../database/work-loop.ts';
import { entryOf } from '../../entry-of.ts';
import type { Observe } from '../../observe/observation.ts';
import { deliveryActor } from '../workers/delivery-actor.ts';
import { activityCodes, type SubscriptionError } from './activity-table.ts';
import {
  type ActivityRow,
  addToCounts,
  type Counts,
  keepErrors,
  type StepCounts,
  selectUsers,
  takeActivity,
  type UserOfSubscription,
} from './statistics-table.ts';
import { steps } from './steps.ts';

const everyMs = 1_000;
const rowsMax = 200;

/** The subject of the counts of all subscriptions. */
export const everySubject = 0;

export function createCountLoop({ database, observe }: { database: Database; observe: Observe }): WorkLoop {
  return new WorkLoop({
    round: () => countSome(database),
    pollEveryMs: everyMs,
    onError: (error) => observe({ kind: 'housekeeping.failed', error }),
  });
}

/** Returns whether there may be more. */
function countSome(database: Database): Promise<boolean> {
  return database.transaction(deliveryActor, async ({ run, commitWith }) => {
    const [taken = []] = await run(takeActivity(rowsMax));
    if (taken.length === 0) return false;
    const activities = (taken as unknown as ActivityRow[]).map(readActivity);
    const keys = [...new Set(activities.flatMap(({ subscriptions }) => subscriptions))];
    const [found = []] = keys.length > 0 ? await run(selectUsers(keys)) : [];
    const users = new Map((found as unknown as UserOfSubscription[]).map((row) => [Number(row.key), Number(row.user)]));
    const errors = lastErrors(activities);
    const counts = inSteps(countByMinute(activities, users));
    await commitWith(addToCounts(counts), ...(errors.length > 0 ? [keepErrors(errors)] : []));
    return taken.length === rowsMax;
  });
}

interface Activity {
  minute: number;
  subscriptions: number[];
  codes: number[];
  changes: { minute: number; count: number }[];
  errors: SubscriptionError[];
}

function readActivity(row: ActivityRow): Activity {
  const [minutes, counts] = [row.change_minutes, row.change_counts].map((text) => JSON.parse(text) as number[]);
  return {
    minute: row.minute,
    subscriptions: JSON.parse(row.subscription_keys),
    codes: JSON.parse(row.codes),
    changes: minutes!.map((minute, index) => ({ minute, count: counts![index]! })),
    errors: row.errors === null ? [] : JSON.parse(row.errors),
  };
}

/** Subject → minute → counts. */
type CountsByMinute = Map<number, Map<number, WritableCounts>>;

type WritableCounts = { -readonly [Name in keyof Counts]: Name extends 'latencies' ? number[] : number };

function countByMinute(activities: readonly Activity[], users: ReadonlyMap<number, number>): CountsByMinute {
  const counts: CountsByMinute = new Map();
  const countsOf = (subject: number, minute: number) =>
    entryOf(
      entryOf(counts, subject, () => new Map<number, WritableCounts>()),
      minute,
      noCounts,
    );
  for (const { minute, subscriptions, codes, changes } of activities) {
    for (const change of changes) countsOf(everySubject, change.minute).changes += change.count;
    for (const [index, subscription] of subscriptions.entries()) {
      const code = codes[index]!;
      if (code === activityCodes.changed) continue;
      const user = users.get(subscription);
      for (const subject of user === undefined ? [subscription, everySubject] : [subscription, user, everySubject])
        add(countsOf(subject, minute), code);
    }
  }
  return counts;
}

function add(counts: WritableCounts, code: number): void {
  if (code >= activityCodes.deliveredWithin) {
    counts.delivered += 1;
    const bucket = code - activityCodes.deliveredWithin;
    while (counts.latencies.length <= bucket) counts.latencies.push(0);
    counts.latencies[bucket]! += 1;
  } else if (code === activityCodes.deliveredAgain) counts.delivered += 1;
  else if (code === activityCodes.created) counts.created += 1;
  else if (code === activityCodes.retried) counts.retried += 1;
  else if (code === activityCodes.failed) counts.failed += 1;
}

function noCounts(): WritableCounts {
  return { changes: 0, created: 0, delivered: 0, retried: 0, failed: 0, latencies: [] };
}

function inSteps(byMinute: CountsByMinute): StepCounts[] {
  const counted = new Map<string, StepCounts & WritableCounts>();
  for (const [subject, minutes] of byMinute)
    for (const [at, counts] of minutes)
      for (const { minutes: stepMinutes } of steps) {
        const minute = at - (at % stepMinutes);
        const step = { subject, stepMinutes, minute };
        addAll(
          entryOf(counted, `${subject} ${stepMinutes} ${minute}`, () => ({ ...step, ...noCounts() })),
          counts,
        );
      }
  return [...counted.values()];
}

function addAll(sum: WritableCounts, counts: Counts): void {
  for (const name of ['changes', 'created', 'delivered', 'retried', 'failed'] as const) sum[name] += counts[name];
  for (const [bucket, count] of counts.latencies.entries())
    sum.latencies[bucket] = (sum.latencies[bucket] ?? 0) + count;
}

/** One for each subscription. */
function lastErrors(activities: readonly Activity[]): SubscriptionError[] {
  const errors = new Map<number, SubscriptionError>();
  for (const error of activities.flatMap((activity) => activity.errors)) {
    const known = errors.get(error.subscription);
    if (!known || known.at <= error.at) errors.set(error.subscription, error);
  }
  return [...errors.values()];
}
