// The balance of a run: how fast each subscription was sent to, how late the others were, and what is missing. Pure.

import { quantile } from '../../bench/harness/statistics.ts';
import type { Finding } from '../finding.ts';

export interface ThrottleArrival {
  id: string;
  /** Of the change, from 0. */
  change: number;
  /** Milliseconds since the first change. */
  atMs: number;
}

export interface SubscriptionLedger {
  /** Null: no rate. */
  ratePerSecond: number | null;
  arrivals: readonly ThrottleArrival[];
}

export interface ThrottleLedger {
  subscriptions: readonly SubscriptionLedger[];
  /** When each change was committed, in milliseconds since the first one. */
  changedAt: readonly number[];
  /** The rates are measured in this time. All that time, more was to be sent than the rates allow. */
  measuredMs: number;
}

export interface MeasuredRate {
  ratePerSecond: number;
  perSecond: number;
  /** The most that arrived within any second. */
  mostInASecond: number;
}

export interface ThrottleBalance {
  changes: number;
  arrivals: number;
  rates: MeasuredRate[];
  /** How long after the change the notifications of the others arrived, in milliseconds; sorted. */
  delays: number[];
  findings: Finding[];
}

const tolerance = 0.1;
/**
 * A quarter of a second of late slots is made up for, one may be at the edge of the second, and each process that has
 * stalled has one slot left (`throttle.ts`).
 */
const mostAtOnce = (rate: number) => 1.25 * rate + 1 + processes;
const processes = 2;
/** The backlog of those with a rate waits much longer. */
const delayMsMax = 3_000;

export function balanceThrottle({ subscriptions, changedAt, measuredMs }: ThrottleLedger): ThrottleBalance {
  const rates = subscriptions.flatMap(({ ratePerSecond, arrivals }) =>
    ratePerSecond === null ? [] : [measure(ratePerSecond, arrivals, measuredMs)],
  );
  const others = subscriptions.filter(({ ratePerSecond }) => ratePerSecond === null);
  const delays = others
    .flatMap(({ arrivals }) => arrivals.map(({ change, atMs }) => atMs - (changedAt[change] ?? Number.NaN)))
    .sort((one, other) => one - other);
  return {
    changes: changedAt.length,
    arrivals: subscriptions.reduce((sum, { arrivals }) => sum + arrivals.length, 0),
    rates,
    delays,
    findings: [
      ...subscriptions.flatMap((each, index) => judgeArrivals(each, index, changedAt.length)),
      ...rates.flatMap(judgeRate),
      ...judgeDelays(delays),
    ],
  };
}

function measure(ratePerSecond: number, arrivals: readonly ThrottleArrival[], measuredMs: number): MeasuredRate {
  const moments = arrivals.map(({ atMs }) => atMs);
  const within = (from: number, until: number) => moments.filter((at) => at >= from && at < until).length;
  return {
    ratePerSecond,
    perSecond: within(Number.NEGATIVE_INFINITY, measuredMs) / (measuredMs / 1_000),
    mostInASecond: Math.max(0, ...moments.map((from) => within(from, from + 1_000))),
  };
}

function judgeArrivals({ arrivals }: SubscriptionLedger, index: number, changes: number): Finding[] {
  const ids = new Set(arrivals.map(({ id }) => id));
  const arrived = new Set(arrivals.map(({ change }) => change));
  const findings: Finding[] = [];
  if (arrived.size < changes)
    findings.push({ kind: 'notification missing', text: `subscription ${index}: ${changes - arrived.size}` });
  if (ids.size < arrivals.length)
    findings.push({ kind: 'notification twice', text: `subscription ${index}: ${arrivals.length - ids.size}` });
  return findings;
}

function judgeRate({ ratePerSecond, perSecond, mostInASecond }: MeasuredRate, index: number): Finding[] {
  const findings: Finding[] = [];
  if (Math.abs(perSecond / ratePerSecond - 1) > tolerance)
    findings.push({ kind: 'wrong rate', text: `subscription ${index}: ${perSecond} instead of ${ratePerSecond}/s` });
  if (mostInASecond > mostAtOnce(ratePerSecond))
    findings.push({ kind: 'wrong rate', text: `subscription ${index}: ${mostInASecond} within a second` });
  return findings;
}

function judgeDelays(delays: readonly number[]): Finding[] {
  const late = quantile(delays, 0.99);
  return late > delayMsMax
    ? [{ kind: 'harmed by another', text: `without a rate, one in a hundred took ${late.toFixed(0)} ms` }]
    : [];
}
