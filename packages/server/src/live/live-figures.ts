// Counts what happens per second, for those who look: the last ten seconds for rates, the last minute for durations.

import { activityCodes } from '../deliver/statistics/activity-table.ts';
import { addCounts, percentileOf } from '../deliver/statistics/latency-buckets.ts';

export interface Rates {
  notificationsPerSecond: number;
  deliveredPerSecond: number;
  failedPerSecond: number;
  p50Ms: number | null;
  p99Ms: number | null;
}

interface Second {
  at: number;
  created: number;
  delivered: number;
  failed: number;
  latencies: number[];
}

const rateSeconds = 10;
const keptSeconds = 60;

/** What has happened to the notifications of one user, or of all. All times in seconds, by a clock that never steps. */
export class LiveFigures {
  readonly #seconds: Second[] = [];
  readonly #since: number;

  /** `since`: from when on everything is counted. */
  constructor(since: number) {
    this.#since = since;
  }

  add(at: number, code: number): void {
    const second = this.#secondAt(Math.floor(at));
    if (code === activityCodes.created) second.created += 1;
    else if (code === activityCodes.failed) second.failed += 1;
    else if (code >= activityCodes.deliveredAgain) second.delivered += 1;
    if (code < activityCodes.deliveredWithin) return;
    const bucket = code - activityCodes.deliveredWithin;
    while (second.latencies.length <= bucket) second.latencies.push(0);
    second.latencies[bucket]! += 1;
  }

  rates(now: number): Rates {
    const second = Math.floor(now);
    while (this.#seconds.length > 0 && this.#seconds[0]!.at <= second - keptSeconds) this.#seconds.shift();
    const lately = this.#seconds.filter(({ at }) => at > second - rateSeconds);
    const seconds = secondsObserved(this.#since, now);
    const rate = (name: 'created' | 'delivered' | 'failed') =>
      lately.reduce((sum, each) => sum + each[name], 0) / seconds;
    const latencies = this.#seconds.reduce<readonly number[]>((sum, each) => addCounts(sum, each.latencies), []);
    return {
      notificationsPerSecond: rate('created'),
      deliveredPerSecond: rate('delivered'),
      failedPerSecond: rate('failed'),
      p50Ms: percentileOf(latencies, 0.5),
      p99Ms: percentileOf(latencies, 0.99),
    };
  }

  #secondAt(at: number): Second {
    const last = this.#seconds.at(-1);
    if (last?.at === at) return last;
    const second = { at, created: 0, delivered: 0, failed: 0, latencies: [] };
    this.#seconds.push(second);
    return second;
  }
}

export const noRates: Rates = new LiveFigures(0).rates(0);

/** How many changes to objects happen. */
export class ChangeRate {
  readonly #since: number;
  #counts: { at: number; count: number }[] = [];

  constructor(since: number) {
    this.#since = since;
  }

  add(at: number, count: number): void {
    if (count > 0) this.#counts.push({ at, count });
  }

  perSecond(now: number): number {
    this.#counts = this.#counts.filter(({ at }) => at > now - rateSeconds);
    return this.#counts.reduce((sum, { count }) => sum + count, 0) / secondsObserved(this.#since, now);
  }
}

/** What a rate is divided by. At least one second, so that a single change at the start is no peak. */
function secondsObserved(since: number, now: number): number {
  return Math.min(rateSeconds, Math.max(1, now - since));
}
