// Runs the load generator with a plan, and measures what the serving process uses meanwhile.

import { fileURLToPath } from 'node:url';
import type { LoadPlan, LoadResult } from './load.ts';
import { NodeProgram } from './node-program.ts';
import { processorMs } from './process-usage.ts';

export interface DrivenLoad extends LoadResult {
  /** Of the serving process, per request; unknown if the system does not report it. */
  processorUs: number | undefined;
}

/** One generator for the whole run, so that it is equally warm for all contenders. */
export class LoadDriver {
  readonly #generator = new NodeProgram({
    script: fileURLToPath(new URL('./load-generator.js', import.meta.url)),
    hasChannel: true,
  });

  get pid(): number {
    return this.#generator.pid;
  }

  generate(plan: LoadPlan): Promise<LoadResult> {
    return this.#generator.ask<LoadResult>(plan);
  }

  /** `pid`: of the process that serves. */
  async drive(plan: LoadPlan, pid: number): Promise<DrivenLoad> {
    const before = await processorMs(pid);
    const result = await this.generate(plan);
    const after = await processorMs(pid);
    const isKnown = before !== undefined && after !== undefined && result.acknowledged > 0;
    return { ...result, processorUs: isKnown ? ((after - before) * 1000) / result.acknowledged : undefined };
  }

  stop(): Promise<void> {
    return this.#generator.stop();
  }
}
