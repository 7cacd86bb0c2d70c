// The two processes of the installation, compiled and configured as operators do it: one serves requests, matches and
// delivers, the other matches and delivers. Kills, halts and restarts them.

import { findFreePort } from '@flaghoist/embedded-postgres';
import type { NodeProgram } from '../../bench/harness/node-program.ts';
import { clientSettings } from '../../bench/harness/service-client.ts';
import { awaitReady, startServiceProcess } from '../../bench/harness/service-process.ts';
import type { Finding } from '../finding.ts';

export interface ProcessOptions {
  databaseUrl: string;
  /** Where mail is saved. */
  folder: string;
  roles: string;
  /** Another version of the service, compiled. */
  script?: string | undefined;
}

/** Retries and deactivation take seconds here instead of minutes. */
export const attemptsMax = 6;
export const inFlightMax = 100;
export const timeoutMs = 1_000;

const deliverySettings = {
  FLAGHOIST_DELIVERY_ATTEMPTS: String(attemptsMax),
  FLAGHOIST_DELIVERY_INTERVAL_SECONDS: '0.5',
  FLAGHOIST_DELIVERY_TIMEOUT_SECONDS: String(timeoutMs / 1000),
  FLAGHOIST_DELIVERIES_IN_FLIGHT: String(inFlightMax),
};

export class DeliveryProcess {
  readonly origin: string;
  readonly findings: Finding[] = [];
  /** How many starts failed because the database was killed meanwhile. */
  startsGivenUp = 0;
  readonly #options: ProcessOptions;
  readonly #port: number;
  #program: NodeProgram;
  #start: 'under way' | 'disturbed' | 'done' = 'under way';

  static async start(options: ProcessOptions): Promise<DeliveryProcess> {
    const started = new DeliveryProcess(options, await findFreePort());
    await started.awaitReady();
    return started;
  }

  private constructor(options: ProcessOptions, port: number) {
    this.#options = options;
    this.#port = port;
    this.origin = `http://127.0.0.1:${port}`;
    this.#program = this.#launch();
  }

  /** A process that exits without being killed is a finding, and is restarted to continue the run. */
  async awaitReady(): Promise<void> {
    for (let starts = 1; !(await awaitReady(this.#program, this.origin)); starts += 1) {
      if (starts >= startsMax) throw new Error(`The service does not start any more:\n${this.#program.output}`);
      this.#startAgainIfEnded();
    }
    this.#start = 'done';
  }

  async kill(): Promise<void> {
    this.#startAgainIfEnded();
    await this.#program.kill();
    this.#program = this.#launch();
  }

  /** A process that is starting may then report that it cannot. */
  onDatabaseKilled(): void {
    if (this.#start === 'under way') this.#start = 'disturbed';
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

  #startAgainIfEnded(): void {
    if (!this.#program.hasExited) return;
    const { output } = this.#program;
    if (this.#start === 'disturbed' && /^Flaghoist cannot /m.test(output)) this.startsGivenUp += 1;
    else this.findings.push({ kind: 'service ended', text: output });
    this.#program = this.#launch();
  }

  #launch(): NodeProgram {
    const { databaseUrl, folder, roles, script } = this.#options;
    this.#start = 'under way';
    const settings = {
      DATABASE_URL: databaseUrl,
      FLAGHOIST_DATA_DIR: folder,
      // One installation: tokens of one process are valid in the other.
      FLAGHOIST_BASE_URL: 'https://fleet.example',
      FLAGHOIST_ENCRYPTION_KEY: '5e'.repeat(32),
      FLAGHOIST_ROLES: roles,
      ...deliverySettings,
      ...clientSettings,
    };
    return startServiceProcess({ port: this.#port, settings, ...(script === undefined ? {} : { script }) });
  }
}

const startsMax = 5;
