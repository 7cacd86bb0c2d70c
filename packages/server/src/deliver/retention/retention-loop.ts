// Enforces the retention of the log: creates the daily partitions ahead, and drops days past their retention, bodies
// before records.

import type { Database, Statement } from '../../database/database.ts';
import { isTemporary } from '../../database/database-away.ts';
import type { Observe } from '../../observe/observation.ts';
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
  database: Database;
  observe: Observe;
  bodyDays: number;
  notificationDays: number;
}

const everyMs = 10 * 60_000;
const rowsAtOnce = 2_000;

const records: DayTable = 'flaghoist_service.webhook_notification';
const bodies: DayTable = 'flaghoist_system.notification_body';

export class RetentionLoop {
  readonly #parts: RetentionParts;
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> | undefined;
  #isStopping = false;

  constructor(parts: RetentionParts) {
    this.#parts = parts;
  }

  start(): void {
    const begin = () => {
      this.#round ??= this.keep().finally(() => {
        this.#round = undefined;
      });
    };
    begin();
    this.#timer = setInterval(begin, everyMs);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#timer);
    await this.#round;
  }

  /** Runs one round. `start` repeats it. */
  async keep(): Promise<void> {
    const { bodyDays, notificationDays, observe } = this.#parts;
    try {
      for (const table of [records, bodies]) await this.#parts.database.run(makeDays(table));
      await this.#dropDays(bodies, Math.min(bodyDays, notificationDays));
      await this.#dropDays(records, notificationDays);
      await this.#untilNone(() => deleteOldEvents(notificationDays, rowsAtOnce));
    } catch (error) {
      // The next round retries.
      if (!isTemporary(error)) observe({ kind: 'housekeeping.failed', error: error as Error });
    }
  }

  async #dropDays(table: DayTable, daysKept: number): Promise<void> {
    const { database, observe } = this.#parts;
    while (!this.#isStopping) {
      const [row] = await database.run(selectOldDay(table, daysKept));
      const day = row?.day as string | null;
      if (day === null) return;
      await this.#untilNone(() =>
        failWithoutBody(day, 'It was not sent in time: its body is not kept any more.', rowsAtOnce),
      );
      await this.#untilNone(() => deleteResendable(day, rowsAtOnce));
      await database.run(dropDay(table, day));
      observe({ kind: 'log.dayDropped', table, day });
    }
  }

  async #untilNone(some: () => Statement): Promise<void> {
    while (!this.#isStopping && (await this.#parts.database.run(some())).length > 0);
  }
}
