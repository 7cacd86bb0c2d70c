// Clients call two processes without pause while their signing key is rotated repeatedly. No request may fail.

import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readMachineFacts } from '../../bench/harness/machine-facts.ts';
import { startEmbedded } from '../../packages/server/src/database/embedded-server.ts';
import { waitForServer } from '../../packages/server/src/database/wait-for-server.ts';
import type { Finding } from '../finding.ts';
import { TokenLoad } from './token-load.ts';
import { startTokenProcesses, type TokenProcesses } from './token-processes.ts';
import type { Rotation, TokensResult } from './tokens-report.ts';

export interface TokensPlan {
  seconds: number;
  connections: number;
  rotations: number;
  renewEveryMs: number;
  tell: (line: string) => void;
}

const processes = 2;

export async function runTokens(plan: TokensPlan): Promise<TokensResult> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'flaghoist-endurance-')));
  const database = await startEmbedded({ dataDir: folder, observe: () => undefined });
  try {
    const facts = readMachineFacts(await waitForServer(database.url, () => undefined));
    const service = await startTokenProcesses(database.url, processes);
    try {
      return { ...(await rotateUnderLoad(plan, service)), facts };
    } finally {
      await service.stop();
    }
  } finally {
    await database.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function rotateUnderLoad(plan: TokensPlan, service: TokenProcesses): Promise<Omit<TokensResult, 'facts'>> {
  const { origins, tokenRequest } = service;
  const { connections, renewEveryMs } = plan;
  const load = new TokenLoad({ origins, tokenRequest, connections, renewEveryMs, path: '/ws/rest/Currency?limit=1' });
  const startedAt = performance.now();
  const elapsed = () => (performance.now() - startedAt) / 1000;
  const rotations: Rotation[] = [];
  load.start();
  for (let count = 1; count <= plan.rotations + 1; count += 1) {
    await sleep(((plan.seconds * count) / (plan.rotations + 1) - elapsed()) * 1000);
    if (count > plan.rotations) break;
    rotations.push({ kid: await service.rotateKey(), atSeconds: elapsed() });
    plan.tell(`${count} rotations, ${load.requests} requests, ${load.findings.length} findings`);
  }
  await awaitUse(load, rotations);
  await load.stop();
  return {
    connections,
    renewEveryMs,
    elapsedSeconds: elapsed(),
    rotations,
    tallies: load.tallies,
    tokensByKey: load.tokensByKey,
    findings: [...load.findings, ...judgeRun(rotations, load, service)],
  };
}

/** A new key signs only after every process had time to load it: on a busy machine, a while after the last rotation. */
async function awaitUse({ tokensByKey }: TokenLoad, rotations: readonly Rotation[]): Promise<void> {
  const last = rotations.at(-1);
  for (let tries = 0; tries < 150 && last && !tokensByKey.has(last.kid); tries += 1) await sleep(200);
}

/** If nothing was rotated, the run proves nothing. */
function judgeRun(rotations: Rotation[], { tokensByKey }: TokenLoad, service: TokenProcesses): Finding[] {
  const unused = rotations.filter(({ kid }) => !tokensByKey.has(kid));
  return [
    ...unused.map(({ kid }): Finding => ({ kind: 'key not used', text: `no token was signed with ${kid}` })),
    ...service.ended().map((text): Finding => ({ kind: 'service ended', text })),
  ];
}
