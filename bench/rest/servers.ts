// Starts the measured programs, each in its own process.

import { fileURLToPath } from 'node:url';
import { findFreePort } from '@flaghoist/embedded-postgres';
import { NodeProgram } from '../harness/node-program.ts';
import { authorize, clientSettings } from '../harness/service-client.ts';
import { awaitReady, startServiceProcess } from '../harness/service-process.ts';
import type { PeerPlan } from './peer-plan.ts';

export interface Server {
  name: string;
  origin: string;
  /** The headers of every request to it. */
  headers: Record<string, string>;
  program: NodeProgram;
}

/** Used in every `self`, so that the responses of both contenders can be compared byte by byte. */
export const baseUrl = 'http://flaghoist.test';

export interface OursOptions {
  databaseUrl: string;
  databaseConnections: number;
  name?: string;
  roles?: string;
  nodeArgs?: string[];
}

export async function startOurs({
  databaseUrl,
  databaseConnections,
  name = 'ours',
  roles = 'api,worker',
  nodeArgs = [],
}: OursOptions): Promise<Server> {
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  const settings = {
    DATABASE_URL: databaseUrl,
    FLAGHOIST_ROLES: roles,
    FLAGHOIST_BASE_URL: baseUrl,
    // The same for all that are started on one database.
    FLAGHOIST_ENCRYPTION_KEY: '00'.repeat(32),
    ...clientSettings,
    FLAGHOIST_DATABASE_CONNECTIONS: String(databaseConnections),
  };
  const program = startServiceProcess({ port, settings, nodeArgs });
  if (!(await awaitReady(program, origin))) throw new Error(`The service does not start:\n${program.output}`);
  return { name, origin, headers: await authorize(origin), program };
}

/** Has no authentication, so it needs no token. */
export function startPeer(plan: PeerPlan, nodeArgs: string[] = []): Promise<Server> {
  return startProgram('peer', new URL('./peer.js', import.meta.url), plan, nodeArgs);
}

export function startBareHttp(): Promise<Server> {
  return startProgram('node:http', new URL('./bare-http.js', import.meta.url), {});
}

export function startBareFastify(): Promise<Server> {
  return startProgram('fastify', new URL('./bare-fastify.js', import.meta.url), {});
}

async function startProgram(name: string, script: URL, plan: object, nodeArgs: string[] = []): Promise<Server> {
  const program = new NodeProgram({
    script: fileURLToPath(script),
    nodeArgs,
    hasChannel: true,
  });
  const { port } = await program.ask<{ port: number }>(plan);
  return { name, origin: `http://127.0.0.1:${port}`, headers: {}, program };
}
