// Which transactions had been committed when a subscription was created, as PostgreSQL tells it (`pg_current_snapshot`): a
// change of one of those came before the subscription, whatever its event's number.

export interface Snapshot {
  /** All below are visible. */
  readonly min: number;
  /** None from here on is visible. */
  readonly max: number;
  /** Those in between that were still running. */
  readonly running: readonly number[];
}

/** `min:max:running,running,…` */
export function parseSnapshot(text: string): Snapshot {
  const [min, max, running] = text.split(':');
  return { min: Number(min), max: Number(max), running: running ? running.split(',').map(Number) : nobody };
}

const nobody: readonly number[] = [];

export function wasCommitted({ min, max, running }: Snapshot, transactionId: number): boolean {
  return transactionId < min || (transactionId < max && !running.includes(transactionId));
}
