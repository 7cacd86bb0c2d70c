// Repeats rounds of work while the process runs. The next round starts at once if there may be more to do, otherwise
// when the loop is woken or after an interval.

export interface WorkLoopParts {
  /** Returns whether there may be more to do at once. Never rejects. */
  round(): Promise<boolean>;
  pollEveryMs: number;
}

export class WorkLoop {
  readonly #parts: WorkLoopParts;
  #isStopping = false;
  #isWoken = false;
  #wake = nothing;
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

  /** Waits until the running round ends. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#wake();
    await this.#running;
  }

  wake(): void {
    this.#isWoken = true;
    this.#wake();
  }

  async #work(): Promise<void> {
    while (!this.#isStopping) {
      this.#isWoken = false;
      const isMore = await this.#parts.round();
      if (!isMore && !this.#isStopping && !this.#isWoken) await this.#rest();
    }
  }

  #rest(): Promise<void> {
    return new Promise((resolve) => {
      const goOn = () => {
        clearTimeout(timer);
        this.#wake = nothing;
        resolve();
      };
      const timer = setTimeout(goOn, this.#parts.pollEveryMs);
      this.#wake = goOn;
    });
  }
}

function nothing(): void {}
