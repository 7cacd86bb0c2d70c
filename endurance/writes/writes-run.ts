// Clients write while the processes of the service are killed repeatedly. At rest, checks that nothing was lost,
// halved, doubled or invented.

import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'undici';
import { readMachineFacts } from '../../bench/harness/machine-facts.ts';
import { authorize } from '../../bench/harness/service-client.ts';
import { buildModel } from '../../packages/server/src/model/build-model.ts';
import { catalogue } from '../../packages/server/src/model/catalogue/catalogue.ts';
import { Dice } from '../dice.ts';
import type { Finding } from '../finding.ts';
import { judgeChanges } from './change-ledger.ts';
import { countEventsAndObjects, findBrokenHistories, selectHistory, selectVersion } from './history-table.ts';
import { KilledService, type Victim } from './killed-service.ts';
import { makeWorld } from './make-world.ts';
import { ServiceAnswers } from './service-answers.ts';
import { WriteClient } from './write-client.ts';
import type { Kill, WritesResult } from './writes-report.ts';

export interface WritesPlan {
  kills: number;
  clients: number;
  /** How many kills between two checks at rest. There is also one at the end. */
  checkEvery: number;
  seed: number;
  tell: (line: string) => void;
}

export async function runWrites(plan: WritesPlan): Promise<WritesResult> {
  const startedAt = performance.now();
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'flaghoist-endurance-')));
  const agent = new Agent();
  const service = await KilledService.start(folder);
  try {
    const facts = readMachineFacts(await service.withDatabase(selectVersion));
    const run: Run = {
      plan,
      service,
      clients: await startClients(plan, service, agent),
      kills: [],
      checks: 0,
      findings: [],
    };
    await killAndCheck(run);
    const { events, objects } = await service.withDatabase((client) => countEventsAndObjects(client, model));
    const left = await service.stop();
    run.findings.push(...left.map((text): Finding => ({ kind: 'process left', text })));
    return {
      seed: plan.seed,
      clients: plan.clients,
      seconds: (performance.now() - startedAt) / 1000,
      kills: run.kills,
      changes: run.clients.flatMap(({ changes }) => changes),
      events,
      objects,
      checks: run.checks,
      startsGivenUp: service.startsGivenUp,
      findings: await service.explain(
        distinct([...run.clients.flatMap(({ findings }) => findings), ...service.findings, ...run.findings]),
      ),
      facts,
    };
  } finally {
    await service.stop();
    await agent.destroy();
    await rm(folder, { recursive: true, force: true });
  }
}

/** A later check finds the same problems again. */
function distinct(findings: Finding[]): Finding[] {
  return [...new Map(findings.map((finding) => [`${finding.kind} ${finding.text}`, finding])).values()];
}

interface Run {
  plan: WritesPlan;
  service: KilledService;
  clients: WriteClient[];
  kills: Kill[];
  checks: number;
  findings: Finding[];
}

const model = buildModel(catalogue);

async function startClients(plan: WritesPlan, { origin }: KilledService, agent: Agent): Promise<WriteClient[]> {
  const service = new ServiceAnswers({ origin, dispatcher: agent, headers: await authorize(origin) });
  const world = await makeWorld(service);
  return Array.from(
    { length: plan.clients },
    (_, index) => new WriteClient({ name: `c${index}`, dice: new Dice(plan.seed + index + 1), world, service }),
  );
}

async function killAndCheck(run: Run): Promise<void> {
  const { plan, service, clients } = run;
  const dice = new Dice(plan.seed);
  for (const client of clients) client.resume();
  for (let count = 1; count <= plan.kills; count += 1) {
    await sleep(dice.between(20, 900));
    run.kills.push(await killOnce(service, dice, count === plan.kills));
    if (count % plan.checkEvery !== 0 && count !== plan.kills) continue;
    await service.awaitReady();
    await checkAtRest(run);
    plan.tell(
      `${count} kills, ${clients.reduce((sum, { changes }) => sum + changes.length, 0)} changes, ` +
        `${run.findings.length} findings`,
    );
  }
}

const victims: Victim[] = ['node', 'node', 'postmaster', 'postmaster', 'session', 'node and postmaster'];

/** Sometimes the next kill comes while the service is still recovering. */
async function killOnce(service: KilledService, dice: Dice, isLast: boolean): Promise<Kill> {
  const killedAt = performance.now();
  const victim = await service.kill(dice.pick(victims)!);
  if (!isLast && dice.isBelow(0.15)) return { victim, recoveryMs: undefined };
  await service.awaitReady();
  return { victim, recoveryMs: performance.now() - killedAt };
}

async function checkAtRest(run: Run): Promise<void> {
  const { service, clients } = run;
  await Promise.all(clients.map((client) => client.pause()));
  run.checks += 1;
  const changes = clients.flatMap((client) => client.changes);
  run.findings.push(
    ...(await service.withDatabase(async (client) => [
      ...judgeChanges(changes, await selectHistory(client)),
      ...(await findBrokenHistories(client, model)),
    ])),
  );
  if (run.kills.length < run.plan.kills) for (const client of clients) client.resume();
}
