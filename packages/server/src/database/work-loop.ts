// Repeats rounds of work while the process runs. Everything that the service does again and again uses this loop. The
// next round starts at once if there may be more to do, otherwise when the loop is woken or after an interval. A round
// that fails is repeated after the interval. The loop does not keep the process alive.

import { isTemporary } from './database-away.ts';

export interface WorkLoopParts {
  /** Returns whether there may be more to do at once. A long round should end early when the loop is stopping. */
  round(loop: Stopping): Promise<boolean>;
  pollEveryMs: number;
  /** Reports the error of a round. Not called for temporary errors of the database, which reports its own outages. */
  onError(error: Error): void;
  /** Whether the first round waits for the interval, too. */
  restsFirst?: boolean;
}

export interface Stopping {
  readonly isStopping: boolean;
}

export class WorkLoop implements Stopping {
  readonly #parts: WorkLoopParts;
  #isStopping = false;
  #isWoken = false;
  #hasFailed = false;
  #endRest = nothing;
  #running: Promise<void> = Promise.resolve();

  constructor(parts: WorkLoopParts) {
    this.#parts = parts;
  }

  get isStopping(): boolean {
    return this.#isStopping;
  }

  start(): void {
    this.#running = this.#work();
  }

  /** Starts the next round at once. The pause after a failure is not shortened: a caller may wake the loop often. */
  wake(): void {
    this.#isWoken = true;
    if (!this.#hasFailed) this.#endRest();
  }

  /** Waits until the running round ends, but not longer than until `deadline`. */
  async stop(deadline?: AbortSignal): Promise<void> {
    this.#isStopping = true;
    this.#endRest();
    await (deadline ? Promise.race([this.#running, aborted(deadline)]) : this.#running);
  }

  async #work(): Promise<void> {
    if (this.#parts.restsFirst) await this.#rest();
    while (!this.#isStopping) {
      this.#isWoken = false;
      const isMore = await this.#attempt();
      if (this.#hasFailed || !(isMore || this.#isWoken)) await this.#rest();
    }
  }

  async #attempt(): Promise<boolean> {
    try {
      const isMore = await this.#parts.round(this);
      this.#hasFailed = false;
      return isMore;
    } catch (error) {
      this.#hasFailed = true;
      if (!isTemporary(error)) this.#parts.onError(error as Error);
      return false;
    }
  }

  async #rest(): Promise<void> {
    if (this.#isStopping) return;
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(end, this.#parts.pollEveryMs).unref();
      this.#endRest = end;
    });
    this.#endRest = nothing;
  }
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
}

function nothing(): void {}
