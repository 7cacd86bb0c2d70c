// Halts a process (SIGSTOP) in the middle of a batch for longer than its lease, until the other one has matched its
// events.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { transactionIdleMs } from '../../packages/server/src/database/session-settings.ts';
import type { MatchingProcess } from './matching-processes.ts';
import type { Halt } from './matching-report.ts';
import { countUnmatched, insertVessels, selectIsHolding } from './matching-table.ts';

export interface HaltOptions {
  halted: MatchingProcess;
  database: Client;
}

const triesMax = 60;
const eventsInBulk = 2_000;
/** After this time, messages in flight at the halt have arrived. */
const arrivalMs = 150;

export async function haltInBatch(options: HaltOptions): Promise<Halt> {
  const { halted, database } = options;
  for (let tries = 1; tries <= triesMax; tries += 1) {
    bulks += 1;
    await insertVessels(database, `bulk${bulks}`, eventsInBulk);
    if (!(await meets(options))) continue;
    halted.halt();
    try {
      await sleep(arrivalMs);
      const halt = (await selectIsHolding(database, halted.applicationName)) && (await awaitOthers(database, tries));
      if (halt) return halt;
    } finally {
      halted.goOn();
    }
  }
  return { kind: 'never' };
}

let bulks = 0;

/** Waits until the process is in a batch, or nothing is left to match. */
async function meets({ halted, database }: HaltOptions): Promise<boolean> {
  for (;;) {
    if (await selectIsHolding(database, halted.applicationName)) return true;
    if ((await countUnmatched(database)) === 0) return false;
  }
}

/**
 * Claimed events are visible in the queue to others until their transaction ends. Undefined if it held none, because
 * its claim came too late.
 */
async function awaitOthers(database: Client, tries: number): Promise<Halt | undefined> {
  const startedAt = performance.now();
  let held: number | undefined;
  for (;;) {
    const events = await countUnmatched(database);
    const elapsedMs = performance.now() - startedAt;
    if (events === 0 && held === undefined) return undefined;
    if (events === 0) return { kind: 'matched', tries, heldEvents: held!, takenOverMs: elapsedMs };
    if (elapsedMs > transactionIdleMs / 2) held ??= events;
    if (elapsedMs > 3 * transactionIdleMs) return { kind: 'left', events };
    await sleep(50);
  }
}
