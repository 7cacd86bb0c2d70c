// The service in its own process, on an embedded database with its durable default settings, and the ways to kill its
// processes. Remembers every process that it saw, to check at the end that none is left.

import { readFileSync } from 'node:fs';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '@flaghoist/embedded-postgres';
import {
  clusterFolder,
  clusterName,
  inspectProcess,
  readPassword,
  serverUrl,
} from '@flaghoist/embedded-postgres/inspect';
import pg from 'pg';
import type { NodeProgram } from '../../bench/harness/node-program.ts';
import { clientSettings } from '../../bench/harness/service-client.ts';
import { awaitReady, startServiceProcess } from '../../bench/harness/service-process.ts';
import { embeddedName } from '../../packages/server/src/database/embedded-server.ts';
import type { Finding } from '../finding.ts';

export type Victim = 'node' | 'postmaster' | 'session' | 'node and postmaster';

export class KilledService {
  readonly origin: string;
  readonly findings: Finding[] = [];
  /** How many starts failed because the database was killed meanwhile. */
  startsGivenUp = 0;
  readonly #dataFolder: string;
  readonly #logFile: string;
  readonly #port: number;
  readonly #births = new Map<number, string>();
  #program: NodeProgram;
  #killed: { pid: number; birth: string | undefined } | undefined;
  #start: 'under way' | 'disturbed' | 'done' = 'under way';

  static async start(folder: string): Promise<KilledService> {
    const service = new KilledService(folder, await findFreePort());
    await service.awaitReady();
    return service;
  }

  private constructor(folder: string, port: number) {
    this.#dataFolder = join(folder, 'data');
    this.#logFile = join(folder, 'service.log');
    this.#port = port;
    this.origin = `http://127.0.0.1:${port}`;
    this.#program = this.#launch();
  }

  /** A service that exits without being killed is a finding, and is restarted to continue the run. */
  async awaitReady(): Promise<void> {
    for (let starts = 0; !(await this.#becomesReady()); starts += 1) {
      if (starts >= startsMax) throw new Error(`The service does not start any more:\n${this.#lastOutput()}`);
      this.#startAgainIfEnded();
    }
    this.#start = 'done';
    await this.#remember(this.#program.pid);
    await this.#remember(await this.#postmasterPid());
  }

  /** Returns what it killed. If there is no database process at the moment, it kills node. */
  async kill(victim: Victim): Promise<Victim> {
    this.#startAgainIfEnded();
    const pid = await this.#databasePid(victim);
    const killed = victim !== 'node' && pid === undefined ? 'node' : victim;
    if (pid !== undefined) await this.#killProcess(pid);
    if (killed === 'node' || killed === 'node and postmaster') {
      await this.#program.kill();
      this.#program = this.#launch();
    }
    return killed;
  }

  async withDatabase<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client({ connectionString: await this.#databaseUrl() });
    // A kill may end the connection. The running statement then fails.
    client.on('error', () => undefined);
    try {
      await client.connect();
      return await work(client);
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  /** With the log lines of the ids in them. */
  async explain(findings: readonly Finding[]): Promise<Finding[]> {
    const log = (await readFile(this.#logFile, 'utf8')).split('\n');
    return findings.map(({ kind, text }) => {
      const [, id] = /Its id in the log is ([\w-]+)\./.exec(text) ?? [];
      const lines = id === undefined ? [] : log.filter((line) => line.includes(`"${id}"`));
      return { kind, text: [text, ...lines].join('\n') };
    });
  }

  /** Stops gracefully, and names the processes that are still running. */
  async stop(): Promise<string[]> {
    await this.#program.stop();
    for (let tries = 0; ; tries += 1) {
      const left = await this.#processesLeft();
      if (left.length === 0 || tries >= leftTries) return left;
      await sleep(leftPauseMs);
    }
  }

  async #killProcess(pid: number): Promise<void> {
    if (this.#start === 'under way') this.#start = 'disturbed';
    this.#killed = { pid, birth: (await inspectProcess(pid))?.birth };
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It exited at this moment.
    }
  }

  async #isServerGone(): Promise<boolean> {
    const isKilledThere = this.#killed !== undefined && (await isStillThere(this.#killed.pid, this.#killed.birth));
    return isKilledThere || (await this.#postmasterPid()) === undefined;
  }

  /** Reporting that it cannot start without its database is allowed; any other exit is not. */
  #startAgainIfEnded(): void {
    if (!this.#program.hasExited) return;
    const output = this.#lastOutput();
    if (this.#start === 'disturbed' && /^Flaghoist cannot /m.test(output)) this.startsGivenUp += 1;
    else this.findings.push({ kind: 'service ended', text: lastWords(output) });
    this.#program = this.#launch();
  }

  /** Its last log lines and standard error. */
  #lastOutput(): string {
    const logged = readFileSync(this.#logFile, 'utf8').trimEnd().split('\n').slice(-linesShown);
    return [...logged, this.#program.output].join('\n');
  }

  /** For a moment the sessions of a killed server keep serving, so only its successor counts. */
  async #becomesReady(): Promise<boolean> {
    while (!this.#program.hasExited && (await this.#isServerGone())) await sleep(readyPauseMs);
    return await awaitReady(this.#program, this.origin);
  }

  #launch(): NodeProgram {
    this.#start = 'under way';
    const settings = { FLAGHOIST_DATA_DIR: this.#dataFolder, FLAGHOIST_LOG_FORMAT: 'json', ...clientSettings };
    return startServiceProcess({ port: this.#port, settings, outputFile: this.#logFile });
  }

  async #databasePid(victim: Victim): Promise<number | undefined> {
    if (victim === 'node') return undefined;
    return victim === 'session' ? await this.#sessionPid() : await this.#postmasterPid();
  }

  /** Only a process that runs in our own folder is ever killed. */
  async #postmasterPid(): Promise<number | undefined> {
    const pid = Number((await this.#postmasterLines())[0]);
    const facts = pid > 1 ? await inspectProcess(pid) : undefined;
    const cluster = clusterFolder(this.#dataFolder);
    return facts?.command.includes(`cluster_name=${clusterName(cluster)}`) ? pid : undefined;
  }

  async #sessionPid(): Promise<number | undefined> {
    try {
      const { rows } = await this.withDatabase((client) =>
        client.query<{ pid: number }>(
          `select pid from pg_stat_activity where application_name = 'flaghoist' order by state_change desc limit 1`,
        ),
      );
      return rows[0]?.pid;
    } catch {
      return undefined;
    }
  }

  async #databaseUrl(): Promise<string> {
    const password = await readPassword(this.#dataFolder);
    const port = Number((await this.#postmasterLines())[3]);
    if (password === undefined || !(port > 0)) throw new Error('The database is not running.');
    return serverUrl({ name: embeddedName, password, port });
  }

  /** The first line is the process, the fourth the port. */
  async #postmasterLines(): Promise<string[]> {
    const file = join(clusterFolder(this.#dataFolder), 'postmaster.pid');
    return (await readFile(file, 'utf8').catch(() => '')).split('\n');
  }

  async #remember(pid: number | undefined): Promise<void> {
    const facts = pid === undefined ? undefined : await inspectProcess(pid);
    if (facts) this.#births.set(pid!, facts.birth);
  }

  async #processesLeft(): Promise<string[]> {
    const remembered = await Promise.all(
      [...this.#births].map(async ([pid, birth]) => ((await isStillThere(pid, birth)) ? [pid] : [])),
    );
    const pids = new Set([...remembered.flat(), ...(await this.#processesInFolder())]);
    return await Promise.all([...pids].map(async (pid) => `${pid} ${(await inspectProcess(pid))?.command ?? ''}`));
  }

  /** Every process of a PostgreSQL server has its data folder as working directory, which Linux shows. */
  async #processesInFolder(): Promise<number[]> {
    const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
    const folders = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => '')));
    return pids.flatMap((pid, index) => (folders[index]!.startsWith(this.#dataFolder) ? [Number(pid)] : []));
  }
}

/** A process id may be reused; with its start time it is unique. */
async function isStillThere(pid: number, birth: string | undefined): Promise<boolean> {
  const facts = await inspectProcess(pid);
  return facts !== undefined && facts.birth === birth;
}

/** The error of its exit, or else its last output. */
function lastWords(output: string): string {
  const lines = output.split('\n');
  const errorAt = lines.findIndex((line) => /^(node:|file:|\w*[Ee]rror:|Flaghoist cannot )/.test(line));
  return lines.slice(errorAt < 0 ? -10 : errorAt).join('\n');
}

const startsMax = 5;
const linesShown = 20;
const readyPauseMs = 10;
const leftTries = 100;
const leftPauseMs = 100;
