// The demo fleet inside the service, started from the console: one process of all runs it, and calls itself over HTTP as
// `flaghoist demo` does. It ends with the process.

import { randomUUID } from 'node:crypto';
import type { Encryption } from '../auth/encryption/encryption.ts';
import type { Clock } from '../clock.ts';
import { audienceOf } from '../config/audience-of.ts';
import type { Settings } from '../config/settings-table.ts';
import type { Database } from '../database/database.ts';
import { WorkLoop } from '../database/work-loop.ts';
import { ApiError, OperatorError } from '../errors.ts';
import type { Model } from '../model/object-type.ts';
import type { Caller } from '../objects/caller.ts';
import type { Objects } from '../objects/objects.ts';
import type { Observe } from '../observe/observation.ts';
import { refreshDemoClient } from './demo-client.ts';
import {
  type DemoFailure,
  type DemoRow,
  deleteAnyRun,
  deleteRun,
  insertRun,
  recordFailure,
  renewRun,
  selectRun,
} from './demo-fleet-table.ts';
import { runDemo } from './run-demo.ts';

export interface DemoFleetParts {
  settings: Settings;
  model: Model;
  database: Database;
  /** Those that make changes to users and clients take effect at once. */
  objects: Objects;
  encryption: Encryption;
  clock: Clock;
  observe: Observe;
  /** Where this process listens. */
  localUrl: string;
}

export interface DemoState {
  state: 'STOPPED' | 'RUNNING';
  canStart: boolean;
  /** Why it cannot be started. */
  reason: string | null;
  /** Why it has ended by itself, until it is started or stopped. */
  failure: string | null;
}

/** For everybody who may read. The error itself is in the log only. */
const failureTexts: Record<DemoFailure, string> = {
  NO_TOKEN:
    'The demo fleet has stopped: its client “demo-fleet” could not get a token. Start it again. If that fails, the ' +
    'message says why.',
  UNEXPECTED:
    'The demo fleet has stopped because of an unexpected error. Start it again. The log of the service has the reason.',
};

/** Another client than that of `flaghoist demo`: each start replaces the secret. */
const clientId = 'demo-fleet';
const tickMs = 2_000;
const aliveMs = 10_000;
const renewEveryMs = 2_000;

interface Run {
  id: string;
  stopping: AbortController;
  ended: Promise<void>;
}

export class DemoFleet {
  readonly #parts: DemoFleetParts;
  readonly #renewal: WorkLoop;
  /** What this process runs. */
  #run: Run | undefined;

  constructor(parts: DemoFleetParts) {
    this.#parts = parts;
    const onError = (error: Error) => parts.observe({ kind: 'housekeeping.failed', error });
    this.#renewal = new WorkLoop({ round: () => this.#renew(), pollEveryMs: renewEveryMs, onError });
    this.#renewal.start();
  }

  async read(): Promise<DemoState> {
    const { database, settings } = this.#parts;
    const [run] = (await database.run(selectRun())) as unknown as DemoRow[];
    const reason = whyNoDemo(settings);
    return {
      state: run?.is_running ? 'RUNNING' : 'STOPPED',
      canStart: reason === null,
      reason,
      failure: run?.failure ? failureTexts[run.failure] : null,
    };
  }

  /** Does nothing if it runs already, here or in another process. */
  async start(caller: Caller): Promise<void> {
    const { settings, database } = this.#parts;
    const reason = whyNoDemo(settings);
    if (reason !== null) throw new ApiError('noDemo', reason);
    const id = randomUUID();
    if ((await database.run(insertRun(id, aliveMs))).length === 0) return;
    // Another process may have stopped a run of this one, which notices it within seconds.
    await this.#endRun();
    const secret = await this.#prepareClient(id, caller);
    // It may have been stopped and started again meanwhile.
    await this.#endRun();
    if (this.#renewal.isStopping) return;
    const run: Run = { id, stopping: new AbortController(), ended: Promise.resolve() };
    this.#run = run;
    run.ended = this.#sail(run, secret);
  }

  /** In whichever process it runs. */
  async stop(): Promise<void> {
    await this.#parts.database.run(deleteAnyRun());
    await this.#endRun();
  }

  /** Of this process only. */
  async close(): Promise<void> {
    await this.#renewal.stop();
    await this.#endRun();
  }

  /** Afterwards there is none, also if others end or start one at the same time. */
  async #endRun(): Promise<void> {
    while (this.#run) {
      const { stopping, ended } = this.#run;
      stopping.abort();
      await ended;
    }
  }

  async #prepareClient(id: string, caller: Caller): Promise<string> {
    const { database } = this.#parts;
    try {
      return await refreshDemoClient({ ...this.#parts, caller }, clientId);
    } catch (error) {
      await database.run(deleteRun(id));
      throw error instanceof OperatorError ? new ApiError('noDemo', error.message) : error;
    }
  }

  async #sail(run: Run, clientSecret: string): Promise<void> {
    const { signal } = run.stopping;
    const { settings, localUrl: baseUrl, clock, observe, database } = this.#parts;
    const credentials = { clientId, clientSecret, audience: audienceOf(settings) };
    observe({ kind: 'demo.started' });
    let end = deleteRun(run.id);
    try {
      await runDemo({ baseUrl, credentials, signal, tickMs, clock, print: () => undefined });
      observe({ kind: 'demo.stopped' });
    } catch (error) {
      observe({ kind: 'demo.failed', error: error as Error });
      end = recordFailure(run.id, error instanceof OperatorError ? 'NO_TOKEN' : 'UNEXPECTED');
    } finally {
      if (this.#run === run) this.#run = undefined;
      // Without it, the row expires.
      await database.run(end).catch(() => undefined);
    }
  }

  /** Ends the run if it was stopped or taken over by another process. */
  async #renew(): Promise<boolean> {
    const run = this.#run;
    if (!run) return false;
    const renewed = await this.#parts.database.run(renewRun(run.id, aliveMs));
    if (renewed.length === 0) run.stopping.abort();
    return false;
  }
}

export function whyNoDemo({ environment, issuerUrl }: Settings): string | null {
  if (environment === 'production') return 'The demo fleet runs only in a test environment (FLAGHOIST_ENVIRONMENT).';
  if (issuerUrl !== undefined)
    return `Tokens come from ${issuerUrl} (FLAGHOIST_ISSUER_URL), where the demo fleet cannot get any.`;
  return null;
}
