// Decides which lanes (subscriptions) are trusted, because their scripts and stylesheets usually finish in time. All
// others are on probation. State is in memory and is learned again after a restart; no I/O.

import { Recent } from '../recent.ts';

export type Track = 'trusted' | 'probation';

interface Standing {
  /** Consecutive matches that finished in time. */
  answers: number;
  /** How many of these are needed for trust. */
  answersForTrust: number;
  /** Whether a match ever finished in time. */
  hasAnswered: boolean;
  /** Moving average of the time for one match. */
  meanMs: number;
  /** Consecutive matches that took too long. */
  overTimes: number;
  restsUntil: number;
}

const lanesRemembered = 20_000;
const lateRemembered = 10_000;
const answersOfStranger = 3;
/** For a lane that has ever taken too long. */
const answersOfOffender = 1_000;
const trustedCapacity = 200;
/** A slower lane delays others, even if it finishes in time. */
const trustedMs = 20;
const newestWeighs = 0.2;
/** Without a match that finished in time since the lane last took too long. */
const newLaneCapacity = 1;
/** With at least one. */
const probationCapacity = 4;
/** The pause after a match that took too long, which costs up to a second. It doubles with each further one. */
const restMs = 5_000;
const restMsMax = 60_000;
/** After this many in a row, the other matches are not tried during the pause, because they would pile up. */
const overTimesMax = 3;
const givenUpCapacity = 200;

const stranger: Standing = {
  answers: 0,
  answersForTrust: answersOfStranger,
  hasAnswered: false,
  meanMs: 0,
  overTimes: 0,
  restsUntil: 0,
};

/**
 * Lanes on probation are shaped apart from the trusted ones, a few matches at a time. A lane that took too long pauses,
 * so that it uses little processor time and delays no other lane. A lane that never finishes is given up during its
 * pause.
 */
export class LaneTrust {
  readonly #lanes = new Recent<number, Standing>(lanesRemembered);
  /** Lanes that have ever taken too long. Kept apart, so that many other lanes cannot evict them. */
  readonly #offenders = new Recent<number, Standing>(lanesRemembered);
  readonly #late = new Recent<number, true>(lateRemembered);

  note(lane: number, { isOverTime, tookMs }: { isOverTime: boolean; tookMs: number }): void {
    const before = this.#standingOf(lane);
    const meanMs = before.meanMs + (tookMs - before.meanMs) * newestWeighs;
    // A match that ends after one that took too long may have begun before it, so the pause remains.
    if (!isOverTime)
      this.#keep(lane, { ...before, answers: before.answers + 1, hasAnswered: true, meanMs, overTimes: 0 });
    else {
      const restsUntil = performance.now() + Math.min(restMs * 2 ** before.overTimes, restMsMax);
      const overTimes = before.overTimes + 1;
      const answersForTrust = answersOfOffender;
      this.#keep(lane, { ...before, answers: 0, answersForTrust, meanMs, overTimes, restsUntil });
    }
  }

  /**
   * Whether to retry a match that took too long; true once per match. The machine may have been busy, or the engine
   * cold. Not for a lane that has taken too long before and never finished in time.
   */
  deservesAnotherTry({ subscriptionKey: lane, key }: { subscriptionKey: number; key: number }): boolean {
    const isSuspect = this.#offenders.peek(lane)?.hasAnswered === false;
    if (isSuspect || this.#late.has(key)) return false;
    this.#late.set(key, true);
    return true;
  }

  /** The order on probation: fast lanes first, lanes that took too long last. */
  compare(one: number, other: number): number {
    const [first, second] = [one, other].map((lane) => this.#standingOf(lane));
    return first!.overTimes - second!.overTimes || first!.meanMs - second!.meanMs;
  }

  /** The lane took too long several times in a row and is in its pause. */
  isGivenUp(lane: number): boolean {
    const { overTimes, restsUntil } = this.#standingOf(lane);
    return overTimes >= overTimesMax && restsUntil > performance.now();
  }

  /** The lane finishes fast, so it costs next to nothing, whichever user owns it. */
  isQuick(lane: number): boolean {
    const { hasAnswered, meanMs, overTimes } = this.#standingOf(lane);
    return hasAnswered && overTimes === 0 && meanMs <= trustedMs;
  }

  /** The lane took too long the last time. It may be tried again. */
  isSuspect(lane: number): boolean {
    return this.#standingOf(lane).overTimes > 0;
  }

  /** How many matches of the lane are claimed at once. */
  capacityOf(lane: number, track: Track): number {
    const standing = this.#standingOf(lane);
    const isTrusted = standing.answers >= standing.answersForTrust && standing.meanMs <= trustedMs;
    if (isTrusted || track === 'trusted') return isTrusted && track === 'trusted' ? trustedCapacity : 0;
    if (this.isGivenUp(lane)) return givenUpCapacity;
    if (standing.restsUntil > performance.now()) return 0;
    return standing.answers > 0 ? probationCapacity : newLaneCapacity;
  }

  #standingOf(lane: number): Standing {
    return this.#offenders.peek(lane) ?? this.#lanes.peek(lane) ?? stranger;
  }

  #keep(lane: number, standing: Standing): void {
    const isOffender = standing.answersForTrust === answersOfOffender;
    if (isOffender) this.#lanes.delete(lane);
    (isOffender ? this.#offenders : this.#lanes).set(lane, standing);
  }
}
