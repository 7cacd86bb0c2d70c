// The statistics of the last hour, day or week.

import type { Database } from '../../database/database.ts';
import type { Model } from '../../model/object-type.ts';
import type { ActionCall, ActionHandler } from '../../objects/action-call.ts';
import { onlyUserFor } from '../../objects/caller.ts';
import { notFound } from '../../objects/object-errors.ts';
import { everySubject } from './count-activity.ts';
import { addCounts, percentileOf } from './latency-buckets.ts';
import {
  type Counts,
  type CountsRow,
  selectCounts,
  selectMinute,
  selectUsers,
  type UserOfSubscription,
} from './statistics-table.ts';
import { ranges } from './steps.ts';

export interface StatisticsParts {
  database: Database;
  model: Model;
}

export function readStatistics(parts: StatisticsParts): ActionHandler {
  return async (call) => {
    const { database } = parts;
    const range = call.given.get('range') as keyof typeof ranges;
    const { stepMinutes, points } = ranges[range];
    const subject = await findSubject(parts, call);
    const [minutes, own = [], all = []] = await database.runTogether(call.caller, [
      selectMinute(),
      selectCounts(subject, stepMinutes, points),
      ...(subject === everySubject ? [] : [selectCounts(everySubject, stepMinutes, points)]),
    ]);
    const now = minutes![0]!.minute as number;
    const to = now - (now % stepMinutes) + stepMinutes;
    const from = to - stepMinutes * points;
    const ofSubject = countsByMinute(own as unknown as CountsRow[]);
    const ofAll = subject === everySubject ? ofSubject : countsByMinute(all as unknown as CountsRow[]);
    const counts = Array.from({ length: points }, (_, index): Counts => {
      const minute = from + index * stepMinutes;
      return { ...(ofSubject.get(minute) ?? none), changes: ofAll.get(minute)?.changes ?? 0 };
    });
    return JSON.stringify({
      range,
      from: timeOf(from),
      to: timeOf(to),
      stepSeconds: stepMinutes * 60,
      points: counts.map((each, index) => ({ at: timeOf(from + index * stepMinutes), ...shown(each) })),
      totals: shown(counts.reduce(sum)),
    });
  };
}

/** Whose counts are read. */
async function findSubject({ database, model }: StatisticsParts, { type, given, caller }: ActionCall): Promise<number> {
  const onlyUser = onlyUserFor(type, caller);
  const subscription = given.get('subscription');
  if (!subscription) return onlyUser ?? everySubject;
  const key = Number(subscription);
  const [row] = (await database.run(selectUsers([key]), caller)) as unknown as UserOfSubscription[];
  if (!row || (onlyUser !== undefined && Number(row.user) !== onlyUser))
    throw notFound(model.types.get('WebhookSubscription')!, key);
  return key;
}

const none: Counts = { changes: 0, created: 0, delivered: 0, retried: 0, failed: 0, latencies: [] };

function countsByMinute(rows: readonly CountsRow[]): Map<number, Counts> {
  return new Map(
    rows.map(({ minute, latencies, ...counts }) => [
      minute,
      { ...counts, latencies: JSON.parse(latencies) as number[] },
    ]),
  );
}

function sum(one: Counts, other: Counts): Counts {
  return {
    changes: one.changes + other.changes,
    created: one.created + other.created,
    delivered: one.delivered + other.delivered,
    retried: one.retried + other.retried,
    failed: one.failed + other.failed,
    latencies: addCounts(one.latencies, other.latencies),
  };
}

function shown({ latencies, ...counts }: Counts) {
  return { ...counts, p50Ms: percentileOf(latencies, 0.5), p99Ms: percentileOf(latencies, 0.99) };
}

function timeOf(minute: number): string {
  return new Date(minute * 60_000).toISOString().replace('.000Z', 'Z');
}
