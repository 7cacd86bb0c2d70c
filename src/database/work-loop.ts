// Does something again and again for as long as the process runs: at once where there may be more to do, else when it is woken, and
// every now and then.

export interface WorkLoopParts {
  /** Answers whether there may be more to do at once. Never rejects. */
  round(): Promise<boolean>;
  askedEveryMs: number;
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

  /** Finishes the round that is under way. */
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
      const timer = setTimeout(goOn, this.#parts.askedEveryMs);
      this.#wake = goOn;
    });
  }
}

function nothing(): void {}
