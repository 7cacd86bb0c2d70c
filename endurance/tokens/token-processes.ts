// Two processes of one installation, compiled and configured as operators do it, and the command that rotates their
// key.

import { join } from 'node:path';
import { findFreePort } from '@flaghoist/embedded-postgres';
import { NodeProgram } from '../../bench/harness/node-program.ts';
import { projectRoot } from '../../bench/harness/project-root.ts';
import { awaitReady, startServiceProcess } from '../../bench/harness/service-process.ts';

export interface TokenProcesses {
  origins: readonly string[];
  /** The body of a token request of its client. */
  tokenRequest: string;
  /** `flaghoist key rotate`; returns the id of the new key. */
  rotateKey(): Promise<string>;
  /** The last output of processes that exited by themselves. */
  ended(): string[];
  stop(): Promise<void>;
}

const client = { client_id: 'endurance', client_secret: 'a-secret-of-the-endurance-run-and-no-other' };

export async function startTokenProcesses(databaseUrl: string, count: number): Promise<TokenProcesses> {
  const settings = {
    DATABASE_URL: databaseUrl,
    // One installation: tokens of one process are valid in the other.
    FLAGHOIST_BASE_URL: 'https://fleet.example',
    FLAGHOIST_BOOTSTRAP_CLIENT_ID: client.client_id,
    FLAGHOIST_BOOTSTRAP_CLIENT_SECRET: client.client_secret,
    FLAGHOIST_ENCRYPTION_KEY: '5e'.repeat(32),
    FLAGHOIST_TOKEN_REQUESTS_PER_MINUTE: '0',
  };
  const programs: NodeProgram[] = [];
  const stop = async () => void (await Promise.all(programs.map((program) => program.stop())));
  const origins: string[] = [];
  try {
    while (origins.length < count) {
      const port = await findFreePort();
      const program = startServiceProcess({ port, settings });
      programs.push(program);
      const origin = `http://127.0.0.1:${port}`;
      if (!(await awaitReady(program, origin))) throw new Error(`The service does not start:\n${program.output}`);
      origins.push(origin);
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    origins,
    tokenRequest: JSON.stringify({ ...client, audience: 'https://flaghoist.dev', grant_type: 'client_credentials' }),
    rotateKey: () => rotateKey(settings),
    ended: () => programs.filter(({ hasExited }) => hasExited).map(({ output }) => output),
    stop,
  };
}

async function rotateKey(settings: Record<string, string>): Promise<string> {
  const script = join(projectRoot, 'packages/server/dist/main.js');
  const env = { PATH: process.env.PATH ?? '', ...settings };
  const command = new NodeProgram({ script, args: ['key', 'rotate', '--json'], env });
  await command.exited;
  const kid = /"kid": ?"([\w-]+)"/.exec(command.output)?.[1];
  if (kid === undefined) throw new Error(`The key was not replaced:\n${command.output}`);
  return kid;
}
