// One client attacks: with large lists on many connections (starve), with requests whose responses it never reads
// (unread), or with single large objects (swell). Meanwhile another client and a health probe send small requests at a
// steady rate, as before the attack.

import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { clusterFolder } from '@flaghoist/embedded-postgres/inspect';
import { type MachineFacts, readMachineFacts } from '../../bench/harness/machine-facts.ts';
import { startEmbedded } from '../../packages/server/src/database/embedded-server.ts';
import { waitForServer } from '../../packages/server/src/database/wait-for-server.ts';
import { ApiProbe } from '../backlog/api-probe.ts';
import type { Finding } from '../finding.ts';
import { type AttackWorld, openWorld } from './attack-world.ts';
import {
  type AttackRequest,
  askTooMuch,
  largePath,
  readMuch,
  readNothing,
  type Statuses,
  tooLargePath,
} from './attackers.ts';
import { judgeAttack, type Phase } from './judge-attack.ts';
import { addLargeObjects, largeRequests } from './large-objects.ts';
import { MemoryWatch, type PeakMemory } from './memory-watch.ts';

export interface AttackPlan {
  kind: 'starve' | 'unread' | 'swell';
  voyages: number;
  /** Number of connections, or of unread sockets. */
  connections: number;
  /** Duration of each phase. */
  seconds: number;
  dist: string | undefined;
  tell: (line: string) => void;
}

export interface AttackResult extends Omit<AttackPlan, 'tell'> {
  facts: MachineFacts;
  calm: Phase;
  attacked: Phase;
  /** The responses to the attacker, as far as it read them. */
  statuses: Statuses;
  peak: PeakMemory;
  findings: Finding[];
}

const victimPath = '/ws/rest/Currency?limit=1';
const healthPath = '/health/ready';
const limit = 2000;
const unreadPauseMs = 150;
const refusedRequests = 6;

export async function runAttack(plan: AttackPlan): Promise<AttackResult> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'flaghoist-attack-')));
  const database = await startEmbedded({ dataDir: folder, observe: () => undefined });
  try {
    const facts = readMachineFacts(await waitForServer(database.url, () => undefined));
    const world = await openWorld(database.url, folder, plan);
    try {
      const { tell, ...shown } = plan;
      return { ...shown, facts, ...(await measure(plan, world, await postmasterPid(folder))) };
    } finally {
      await world.service.program.stop();
    }
  } finally {
    await database.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

type Measured = Pick<AttackResult, 'calm' | 'attacked' | 'statuses' | 'peak' | 'findings'>;

async function measure(plan: AttackPlan, world: AttackWorld, postmaster: number): Promise<Measured> {
  const requests = plan.kind === 'swell' ? largeRequests(await addLargeObjects(world.databaseUrl)) : [];
  plan.tell('without an attack');
  const calm = await probe(world, () => sleep(plan.seconds * 1000));
  plan.tell('under attack');
  const memory = new MemoryWatch(world.service.program.pid, postmaster);
  const attacked = await probe(world, () => attack(plan, world, requests));
  const peak = await memory.stop();
  const { statuses, findings } = attacked.result;
  const judged = judgeAttack(calm.phase, attacked.phase, peak);
  return {
    calm: calm.phase,
    attacked: attacked.phase,
    statuses,
    peak,
    findings: [...calm.findings, ...attacked.findings, ...findings, ...judged],
  };
}

async function probe<T>(
  { service, victim }: AttackWorld,
  during: () => Promise<T>,
): Promise<{ phase: Phase; findings: Finding[]; result: T }> {
  const client = new ApiProbe(service.origin, [victimPath], victim);
  const health = new ApiProbe(service.origin, [healthPath], {});
  const result = await during();
  const [[ofClient], [ofHealth]] = await Promise.all([client.stop(), health.stop()]);
  return {
    phase: { victim: ofClient!, health: ofHealth! },
    findings: [...client.findings, ...health.findings],
    result,
  };
}

async function attack(
  { kind, connections, seconds }: AttackPlan,
  { service, attacker }: AttackWorld,
  requests: readonly AttackRequest[],
): Promise<{ statuses: Statuses; findings: Finding[] }> {
  const target = { origin: service.origin, headers: attacker };
  const endsAtMs = performance.now() + seconds * 1000;
  if (kind === 'starve') {
    const statuses = await readMuch(target, [{ path: largePath(limit) }], connections, endsAtMs);
    return { statuses, findings: judgeAnswered(statuses, [200]) };
  }
  if (kind === 'swell') {
    const statuses = await readMuch(target, requests, connections, endsAtMs);
    return { statuses, findings: judgeAnswered(statuses, [200, 413]) };
  }
  // One socket is read, to show that the unread ones would get responses, too.
  const statuses = await readMuch(target, [{ path: largePath(limit) }], 1, 0);
  const refused = askTooMuch(target, tooLargePath(limit), refusedRequests);
  const hangUp = await readNothing(target, largePath(limit), connections, unreadPauseMs);
  await sleep(Math.max(0, endsAtMs - performance.now()));
  hangUp();
  return { statuses, findings: [...(await refused), ...judgeAnswered(statuses, [200])] };
}

function judgeAnswered(statuses: Statuses, expected: readonly number[]): Finding[] {
  return expected
    .filter((status) => !statuses.has(status))
    .map((status) => ({ kind: 'wrong answer', text: `no large answer was ${status}` }));
}

async function postmasterPid(folder: string): Promise<number> {
  return Number.parseInt(await readFile(join(clusterFolder(folder), 'postmaster.pid'), 'utf8'), 10);
}
