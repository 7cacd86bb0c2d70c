// Which transactions had committed at a certain moment, according to PostgreSQL (`pg_current_snapshot`).

export interface Snapshot {
  /** All transactions below this one are visible. */
  readonly min: number;
  /** No transaction from this one on is visible. */
  readonly max: number;
  /** The transactions in between that were still running. */
  readonly running: readonly number[];
  /** In the format of PostgreSQL. */
  readonly text: string;
}

/** `min:max:running,running,…` */
export function parseSnapshot(text: string): Snapshot {
  const [min, max, running] = text.split(':');
  return { min: Number(min), max: Number(max), running: running ? running.split(',').map(Number) : none, text };
}

const none: readonly number[] = [];

export function wasCommitted({ min, max, running }: Snapshot, transactionId: number): boolean {
  return transactionId < min || (transactionId < max && !running.includes(transactionId));
}
