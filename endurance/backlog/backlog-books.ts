// What was planned, received and recorded of a backlog, how long it took, and whether that meets the limits.

import type { Outcomes } from '../../bench/delivery/delivery-table.ts';
import { idOf, type NotificationPlan } from '../../bench/delivery/planned-notifications.ts';
import type { Received } from '../../bench/delivery/sink.ts';
import type { Finding } from '../finding.ts';

export interface BacklogBooks {
  planned: number;
  received: number;
  /** How many distinct planned ones. */
  distinct: number;
  /** Ids that were not planned. */
  strange: number;
  /** From the log and the queue: delivered at the first attempt, other results, still pending, still claimed. */
  delivered: number;
  other: number;
  pending: number;
  claimed: number;
}

/** Seconds since the start of the process. */
export interface BacklogTimes {
  ready: number;
  firstReceived: number;
  lastReceived: number;
  recorded: number;
}

/** The peak of the process so far; undefined if the system does not report it. */
export interface PeakMemory {
  atTenthMb: number | undefined;
  atEndMb: number | undefined;
}

export function keepBooks(
  plan: NotificationPlan,
  { ids }: Pick<Received, 'ids'>,
  outcomes: Outcomes & { claimed: number },
): BacklogBooks {
  const missing = new Set(Array.from({ length: plan.count }, (_, n) => idOf(plan, n)));
  const strange = new Set<string>();
  const received = new Set(ids);
  for (const id of received) if (!missing.delete(id)) strange.add(id);
  return {
    planned: plan.count,
    received: ids.length,
    distinct: plan.count - missing.size,
    strange: strange.size,
    ...outcomes,
  };
}

/** FLT-20: the limits for a backlog of any size. */
export const readySecondsMax = 30;
/** From then on. */
export const firstSecondsMax = 5;
export const memoryGrowthMbMax = 100;

export function judgeBacklog(books: BacklogBooks, times: BacklogTimes, memory: PeakMemory): Finding[] {
  const { planned, received, distinct, strange, delivered, other, pending, claimed } = books;
  const findings: Finding[] = [];
  const find = (kind: Finding['kind'], isSo: boolean, text: string) => {
    if (isSo) findings.push({ kind, text });
  };
  find('notification missing', distinct < planned, `${planned - distinct} of ${planned} were not received`);
  find('notification too many', strange > 0, `${strange} were received that nobody had planned`);
  find('notification twice', received > distinct + strange, `${received - distinct - strange} came again`);
  find('wrong attempts', other > 0 || delivered !== planned, `${delivered} delivered at once, ${other} not`);
  find('notification left', pending > 0 || claimed > 0, `${pending} pending, ${claimed} of them claimed`);
  find('too late', !(times.ready <= readySecondsMax), `ready after ${times.ready.toFixed(1)} s`);
  const first = times.firstReceived - times.ready;
  find('too late', !(first <= firstSecondsMax), `the first ${first.toFixed(1)} s after it was ready`);
  const growthMb = (memory.atEndMb ?? 0) - (memory.atTenthMb ?? 0);
  find('too much memory', growthMb > memoryGrowthMbMax, `${growthMb.toFixed(0)} MB more than after a tenth`);
  return findings;
}

/** The rate of arrival in each tenth. */
export function ratesByTenth(atMs: readonly number[]): number[] {
  const at = (tenth: number) => Math.min(atMs.length - 1, Math.round((tenth * (atMs.length - 1)) / 10));
  return Array.from({ length: 10 }, (_, n) => {
    const [from, to] = [at(n), at(n + 1)];
    return ((to - from) * 1000) / (atMs[to]! - atMs[from]!);
  });
}
