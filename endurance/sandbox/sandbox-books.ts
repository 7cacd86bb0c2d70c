// Checks that every change has exactly one expected result per subscription, and that memory and threads of the worker
// did not grow.

import type { Finding } from '../finding.ts';
import type { Fate, RunSubscription } from './sandbox-subscriptions.ts';
import type { Account } from './sandbox-table.ts';

export interface Sample {
  memoryMb: number;
  threads: number;
}

export function judgeAccounts(
  planned: readonly (Pick<RunSubscription, 'kind' | 'fate' | 'isHostile'> & { key: number })[],
  accounts: readonly Account[],
): Finding[] {
  const findings: Finding[] = [];
  const bySubscription = new Map(accounts.map((account) => [account.subscription, account]));
  for (const { key, kind, fate, isHostile } of planned) {
    const account = bySubscription.get(key);
    if (!account) {
      findings.push({ kind: 'lost change', text: `there is no event that subscription ${key} (${kind}) hears of` });
      continue;
    }
    const find = (found: Finding['kind'], count: number, what: string) => {
      if (count > 0) findings.push({ kind: found, text: `subscription ${key} (${kind}): ${count} ${what}` });
    };
    find('notification missing', account.missing, 'events came to nothing');
    find('notification twice', account.double, 'events came to more than one thing');
    const strange = account.due - account.missing - account[columns[fate]];
    find(isHostile ? 'hostile one let through' : 'harmed by another', strange, `did not end as: ${fate}`);
  }
  return findings;
}

const columns: Record<Fate, 'delivered' | 'suppressed' | 'scriptFailed' | 'failed'> = {
  delivered: 'delivered',
  'held back': 'suppressed',
  'script failed': 'scriptFailed',
  'stylesheet failed': 'failed',
};

/** Every notification recorded as delivered was received once. */
export function judgeReceived(ids: readonly string[], delivered: number): Finding[] {
  const distinct = new Set(ids).size;
  const findings: Finding[] = [];
  if (ids.length > distinct)
    findings.push({ kind: 'notification twice', text: `${ids.length - distinct} were received again` });
  if (distinct < delivered)
    findings.push({
      kind: 'delivered to nobody',
      text: `${delivered - distinct} recorded as delivered were not received`,
    });
  if (distinct > delivered)
    findings.push({
      kind: 'wrong attempts',
      text: `${distinct - delivered} were received and not recorded as delivered`,
    });
  return findings;
}

export interface Footprint {
  /** Medians of the first and the last fifth of the time after the warm-up. */
  firstMb: number;
  lastMb: number;
  maxMb: number;
  /** Before the first change, at the peak, and at the end. */
  threadsIdle: number;
  threadsMax: number;
  threadsEnd: number;
}

/** Of the whole time. */
const warmUpShare = 0.2;

export function footprintOf(samples: readonly Sample[], threadsIdle: number, threadsEnd: number): Footprint {
  const warm = samples.slice(Math.floor(samples.length * warmUpShare));
  const fifth = Math.max(1, Math.floor(warm.length / 5));
  const medianMb = (some: readonly Sample[]) => median(some.map(({ memoryMb }) => memoryMb));
  return {
    firstMb: medianMb(warm.slice(0, fifth)),
    lastMb: medianMb(warm.slice(-fifth)),
    maxMb: Math.max(...samples.map(({ memoryMb }) => memoryMb)),
    threadsIdle,
    threadsMax: Math.max(...samples.map(({ threads }) => threads)),
    threadsEnd,
  };
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

export const memoryGrowthMax = 1.15;
/** By default, two fast threads and one slow thread per kind. */
export const sandboxThreads = 6;
/** Threads that Node starts on demand. */
export const nodeThreads = 4;

/** `isLong`: long enough to distinguish growth from the warm-up. */
export function judgeFootprint(footprint: Footprint, isLong: boolean): Finding[] {
  const { firstMb, lastMb, threadsIdle, threadsMax, threadsEnd } = footprint;
  const findings: Finding[] = [];
  if (isLong && lastMb > firstMb * memoryGrowthMax)
    findings.push({ kind: 'too much memory', text: `from ${firstMb.toFixed(0)} to ${lastMb.toFixed(0)} MB` });
  const normal = threadsIdle + sandboxThreads + nodeThreads;
  // A thread that is being killed and its replacement exist at the same time.
  if (threadsMax > normal + sandboxThreads)
    findings.push({ kind: 'too many threads', text: `${threadsMax} at once, of ${threadsIdle} at rest` });
  if (threadsEnd > normal)
    findings.push({ kind: 'too many threads', text: `${threadsEnd} at the end, of ${threadsIdle} at rest` });
  return findings;
}
