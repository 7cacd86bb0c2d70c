// The backlog of the queues, as shown to operators: how many items wait, and for how long.

import { header } from './metrics.ts';

/**
 * The queues in processing order: changes to be matched; notifications whose script or stylesheet has yet to run;
 * notifications that are ready or being sent; notifications that wait for a retry; notifications of inactive users,
 * which may not be sent.
 */
export const queueNames = ['events', 'preparing', 'ready', 'retry', 'parked'] as const;

export type QueueName = (typeof queueNames)[number];

export interface QueueState {
  waiting: number;
  /** The age of the oldest item; 0 if the queue is empty. */
  oldestSeconds: number;
}

export type Backlog = Readonly<Record<QueueName, QueueState>>;

/** Counting stops here, because a higher count costs more than it is worth. */
export const countedMax = 100_000;

export function renderBacklog(backlog: Backlog): string {
  const lines = (name: string, value: (state: QueueState) => number) =>
    queueNames.map((queue) => `${name}{queue="${queue}"} ${value(backlog[queue])}\n`).join('');
  const [waiting, age] = ['flaghoist_backlog', 'flaghoist_backlog_age_seconds'];
  return [
    header(waiting, `What waits in the database, for any process, by queue; ${countedMax} at most.`, 'gauge'),
    lines(waiting, (state) => state.waiting),
    header(age, 'How long the oldest of it has waited.', 'gauge'),
    lines(age, (state) => state.oldestSeconds),
  ].join('');
}
