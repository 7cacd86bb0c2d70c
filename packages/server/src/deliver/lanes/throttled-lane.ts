// How many notifications a lane keeps in memory while its rate is used up. If the wait is short, it keeps what it sends
// next, because a claim and a release per notification would cost more than the sending. Pure.

import { type Lane, readyIn } from './lane.ts';

/** Why a lane with a rate is paused. */
export interface RateWait {
  ratePerSecond: number;
  /** Undefined: until slots are reserved, which takes a moment. */
  waitMs: number | undefined;
}

/** The rate of mails is per minute: a lane that had no more to send in the last minute may send as others do. */
const throttledByMailsMs = 60_000;
/** A lane that has not waited for this long has caught up, or its rate has changed. */
const throttledByRateMs = 1_000;

/** Some times as long as the delivery loop takes to claim more. */
const keptSeconds = 2;
/** A lane that has to wait longer keeps nothing. */
const keptWaitMsMax = 5_000;
/** For a new one and a retry, so that neither delays the other. */
const keptMin = 2;

/** Whether more than a few ready notifications could not be sent, and would be released. */
export function isThrottled({ isPaused, throttledUntil }: Lane): boolean {
  return isPaused || performance.now() < throttledUntil;
}

/** `share`: how many it may keep because of other lanes. Without `rate`, the channel allows no more for now. */
export function keptWhilePaused(rate: RateWait | undefined, share: number): number {
  if (!rate || (rate.waitMs ?? 0) > keptWaitMsMax || share < keptMin) return 0;
  return Math.floor(Math.min(share, Math.max(keptMin, keptSeconds * rate.ratePerSecond)));
}

export function throttledMsOf(rate: RateWait | undefined): number {
  if (!rate) return throttledByMailsMs;
  return rate.waitMs === undefined ? 0 : rate.waitMs + throttledByRateMs;
}

/** How many more a throttled lane can take: none until half of them are sent, so that each claim is for several. */
export function throttledCapacity(lane: Lane): number {
  const most = lane.isPaused ? lane.kept : Math.max(keptMin, lane.kept);
  const free = most - readyIn(lane);
  return free > most / 2 ? free : 0;
}
