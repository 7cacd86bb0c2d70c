// One run of the server process, from its start to its end. It ends with this process at the latest. It does not
// restart itself.

import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PostgresBinaries } from './locate-binaries.ts';
import { resumeServer } from './resume-server.ts';
import { folderArgument, type RunAs, spawnAs } from './run-as.ts';
import { type FollowedLines, followLines, runProgram } from './run-program.ts';
import { serverArguments } from './server-settings.ts';

export interface PostmasterPlan {
  readonly cluster: string;
  readonly port: number;
  readonly settings: Readonly<Record<string, string>>;
  readonly binaries: PostgresBinaries;
  readonly runAs: RunAs;
  /** Masked in all lines. */
  readonly password: string;
  readonly onLine: (line: string) => void;
}

export class Postmaster {
  /** Resolves to a description of how the process ended. */
  readonly exited: Promise<string>;
  readonly output: FollowedLines;
  readonly #plan: PostmasterPlan;
  readonly #child: ChildProcess;
  #hasExited = false;

  constructor(plan: PostmasterPlan) {
    const { runAs, binaries, cluster, port, settings, password, onLine } = plan;
    const watchdog = runAs.needsWatchdog ? startWatchdog() : undefined;
    this.#plan = plan;
    const args = serverArguments({ cluster, folderArgument: folderArgument(runAs, cluster), port }, settings);
    this.#child = spawnAs(runAs, binaries.postgres, args, { stdio: ['ignore', 'ignore', 'pipe'], cwd: cluster });
    if (this.#child.pid !== undefined) watchdog?.guard(this.#child.pid);
    this.output = followLines([this.#child.stderr], password, onLine);
    const endWithParent = () => void this.#child.kill('SIGINT');
    process.once('exit', endWithParent);
    this.exited = ending(this.#child).then((how) => {
      this.#hasExited = true;
      process.off('exit', endWithParent);
      watchdog?.dismiss();
      return how;
    });
  }

  get pid(): number | undefined {
    return this.#hasExited ? undefined : this.#child.pid;
  }

  get hasExited(): boolean {
    return this.#hasExited;
  }

  /**
   * Asks for a fast shutdown, which ends sessions and writes a checkpoint. After 10 s asks for an immediate one, after
   * which the next start needs a recovery. Kills the process after another 8 s.
   */
  async stop(): Promise<void> {
    await this.#askToStop('fast');
    const escalation = new AbortController();
    const pause = (ms: number) => sleep(ms, undefined, { signal: escalation.signal, ref: false });
    void pause(10_000)
      .then(() => this.#askToStop('immediate'))
      .then(() => pause(8_000))
      .then(() => this.#child.kill('SIGKILL'))
      .catch(() => {});
    await this.exited;
    escalation.abort();
  }

  async #askToStop(mode: 'fast' | 'immediate'): Promise<void> {
    if (this.#hasExited) return;
    if (process.platform !== 'win32') {
      this.#child.kill(mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
      if (this.#child.pid !== undefined) await resumeServer(this.#child.pid);
      return;
    }
    // Windows has no such signals; pg_ctl reaches the server through a named pipe.
    const { runAs, binaries, cluster, password } = this.#plan;
    const args = ['stop', '-D', cluster, '-m', mode, '--no-wait'];
    const asked = await runProgram(runAs, binaries.pgCtl, args, { secret: password });
    if (!asked.isSuccess) this.#child.kill();
  }
}

// At 'exit' the last lines may not have been read yet. 'close' may come much later: the sessions of a killed postmaster
// keep its output open until they notice.
function ending(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    let how = 'it never ran';
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => {
      how = signal === null ? `exit code ${code}` : `killed by ${signal}`;
      setTimeout(() => resolve(how), 50);
    });
    child.once('close', () => resolve(how));
  });
}

interface Watchdog {
  guard(pid: number): void;
  /** The guarded process has ended: another process may soon have its id. */
  dismiss(): void;
}

/**
 * Ends the server when this process dies in any way, including kill -9, on systems that offer nothing better: a shell
 * reads from a pipe, which the system closes when this process dies. It is started before the process that it guards,
 * so that there is no unguarded moment.
 */
function startWatchdog(): Watchdog {
  const shell = spawn('/bin/sh', ['-c', watchdogScript], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    cwd: '/',
  });
  shell.on('error', () => {});
  shell.stdin.on('error', () => {});
  shell.unref();
  return {
    guard: (pid) => void shell.stdin.write(`${pid}\n`),
    dismiss: () => void shell.stdin.end('done\n'),
  };
}

const watchdogScript = 'read -r pid || exit 0; read -r done || kill -INT "$pid"';
