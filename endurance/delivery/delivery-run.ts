// Clients write while the two processes and their database are killed and halted repeatedly, and receivers accept,
// reject and drop requests. At the end, compares what was accepted with what was delivered.

import { setTimeout as sleep } from 'node:timers/promises';
import { Dice } from '../dice.ts';
import { type DeliveryCourse, type GroundPlan, type StartProcesses, withGround } from './delivery-ground.ts';
import { keepPace, settleAndBalance } from './delivery-outcome.ts';
import { DeliveryProcess } from './delivery-processes.ts';
import type { DeliveryResult, Halt, Kill } from './delivery-report.ts';
import * as table from './delivery-table.ts';
import { haltOne, killOne } from './interrupt.ts';

export interface DeliveryPlan extends GroundPlan {
  kills: number;
  halts: number;
}

export function runDelivery(plan: DeliveryPlan): Promise<DeliveryResult> {
  return withGround(plan, startTwo, (run) => killAndBalance(run, plan));
}

const startTwo: StartProcesses = async ({ databaseUrl, folder }, stops) => {
  const processes: DeliveryProcess[] = [];
  stops.push(() => Promise.all(processes.map((process) => process.stop())));
  for (const roles of ['api,worker', 'worker'])
    processes.push(await DeliveryProcess.start({ databaseUrl, folder, roles }));
  return processes;
};

async function killAndBalance(run: DeliveryCourse, plan: DeliveryPlan): Promise<DeliveryResult> {
  const { clients, unsubscriber } = run;
  const startedAt = performance.now();
  const kills: Kill[] = [];
  const halts: Halt[] = [];
  const dice = new Dice(plan.seed);
  for (const client of clients) client.resume();
  unsubscriber.start();
  for (let count = 1; count <= plan.kills; count += 1) {
    await sleep(dice.between(20, 900));
    kills.push(await killOne(run, dice, count === plan.kills));
    if (count % Math.ceil(plan.kills / (plan.halts + 1)) === 0 && halts.length < plan.halts)
      halts.push(await haltOne(run, dice));
    await keepPace(run);
    if (count % 10 === 0) plan.tell(await renderProgress(run, `${count} kills`));
  }
  const books = await settleAndBalance(run);
  return { ...books, kills, halts, seconds: (performance.now() - startedAt) / 1000 };
}

export async function renderProgress(
  { clients, connection, receivers }: DeliveryCourse,
  done: string,
): Promise<string> {
  const left = await table.selectLeft(connection.ask.bind(connection));
  const changes = clients.reduce((sum, each) => sum + each.changes.length, 0);
  return `${done}, ${changes} changes, ${receivers.received.size} received, left: ${JSON.stringify(left)}`;
}
