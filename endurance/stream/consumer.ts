// The consumer of a run, in a process of its own: killed with -9 and started again.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { projectRoot } from '../../bench/harness/project-root.ts';
import type { ConsumerPlan } from './consumer-plan.ts';

const eventConsumer = fileURLToPath(new URL('./event-consumer.js', import.meta.url));

/** By name: the command. The file with the plan is its last argument. */
const commands = {
  node: [process.execPath, eventConsumer, 'fetch'],
  curl: [process.execPath, eventConsumer, 'curl'],
  python: ['python3', join(projectRoot, 'endurance/stream/pull_consumer.py')],
} as const;

export type ConsumerName = keyof typeof commands;
export const consumerNames = Object.keys(commands) as ConsumerName[];

export class Consumer {
  readonly #name: ConsumerName;
  readonly #plan: ConsumerPlan;
  #starts = 0;
  #process: ChildProcess | undefined;

  constructor(name: ConsumerName, plan: ConsumerPlan) {
    this.#name = name;
    this.#plan = plan;
  }

  /** A process group of its own, so that a kill also ends what the consumer has started. */
  async start(): Promise<void> {
    this.#starts += 1;
    const file = `${this.#plan.ledger}.plan.json`;
    await writeFile(file, JSON.stringify({ ...this.#plan, seed: this.#plan.seed + this.#starts }));
    const [command, ...args] = commands[this.#name];
    this.#process = spawn(command, [...args, file], { stdio: ['ignore', 'ignore', 'inherit'], detached: true });
    process.once('exit', this.#killGroup);
  }

  async kill(): Promise<void> {
    if (!this.#process) return;
    const exited = once(this.#process, 'exit');
    const hasExited = this.#process.exitCode !== null || this.#process.signalCode !== null;
    this.#killGroup();
    if (!hasExited) await exited;
    process.off('exit', this.#killGroup);
    this.#process = undefined;
  }

  /** The ids that were written down. */
  async taken(): Promise<string[]> {
    return (await readFile(this.#plan.ledger, 'utf8')).split('\n').filter((line) => line !== '');
  }

  readonly #killGroup = (): void => {
    try {
      process.kill(-this.#process!.pid!, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  };
}
