// Counts the responses of the service by phase of a run: how often each status, and the slowest response.

export type Phase = 'before' | 'hardship' | 'after' | 'stop and start' | 'in the end';

export const phases: readonly Phase[] = ['before', 'hardship', 'after', 'stop and start', 'in the end'];

/**
 * The caller: writers, which also read; the crowd of a hardship; the probe of `/health/ready`. `wrong date`: counts
 * again any response whose `Date` is far from the clock of the machine.
 */
export type Asker = 'write' | 'read' | 'crowd' | 'ready' | 'wrong date';

/** `lost`: the connection was refused or ended, or there was no response for 30 s. */
export type Status = number | 'lost' | 'no Retry-After';

export interface AnswerCount {
  phase: Phase;
  asker: Asker;
  status: Status;
  count: number;
  slowestMs: number;
}

export class AnswerBooks {
  /** The phase in which requests count from now on. */
  phase: Phase = 'before';
  readonly #counts = new Map<string, AnswerCount>();

  get counts(): readonly AnswerCount[] {
    return [...this.#counts.values()];
  }

  note({ phase, asker, status }: Pick<AnswerCount, 'phase' | 'asker' | 'status'>, tookMs: number): void {
    const id = `${phase} ${asker} ${status}`;
    const known = this.#counts.get(id) ?? { phase, asker, status, count: 0, slowestMs: 0 };
    this.#counts.set(id, {
      ...known,
      count: known.count + 1,
      slowestMs: Math.max(known.slowestMs, tookMs),
    });
  }
}
