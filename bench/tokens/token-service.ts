// The measured service: with its own client, and with the throttle of the token endpoint lifted by its setting.

import { findFreePort } from '@flaghoist/embedded-postgres';
import { request } from 'undici';
import type { NodeProgram } from '../harness/node-program.ts';
import { clientSettings } from '../harness/service-client.ts';
import { awaitReady, startServiceProcess } from '../harness/service-process.ts';

export interface TokenService {
  origin: string;
  program: NodeProgram;
}

export async function startTokenService(databaseUrl: string, nodeArgs: string[] = []): Promise<TokenService> {
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  const settings = {
    DATABASE_URL: databaseUrl,
    ...clientSettings,
    FLAGHOIST_ENCRYPTION_KEY: '00'.repeat(32),
    FLAGHOIST_TOKEN_REQUESTS_PER_MINUTE: '0',
  };
  const program = startServiceProcess({ port, settings, nodeArgs });
  if (!(await awaitReady(program, origin))) throw new Error(`The service does not start:\n${program.output}`);
  return { origin, program };
}

/** How many tokens the service reports as issued. */
export async function countIssued(origin: string): Promise<number> {
  const { body } = await request(`${origin}/metrics`);
  const text = await body.text();
  return Number(/^flaghoist_token_requests_total\{outcome="issued"\} (\d+)$/m.exec(text)?.[1] ?? 0);
}

/** The path of the smallest kind of object, where the cost of authentication weighs most. */
export async function findObjectPath(origin: string, headers: { authorization: string }): Promise<string> {
  const { body } = await request(`${origin}/ws/rest/Currency?limit=1`, { headers });
  const [currency] = (await body.json()) as [{ key: number }];
  return `/ws/rest/Currency/${currency.key}`;
}
