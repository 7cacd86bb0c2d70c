// Two processes of one installation that serve requests and match, compiled and configured as operators do it. Kills,
// halts and restarts them.

import { findFreePort } from '@flaghoist/embedded-postgres';
import type { NodeProgram } from '../../bench/harness/node-program.ts';
import { clientSettings } from '../../bench/harness/service-client.ts';
import { awaitReady, startServiceProcess } from '../../bench/harness/service-process.ts';
import type { Finding } from '../finding.ts';

export const processCount = 2;

export class MatchingProcess {
  readonly origin: string;
  /** The application name of its connections. */
  readonly applicationName: string;
  readonly findings: Finding[] = [];
  readonly #databaseUrl: string;
  readonly #port: number;
  #program: NodeProgram;

  static async start(databaseUrl: string, index: number): Promise<MatchingProcess> {
    const started = new MatchingProcess(databaseUrl, index, await findFreePort());
    await started.awaitReady();
    return started;
  }

  private constructor(databaseUrl: string, index: number, port: number) {
    this.applicationName = `matcher-${index}`;
    this.#databaseUrl = databaseUrl;
    this.#port = port;
    this.origin = `http://127.0.0.1:${port}`;
    this.#program = this.#launch();
  }

  /** A process that exits without being killed is a finding, and is restarted to continue the run. */
  async awaitReady(): Promise<void> {
    for (let starts = 1; !(await awaitReady(this.#program, this.origin)); starts += 1) {
      this.findings.push({ kind: 'service ended', text: this.#program.output });
      if (starts >= startsMax) throw new Error(`The service does not start any more:\n${this.#program.output}`);
      this.#program = this.#launch();
    }
  }

  async kill(): Promise<void> {
    if (this.#program.hasExited) this.findings.push({ kind: 'service ended', text: this.#program.output });
    await this.#program.kill();
    this.#program = this.#launch();
  }

  /** Stops the process with SIGSTOP, which it cannot notice. */
  halt(): void {
    process.kill(this.#program.pid, 'SIGSTOP');
  }

  goOn(): void {
    process.kill(this.#program.pid, 'SIGCONT');
  }

  async stop(): Promise<void> {
    if (!this.#program.hasExited) this.goOn();
    await this.#program.stop();
  }

  #launch(): NodeProgram {
    const url = new URL(this.#databaseUrl);
    url.searchParams.set('application_name', this.applicationName);
    const settings = {
      DATABASE_URL: url.href,
      // One installation: tokens of one process are valid in the other.
      FLAGHOIST_BASE_URL: 'https://fleet.example',
      FLAGHOIST_ENCRYPTION_KEY: '5e'.repeat(32),
      FLAGHOIST_ROLES: 'api,worker',
      // There are no receivers, so one attempt each is enough.
      FLAGHOIST_DELIVERY_INTERVAL_SECONDS: '86400',
      ...clientSettings,
    };
    return startServiceProcess({ port: this.#port, settings });
  }
}

const startsMax = 5;
