// The service and the bare program, each with its own database, the same vessels, and a receiver for each of them.

import { fileURLToPath } from 'node:url';
import { createSecret } from '../../packages/server/src/channels/http/sign.ts';
import { startService } from '../delivery/servers.ts';
import type { Sink } from '../delivery/sink-process.ts';
import { send } from '../delivery/world.ts';
import type { LoadPlan } from '../harness/load.ts';
import { NodeProgram } from '../harness/node-program.ts';
import { inspectorArgument } from '../harness/record-profile.ts';
import { authorize } from '../harness/service-client.ts';
import { createDatabase } from '../rest/fleet-table.ts';
import type { BarePlan, BareReady } from './bare-program.ts';
import { changeByAnother } from './bare-table.ts';
import { ofBareProgram, ofService, type Statements } from './end-to-end-table.ts';

export type Method = 'POST' | 'PUT';

export interface Contender {
  name: 'ours' | 'bare';
  databaseUrl: string;
  program: NodeProgram;
  origin: string;
  headers: Record<string, string>;
  /** Of changes; `POST` creates an object at the first of them. */
  paths: Record<Method, string[]>;
  keys: readonly number[];
  /** Changes a vessel by SQL, as a program would that knows nothing of the service. Takes the key, and the new flag. */
  foreignStatement: string;
  statements: Statements;
}

export interface Place {
  serverUrl: string;
  folder: string;
  /** One receiver for each vessel, and one for new ones. */
  sink: Sink;
  isProfiled: boolean;
}

/** About 700 bytes as the service renders it. `mark` finds its place in the name of the flag. */
export function vesselBody(mark: string): string {
  return JSON.stringify({
    vesselName: 'Northern Light',
    imoNumber: '9074729',
    callSignal: 'PBKL',
    vesselType: `Bulk carrier, ${'geared, four cranes of 30 t, '.repeat(8)}ice class 1A`,
    flag: mark,
    builtYear: 2011,
    dwtSummer: 75000.5,
  });
}

export function changeBody(mark: string): string {
  return JSON.stringify({ flag: mark });
}

export async function startOurs(place: Place): Promise<Contender> {
  const { serverUrl, folder, sink, isProfiled } = place;
  const databaseUrl = await createDatabase(serverUrl, `bench ours${isProfiled ? ' profiled' : ''}`);
  const nodeArgs = isProfiled ? [inspectorArgument] : [];
  const { origin, program } = await startService({ databaseUrl, roles: 'api,worker', folder, nodeArgs });
  const headers = { ...(await authorize(origin)), 'content-type': 'application/json' };
  const resource = `${origin}/ws/rest`;
  const subscribe = (eventType: string, url: string) =>
    send(`${resource}/WebhookSubscription`, 'POST', headers, { eventType, url });
  const [createUrl, ...changeUrls] = sink.urls;
  const keys: number[] = [];
  for (const [n, url] of changeUrls.entries()) {
    const { key } = await send(`${resource}/Vessel`, 'POST', headers, JSON.parse(vesselBody(`vessel ${n}`)));
    await subscribe(`Vessel.U.${key}`, url);
    keys.push(Number(key));
  }
  await subscribe('Vessel.C', createUrl!);
  return {
    name: 'ours',
    databaseUrl,
    program,
    origin,
    headers,
    paths: { POST: ['/ws/rest/Vessel'], PUT: keys.map((key) => `/ws/rest/Vessel/${key}`) },
    keys,
    foreignStatement: 'update flaghoist.vessel set flag = $2::text where key = $1::bigint',
    statements: ofService,
  };
}

export async function startBare({ serverUrl, sink, isProfiled }: Place): Promise<Contender> {
  const databaseUrl = await createDatabase(serverUrl, `bench bare${isProfiled ? ' profiled' : ''}`);
  const [createUrl, ...changeUrls] = sink.urls;
  const program = new NodeProgram({
    script: fileURLToPath(new URL('./bare-program.js', import.meta.url)),
    nodeArgs: isProfiled ? [inspectorArgument] : [],
    hasChannel: true,
  });
  const plan: BarePlan = {
    databaseUrl,
    documents: changeUrls.map((_, n) => vesselBody(`vessel ${n}`)),
    signingSecret: createSecret(),
    changeUrls,
    createUrl: createUrl!,
  };
  const { port, keys } = await program.ask<BareReady>(plan);
  return {
    name: 'bare',
    databaseUrl,
    program,
    origin: `http://127.0.0.1:${port}`,
    headers: { 'content-type': 'application/json' },
    paths: { POST: ['/'], PUT: keys.map((key) => `/${key}`) },
    keys,
    foreignStatement: changeByAnother,
    statements: ofBareProgram,
  };
}

export function loadOf(
  contender: Contender,
  method: Method,
  mark: string,
): Pick<LoadPlan, 'origins' | 'method' | 'paths' | 'headers' | 'body' | 'expectedStatus'> {
  const { origin, headers, paths } = contender;
  const body = method === 'POST' ? vesselBody(`${mark} {n}`) : changeBody(`${mark} {n}`);
  return {
    origins: [origin],
    method,
    paths: paths[method],
    headers,
    body,
    expectedStatus: method === 'POST' ? 201 : 200,
  };
}
