// Rolling restarts of two processes that answer and two that deliver, behind a load balancer, while clients work. No
// request may fail, and every change that was accepted is notified.

import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { readMachineFacts } from '../../bench/harness/machine-facts.ts';
import { startEmbedded } from '../../packages/server/src/database/embedded-server.ts';
import { waitForServer } from '../../packages/server/src/database/wait-for-server.ts';
import type { Finding } from '../finding.ts';
import { Balancer } from './balancer.ts';
import { type ChangeReceiver, openChangeReceiver } from './change-receiver.ts';
import { RestartLoad } from './restart-load.ts';
import { client, RestartedProcesses } from './restarted-processes.ts';
import type { RestartsResult } from './restarts-report.ts';

export interface RestartsPlan {
  restarts: number;
  connections: number;
  drainSeconds: number;
  tell: (line: string) => void;
}

export async function runRestarts(plan: RestartsPlan): Promise<RestartsResult> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'flaghoist-endurance-')));
  const database = await startEmbedded({ dataDir: folder, observe: () => undefined });
  const installation = new RestartedProcesses(database.url, plan.drainSeconds);
  const receiver = await openChangeReceiver();
  try {
    const facts = readMachineFacts(await waitForServer(database.url, () => undefined));
    await installation.start();
    return { ...(await restartUnderLoad(plan, installation, receiver)), facts };
  } finally {
    await installation.stop();
    receiver.close();
    await database.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function restartUnderLoad(
  { restarts, connections, drainSeconds, tell }: RestartsPlan,
  installation: RestartedProcesses,
  receiver: ChangeReceiver,
): Promise<Omit<RestartsResult, 'facts'>> {
  const balancer = new Balancer(installation.portsOf('api'));
  const url = await balancer.open();
  try {
    const load = new RestartLoad({ url, connections, token: await subscribe(url, receiver.url) });
    const startedAt = performance.now();
    load.start();
    const stopMs: number[] = [];
    for (let count = 1; count <= restarts; count += 1) {
      for (const each of installation.processes) stopMs.push(await installation.restart(each));
      tell(`${count} restarts of all processes, ${load.requests} requests, ${load.findings.length} findings`);
    }
    await load.stop();
    const elapsedSeconds = (performance.now() - startedAt) / 1000;
    const { accepted, requests } = load;
    await awaitAll(accepted, receiver);
    const findings = [...load.findings, ...judgeReceived(accepted, receiver)];
    const notifications = [...receiver.received.values()].reduce((sum, count) => sum + count, 0);
    const changes = { accepted: accepted.size, notified: receiver.received.size, notifications };
    return { restarts, connections, drainSeconds, elapsedSeconds, requests, changes, stopMs, findings };
  } finally {
    await balancer.close();
  }
}

/** Returns the token. */
async function subscribe(url: string, receiver: string): Promise<string> {
  const grant = { ...client, audience: 'https://flaghoist.dev', grant_type: 'client_credentials' };
  const { access_token: token } = (await post(`${url}/oauth/token`, grant, {})) as { access_token: string };
  await post(
    `${url}/ws/rest/WebhookSubscription`,
    { eventType: 'Vessel.U', url: receiver },
    { authorization: `Bearer ${token}` },
  );
  return token;
}

async function post(url: string, body: unknown, headers: Record<string, string>): Promise<unknown> {
  const answer = await request(url, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { ...headers, 'content-type': 'application/json' },
  });
  const text = await answer.body.text();
  if (answer.statusCode >= 300) throw new Error(`${answer.statusCode} for ${url}: ${text}`);
  return JSON.parse(text);
}

const settleSeconds = 60;

async function awaitAll(accepted: ReadonlySet<string>, { received }: ChangeReceiver): Promise<void> {
  for (let tries = 0; tries < settleSeconds * 10 && received.size < accepted.size; tries += 1) await sleep(100);
}

function judgeReceived(accepted: ReadonlySet<string>, { received }: ChangeReceiver): Finding[] {
  const lost = [...accepted].filter((change) => !received.has(change));
  const invented = [...received.keys()].filter((change) => !accepted.has(change));
  return [
    ...lost.map((text): Finding => ({ kind: 'notification missing', text })),
    ...invented.map((text): Finding => ({ kind: 'notification too many', text })),
    ...(accepted.size === 0 ? [{ kind: 'lost change', text: 'nothing was changed' } as const] : []),
  ];
}
