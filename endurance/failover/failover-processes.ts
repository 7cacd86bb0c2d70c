// The processes of an installation that outlive its database servers: one answers, matches and delivers, the other
// matches and delivers. None may end.

import { findFreePort } from '@flaghoist/embedded-postgres';
import type { NodeProgram } from '../../bench/harness/node-program.ts';
import { clientSettings } from '../../bench/harness/service-client.ts';
import { awaitReady, startServiceProcess } from '../../bench/harness/service-process.ts';
import type { Finding } from '../finding.ts';

export class FailoverProcesses {
  /** Of the one that answers. */
  origin = '';
  readonly #programs: NodeProgram[] = [];

  async start(databaseUrl: string): Promise<void> {
    for (const roles of ['api,worker', 'worker']) {
      const port = await findFreePort();
      const origin = `http://127.0.0.1:${port}`;
      const settings = {
        DATABASE_URL: databaseUrl,
        FLAGHOIST_BASE_URL: 'https://fleet.example',
        FLAGHOIST_ENCRYPTION_KEY: '5e'.repeat(32),
        FLAGHOIST_REFERENCE_DATA: 'skip',
        FLAGHOIST_ROLES: roles,
        ...clientSettings,
      };
      const program = startServiceProcess({ port, settings });
      this.#programs.push(program);
      if (!(await awaitReady(program, origin))) throw new Error(`The service does not start:\n${program.output}`);
      this.origin ||= origin;
    }
  }

  get findings(): Finding[] {
    return this.#programs
      .filter(({ hasExited }) => hasExited)
      .map(({ output }): Finding => ({ kind: 'service ended', text: output }));
  }

  async stop(): Promise<void> {
    await Promise.all(this.#programs.map((program) => program.stop()));
  }
}
