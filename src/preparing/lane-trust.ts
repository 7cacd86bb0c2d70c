// Which subscriptions have scripts and stylesheets that have shown to answer in time. Those that have not, yet or any more, are worked
// off apart from the others, a few at a time, and one that took too long rests: it may cost a small part of the processor, and nobody
// else's time. One that never ends is given up until it has rested. In memory; whoever starts anew learns it anew. No I/O.

import { Recent } from '../recent.ts';

export type Track = 'trusted' | 'probation';

interface Standing {
  /** In time, one after the other. */
  answers: number;
  /** So many are needed. */
  answersForTrust: number;
  /** In time, ever. */
  hasAnswered: boolean;
  /** What one takes of late. */
  meanMs: number;
  /** Not in time, one after the other. */
  overTimes: number;
  restsUntil: number;
}

const lanesRemembered = 20_000;
const lateRemembered = 10_000;
const answersOfStranger = 3;
/** Of one that has ever taken too long. */
const answersOfOffender = 1_000;
const trustedRoom = 200;
/** One that takes longer holds up others, also where it is in time. */
const trustedMs = 20;
const newestWeighs = 0.2;
/** Before it has answered in time for the first time, and after. */
const strangerRoom = 1;
const probationRoom = 4;
/** After one that took too long, which costs up to a second; twice as long after each further one. */
const restMs = 5_000;
const restMsMax = 60_000;
/** After so many in a row the others are not even tried while it rests: they would pile up. */
const overTimesMax = 3;
const givenUpRoom = 200;

const stranger: Standing = {
  answers: 0,
  answersForTrust: answersOfStranger,
  hasAnswered: false,
  meanMs: 0,
  overTimes: 0,
  restsUntil: 0,
};

export class LaneTrust {
  readonly #lanes = new Recent<number, Standing>(lanesRemembered);
  /** That have ever taken too long: however many others come, they do not make these strangers again. */
  readonly #offenders = new Recent<number, Standing>(lanesRemembered);
  readonly #late = new Recent<number, true>(lateRemembered);

  note(lane: number, { isOverTime, tookMs }: { isOverTime: boolean; tookMs: number }): void {
    const before = this.#standingOf(lane);
    const meanMs = before.meanMs + (tookMs - before.meanMs) * newestWeighs;
    // What ends later than one that took too long may have begun before it: the rest stays.
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
   * Of one that took too long. Where others of its lane did not, and where it is the first, it may be the machine that was busy, or
   * an engine that was cold. Answers true once for each.
   */
  deservesAnotherTry({ subscriptionKey: lane, key }: { subscriptionKey: number; key: number }): boolean {
    const isSuspect = this.#offenders.peek(lane)?.hasAnswered === false;
    if (isSuspect || this.#late.has(key)) return false;
    this.#late.set(key, true);
    return true;
  }

  /** In which order those on probation are tried: the quick ones first, those last that took too long. */
  compare(one: number, other: number): number {
    const [first, second] = [one, other].map((lane) => this.#standingOf(lane));
    return first!.overTimes - second!.overTimes || first!.meanMs - second!.meanMs;
  }

  /** It has taken too long again and again, and rests. */
  isGivenUp(lane: number): boolean {
    const { overTimes, restsUntil } = this.#standingOf(lane);
    return overTimes >= overTimesMax && restsUntil > performance.now();
  }

  /** It has answered, and soon: whoever it belongs to, it costs next to nothing. */
  isQuick(lane: number): boolean {
    const { hasAnswered, meanMs, overTimes } = this.#standingOf(lane);
    return hasAnswered && overTimes === 0 && meanMs <= trustedMs;
  }

  /** It took too long the last time, and may be tried again. */
  isSuspect(lane: number): boolean {
    return this.#standingOf(lane).overTimes > 0;
  }

  /** How many of it are claimed at once. */
  roomIn(lane: number, track: Track): number {
    const standing = this.#standingOf(lane);
    const isTrusted = standing.answers >= standing.answersForTrust && standing.meanMs <= trustedMs;
    if (isTrusted || track === 'trusted') return isTrusted && track === 'trusted' ? trustedRoom : 0;
    if (this.isGivenUp(lane)) return givenUpRoom;
    if (standing.restsUntil > performance.now()) return 0;
    return standing.answers > 0 ? probationRoom : strangerRoom;
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
