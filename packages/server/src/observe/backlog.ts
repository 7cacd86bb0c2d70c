// The backlog of the queues, as shown to operators: how many items wait, and for how long.

/**
 * The queues in processing order: changes to be matched; notifications whose script or stylesheet has yet to run;
 * notifications that are ready or being sent; notifications that wait for an earlier one about the same object;
 * notifications that wait for a retry; notifications of inactive users, which may not be sent; notifications of streams
 * that are not acknowledged.
 */
export const queueNames = ['events', 'shaping', 'ready', 'blocked', 'retry', 'parked', 'stream'] as const;

export type QueueName = (typeof queueNames)[number];

export interface QueueState {
  waiting: number;
  /** The age of the oldest item; 0 if the queue is empty. */
  oldestSeconds: number;
}

export type Backlog = Readonly<Record<QueueName, QueueState>>;

/** Counting stops here, because a higher count costs more than it is worth. */
export const countedMax = 100_000;
