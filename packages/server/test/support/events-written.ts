// What a piece of work writes to the outbox of events, and what it does not.

import type { TestService } from './test-service.ts';

export interface WrittenEvent {
  /** `Voyage.U.1042` */
  name: string;
  transactionId: string;
  oldRow: Record<string, unknown> | null;
  newRow: Record<string, unknown> | null;
  /** `{ Voyage: [1042] }`: in whose hierarchy the object was, and is. */
  rootsBefore: Record<string, number[]> | null;
  rootsAfter: Record<string, number[]> | null;
}

/** The events that were written while the work was done, in their order. */
export async function eventsDuring({ database }: TestService, work: () => Promise<unknown>): Promise<WrittenEvent[]> {
  const { rows: last } = await database.pool.query('select coalesce(max(id), 0) as id from flaghoist_system.event');
  await work();
  const { rows } = await database.pool.query(
    `select object_type || '.' || operation || '.' || object_key as "name", transaction_id::text as "transactionId",
            old_row as "oldRow", new_row as "newRow", roots_before as "rootsBefore", roots_after as "rootsAfter"
     from flaghoist_system.event where id > $1 order by id`,
    [last[0].id],
  );
  return rows;
}

/** Their names alone, in alphabetical order: what is written together has no order that means anything. */
export async function eventNamesDuring(service: TestService, work: () => Promise<unknown>): Promise<string[]> {
  return (await eventsDuring(service, work)).map(({ name }) => name).sort();
}
