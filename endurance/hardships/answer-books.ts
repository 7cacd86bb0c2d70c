// What the service answered, by phase of a run: how often each status, and how long the slowest answer took.

export type Phase = 'before' | 'hardship' | 'after' | 'stop and start' | 'in the end';

export const phases: readonly Phase[] = ['before', 'hardship', 'after', 'stop and start', 'in the end'];

/**
 * Who asked: writers, with reads in between; the crowd of a hardship; the probe of `/health/ready`. `wrong date`: any of these whose
 * answer has a `Date` that is far from the machine's clock; it is counted once more.
 */
export type Asker = 'write' | 'read' | 'crowd' | 'ready' | 'wrong date';

/** `lost`: the connection was refused or ended, or nothing came for 30 s. */
export type Status = number | 'lost' | 'no Retry-After';

export interface AnswerCount {
  phase: Phase;
  asker: Asker;
  status: Status;
  count: number;
  slowestMs: number;
}

export class AnswerBooks {
  /** The phase that requests are counted in from now on. */
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
