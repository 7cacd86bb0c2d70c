// Kills a process, the database or one of its sessions, and halts a process for longer than its lease.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Dice } from '../dice.ts';
import type { Interruption } from './delivery-ledger.ts';
import type { DeliveryProcess } from './delivery-processes.ts';
import type { Halt, Kill, Victim } from './delivery-report.ts';
import { countOverdueClaims } from './delivery-table.ts';
import type { KilledConnection, KilledDatabase } from './killed-database.ts';

export interface Interrupted {
  plan: { tell: (line: string) => void };
  database: KilledDatabase;
  /** The first serves requests. */
  processes: readonly DeliveryProcess[];
  connection: KilledConnection;
  interruptions: Interruption[];
}

const victims: Victim[] = [
  'api and worker',
  'api and worker',
  'worker',
  'worker',
  'worker',
  'PostgreSQL',
  'a session of PostgreSQL',
];

/** Often the next kill comes before recovery is complete. */
export async function killOne(run: Interrupted, dice: Dice, isLast: boolean): Promise<Kill> {
  const { processes, interruptions } = run;
  const killedAt = performance.now();
  const victim = await kill(run, dice.pick(victims)!);
  const interruption = { from: killedAt, until: performance.now() };
  interruptions.push(interruption);
  if (!isLast && dice.isBelow(0.5)) return { victim, recoveryMs: undefined };
  await Promise.all(processes.map((process) => process.awaitReady()));
  return { victim, recoveryMs: performance.now() - killedAt };
}

/** If there is no database at the moment, kills a worker instead. */
async function kill({ database, processes }: Interrupted, victim: Victim): Promise<Victim> {
  if (victim === 'PostgreSQL' || victim === 'a session of PostgreSQL') {
    const isKilled = victim === 'PostgreSQL' ? database.killServer() : await database.killSession();
    for (const process of processes) process.onDatabaseKilled();
    if (isKilled) return victim;
  }
  const index = victim === 'api and worker' ? 0 : 1;
  await processes[index]!.kill();
  return index === 0 ? 'api and worker' : 'worker';
}

/** The lease, the time until the other worker releases its claims, and a little more. */
const haltMsMin = 10_500;

/** Rarely the one that serves requests, because clients cannot write while it is halted. */
export async function haltOne({ processes, connection, interruptions, plan }: Interrupted, dice: Dice): Promise<Halt> {
  const ask = connection.ask.bind(connection);
  await Promise.all(processes.map((process) => process.awaitReady()));
  const index = dice.isBelow(0.25) ? 0 : 1;
  const haltedAt = performance.now();
  processes[index]!.halt();
  let claimed = 0;
  let left = 0;
  const until = haltedAt + haltMsMin + dice.between(0, 2_500);
  while (performance.now() < until) {
    left = await countOverdueClaims(ask);
    claimed = Math.max(claimed, left);
    await sleep(100);
  }
  processes[index]!.goOn();
  const halt = { process: index, ms: performance.now() - haltedAt, claimed, left };
  interruptions.push({ from: haltedAt, until: performance.now() });
  plan.tell(`halted: ${JSON.stringify(halt)}`);
  return halt;
}
