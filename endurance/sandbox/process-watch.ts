// Samples the memory and the number of threads of a process once a second.

import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sample } from './sandbox-books.ts';

const lookedEveryMs = 1_000;

/** NaN if the system does not report it. */
export async function lookAt(pid: number): Promise<Sample> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const number = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? Number.NaN);
  return { memoryMb: number('VmRSS') / 1024, threads: number('Threads') };
}

export class ProcessWatch {
  readonly samples: Sample[] = [];
  readonly #pid: number;
  readonly #done: Promise<void>;
  #isStopping = false;

  constructor(pid: number) {
    this.#pid = pid;
    this.#done = this.#look();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#done;
  }

  async #look(): Promise<void> {
    while (!this.#isStopping) {
      const sample = await lookAt(this.#pid);
      if (!Number.isNaN(sample.memoryMb)) this.samples.push(sample);
      await sleep(lookedEveryMs);
    }
  }
}
