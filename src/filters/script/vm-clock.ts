// The two clocks of a call: the one that its script sees, which stands still, and the one that ends it.

/** Goes through the engine and leaves it as it was just then: it is not to be used any more. */
class OverTime extends Error {}

const badFile = 8;

export class VmClock {
  #nowMs = 0;
  #endsAt = Number.POSITIVE_INFINITY;
  #wasOver = false;
  #isBroken = false;

  begin(nowMs: number, timeMs: number): void {
    this.#nowMs = nowMs;
    this.#endsAt = performance.now() + timeMs;
    this.#wasOver = false;
  }

  /** The time ran out since it began. */
  get wasOver(): boolean {
    return this.#wasOver;
  }

  get isBroken(): boolean {
    return this.#isBroken;
  }

  isOver(): boolean {
    this.#wasOver ||= performance.now() > this.#endsAt;
    return this.#wasOver;
  }

  /** Whatever is left of the time. */
  end(): void {
    this.#wasOver = true;
  }

  /** Asked by the engine every now and then. */
  interrupts(): boolean {
    const wasInterrupted = this.#wasOver;
    if (!this.isOver()) return false;
    if (!wasInterrupted) return true;
    // An async function makes a rejected promise of the interruption, and its caller goes on.
    this.#isBroken = true;
    throw new OverTime();
  }

  /** What the engine has of the system: the time, and neither chance nor output. */
  wasi(memory: { readonly buffer: ArrayBufferLike }) {
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
