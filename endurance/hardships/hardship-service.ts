// The service of a run, compiled, in its own process, with an embedded or a separate database, and its log lines by
// phase.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EmbeddedServer, findFreePort } from '@flaghoist/embedded-postgres';
import pg from 'pg';
import type { NodeProgram } from '../../bench/harness/node-program.ts';
import { peakMemoryMb } from '../../bench/harness/process-usage.ts';
import { clientSettings } from '../../bench/harness/service-client.ts';
import { awaitReady, startServiceProcess } from '../../bench/harness/service-process.ts';
import { findEmbedded, startEmbedded } from '../../packages/server/src/database/embedded-server.ts';
import type { Means } from './hardship.ts';
import { type LogLine, parseLog } from './log-lines.ts';

export interface StopFacts {
  tookMs: number;
  /** `exit code 0`. */
  ending: string;
}

export interface StartFacts {
  state: 'ready' | 'still starting' | 'ended';
  tookMs: number;
  /** Its output, if it exited. */
  output: string;
}

export class HardshipService {
  readonly origin: string;
  readonly databaseDir: string;
  /** The peak of all its processes so far. */
  peakMb = 0;
  readonly #means: Means;
  readonly #folder: string;
  readonly #port: number;
  readonly #server: EmbeddedServer | undefined;
  #program: NodeProgram;

  static async start(means: Means, folder: string): Promise<HardshipService> {
    const dataDir = join(folder, 'database');
    const server =
      means.database === 'separate' ? await startEmbedded({ dataDir, observe: () => undefined }) : undefined;
    return new HardshipService(means, folder, await findFreePort(), server);
  }

  private constructor(means: Means, folder: string, port: number, server: EmbeddedServer | undefined) {
    this.#means = means;
    this.#folder = folder;
    this.#port = port;
    this.#server = server;
    this.origin = `http://127.0.0.1:${port}`;
    this.databaseDir = server ? join(folder, 'database') : this.#dataDir;
    this.#program = this.#launch();
  }

  get hasExited(): boolean {
    return this.#program.hasExited;
  }

  /** Its last output besides the log. */
  get output(): string {
    return this.#program.output;
  }

  async awaitStart(patienceMs: number): Promise<StartFacts> {
    const startedAt = performance.now();
    const patience = new AbortController();
    const isReady = await Promise.race([
      awaitReady(this.#program, this.origin),
      sleep(patienceMs, undefined, { signal: patience.signal }).catch(() => undefined),
    ]);
    patience.abort();
    const state = isReady === undefined ? 'still starting' : isReady ? 'ready' : 'ended';
    return { state, tookMs: performance.now() - startedAt, output: state === 'ended' ? this.output : '' };
  }

  startAgain(): void {
    this.#program = this.#launch();
  }

  /** By SIGTERM. Killed if it does not exit within 30 s. */
  async stop(): Promise<StopFacts> {
    await this.lookAtMemory();
    const startedAt = performance.now();
    await this.#program.stop();
    return { tookMs: performance.now() - startedAt, ending: this.#program.ending! };
  }

  async stopAll(): Promise<void> {
    await this.#program.stop();
    await this.#server?.stop();
  }

  async lookAtMemory(): Promise<void> {
    this.peakMb = Math.max(this.peakMb, (await peakMemoryMb(this.#program.pid)) ?? 0);
  }

  /** All lines so far. */
  async readLog(): Promise<LogLine[]> {
    return parseLog(await readFile(this.#logFile, 'utf8').catch(() => ''));
  }

  async withDatabase<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    const url = await findEmbedded(this.databaseDir);
    if (url === undefined) throw new Error('The database does not run.');
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }

  get #dataDir(): string {
    return this.#means.dataDir ?? join(this.#folder, 'data');
  }

  get #logFile(): string {
    return join(this.#folder, 'service.log');
  }

  #launch(): NodeProgram {
    const { settings = {}, nodeArgs = [], prefix = [] } = this.#means;
    return startServiceProcess({
      port: this.#port,
      settings: {
        FLAGHOIST_DATA_DIR: this.#dataDir,
        FLAGHOIST_LOG_FORMAT: 'json',
        ...(this.#server ? { DATABASE_URL: this.#server.url } : {}),
        ...clientSettings,
        ...settings,
      },
      nodeArgs,
      prefix,
      outputFile: this.#logFile,
    });
  }
}
