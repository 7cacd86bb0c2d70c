// Processes of one installation, two of each role, each of which can be stopped and started again at its port.

import { findFreePort } from '@flaghoist/embedded-postgres';
import type { NodeProgram } from '../../bench/harness/node-program.ts';
import { awaitReady, startServiceProcess } from '../../bench/harness/service-process.ts';

export const client = { client_id: 'endurance', client_secret: 'a-secret-of-the-endurance-run-and-no-other' };

export interface RestartedProcess {
  role: 'api' | 'worker';
  port: number;
  program: NodeProgram;
}

export class RestartedProcesses {
  readonly processes: RestartedProcess[] = [];
  readonly #settings: Record<string, string>;

  constructor(databaseUrl: string, drainSeconds: number) {
    this.#settings = {
      DATABASE_URL: databaseUrl,
      FLAGHOIST_BASE_URL: 'https://fleet.example',
      FLAGHOIST_BOOTSTRAP_CLIENT_ID: client.client_id,
      FLAGHOIST_BOOTSTRAP_CLIENT_SECRET: client.client_secret,
      FLAGHOIST_ENCRYPTION_KEY: '5e'.repeat(32),
      FLAGHOIST_REFERENCE_DATA: 'skip',
      FLAGHOIST_DRAIN_SECONDS: String(drainSeconds),
    };
  }

  async start(): Promise<void> {
    for (const role of ['api', 'api', 'worker', 'worker'] as const) {
      const port = await findFreePort();
      this.processes.push({ role, port, program: await this.#run(role, port) });
    }
  }

  portsOf(role: 'api' | 'worker'): number[] {
    return this.processes.filter((each) => each.role === role).map(({ port }) => port);
  }

  /** By SIGTERM, as an operator does it. Returns how long the process took to stop. */
  async restart(each: RestartedProcess): Promise<number> {
    const startedAt = performance.now();
    await each.program.stop();
    const stoppedMs = performance.now() - startedAt;
    each.program = await this.#run(each.role, each.port);
    return stoppedMs;
  }

  async stop(): Promise<void> {
    await Promise.all(this.processes.map(({ program }) => program.stop()));
  }

  async #run(role: 'api' | 'worker', port: number): Promise<NodeProgram> {
    const program = startServiceProcess({ port, settings: { ...this.#settings, FLAGHOIST_ROLES: role } });
    if (!(await awaitReady(program, `http://127.0.0.1:${port}`)))
      throw new Error(`The service does not start:\n${program.output}`);
    return program;
  }
}
