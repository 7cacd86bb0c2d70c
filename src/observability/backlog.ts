// How much waits, and for how long: what operators are shown of the queues.

import { header } from './metrics.ts';

/**
 * In the order of their way: changes to be matched, notifications whose script or stylesheet is to be run, those that are ready or being
 * sent, those that wait for their next attempt, and those that may not be sent while their user is inactive.
 */
export const queueNames = ['events', 'preparing', 'ready', 'retry', 'parked'] as const;

export type QueueName = (typeof queueNames)[number];

export interface QueueState {
  waiting: number;
  /** Of what has waited longest; 0 where nothing waits. */
  oldestSeconds: number;
}

export type Backlog = Readonly<Record<QueueName, QueueState>>;

/** More are not counted: it would cost more than it tells. */
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
