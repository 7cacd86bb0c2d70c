// Enforces the retention of the log: creates the daily partitions ahead, and drops days past their retention, bodies
// before their contents, and both before records.

import type { Database, Statement } from '../../database/database.ts';
import { type Stopping, WorkLoop } from '../../database/work-loop.ts';
import type { Observe } from '../../observe/observation.ts';
import { deleteOldCounts, deleteOldErrors } from '../statistics/statistics-table.ts';
import { errorsKeptMinutes, steps } from '../statistics/steps.ts';
import { deleteUnusedRates } from '../throttle/rate-table.ts';
import {
  type DayTable,
  deleteOldEvents,
  deleteResendable,
  dropDay,
  failWithoutBody,
  makeDays,
  selectOldDay,
} from './retention-table.ts';

export interface RetentionParts {
  database: Pick<Database, 'run'>;
  observe: Observe;
  bodyDays: number;
  notificationDays: number;
}

const pollEveryMs = 10 * 60_000;
const rowsAtOnce = 2_000;

const records: DayTable = 'flaghoist_service.webhook_notification';
const bodies: DayTable = 'flaghoist_system.notification_body';
const contents: DayTable = 'flaghoist_system.notification_content';

export function createRetentionLoop(parts: RetentionParts): WorkLoop {
  return new WorkLoop({
    round: (loop) => enforceRetention(parts, loop),
    pollEveryMs,
    onError: (error) => parts.observe({ kind: 'housekeeping.failed', error }),
  });
}

export async function enforceRetention(parts: RetentionParts, loop: Stopping): Promise<false> {
  const { database, notificationDays } = parts;
  for (const table of [records, contents, bodies]) await database.run(makeDays(table));
  await dropOldDays(parts, loop);
  // Records are dropped by whole days, so the last ones are up to a day older.
  await untilNone(database, () => deleteOldEvents(notificationDays + 1, rowsAtOnce), loop);
  await database.run(deleteUnusedRates());
  for (const { minutes, keptMinutes } of steps)
    await untilNone(database, () => deleteOldCounts(minutes, keptMinutes, rowsAtOnce), loop);
  await untilNone(database, () => deleteOldErrors(errorsKeptMinutes, rowsAtOnce), loop);
  return false;
}

/** While a body is kept, so are its content and its record: what cannot be dropped keeps those after it. */
async function dropOldDays(parts: RetentionParts, loop: Stopping): Promise<void> {
  const { bodyDays, notificationDays } = parts;
  for (const table of [bodies, contents])
    if (!(await dropDays(parts, table, Math.min(bodyDays, notificationDays), loop))) return;
  await dropDays(parts, records, notificationDays, loop);
}

/** Returns whether all were dropped. */
async function dropDays(parts: RetentionParts, table: DayTable, daysKept: number, loop: Stopping): Promise<boolean> {
  const { database, observe } = parts;
  const errorMessage = 'It was not sent in time: its body is no longer kept.';
  while (!loop.isStopping) {
    const [row] = await database.run(selectOldDay(table, daysKept));
    const day = row?.day as string | null;
    if (day === null) return true;
    for (const isWaiting of [false, true])
      await untilNone(database, () => failWithoutBody(day, { errorMessage, rowsMax: rowsAtOnce, isWaiting }), loop);
    await untilNone(database, () => deleteResendable(day, rowsAtOnce), loop);
    // The next process continues with this day.
    if (loop.isStopping) return false;
    if ((await database.run(dropDay(table, day))).length === 0) return false;
    observe({ kind: 'log.dayDropped', table, day });
  }
  return false;
}

async function untilNone(database: Pick<Database, 'run'>, some: () => Statement, loop: Stopping): Promise<void> {
  while (!loop.isStopping && (await database.run(some())).length > 0);
}
