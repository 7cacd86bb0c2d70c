// What an engine gets from outside: the fixed time that the script sees, and the deadline that ends the call. It also
// knows how much memory the engine takes.

/** Unwinds the engine and leaves it in an arbitrary state: the engine must not be used again. */
class OverTime extends Error {}

const badFile = 8;

type EngineMemory = { readonly buffer: ArrayBufferLike };

export class EngineHost {
  #memory: EngineMemory = { buffer: new ArrayBuffer(0) };
  #nowMs = 0;
  #endsAt = Number.POSITIVE_INFINITY;
  #wasOver = false;
  #isBroken = false;

  begin(nowMs: number, timeMs: number): void {
    this.#nowMs = nowMs;
    this.#endsAt = performance.now() + timeMs;
    this.#wasOver = false;
  }

  /** Whether the time has run out since `begin`. */
  get wasOver(): boolean {
    return this.#wasOver;
  }

  get isBroken(): boolean {
    return this.#isBroken;
  }

  get memoryBytes(): number {
    return this.#memory.buffer.byteLength;
  }

  isOver(): boolean {
    this.#wasOver ||= performance.now() > this.#endsAt;
    return this.#wasOver;
  }

  /** Ends the call, even if time is left. */
  end(): void {
    this.#wasOver = true;
  }

  /** Called by the engine at intervals. */
  interrupts(): boolean {
    const wasInterrupted = this.#wasOver;
    if (!this.isOver()) return false;
    if (!wasInterrupted) return true;
    // An async function turns the interruption into a rejected promise, and its caller continues. So this one throws.
    this.#isBroken = true;
    throw new OverTime();
  }

  /** The system functions of the engine: a clock, but neither random numbers nor output. */
  wasi(memory: EngineMemory) {
    this.#memory = memory;
    return {
      clock_time_get: (_clock: number, _precision: bigint, place: number): number => {
        new DataView(memory.buffer).setBigInt64(place, BigInt(Math.trunc(this.#nowMs)) * 1_000_000n, true);
        return 0;
      },
      random_get: (place: number, length: number): number => {
        new Uint8Array(memory.buffer, place, length).fill(0);
        return 0;
      },
      fd_write: (): number => badFile,
    };
  }
}
