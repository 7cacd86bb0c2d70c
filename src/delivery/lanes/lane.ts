// The lane of one subscription: what is ready of it, what is under way, and how its receiver was the last time.

import type { ReadyNotification } from './ready-notification.ts';

/** How the last attempt went. */
export type Pace = 'quick' | 'slow' | 'failing';

export type Kind = 'first' | 'again';

export interface Lane extends Record<Kind, ReadyNotification[]> {
  readonly key: number;
  inFlight: number;
  /** When something was sent, or ended, last. */
  movedAt: number;
  /** The second in which it has sent something last. */
  sentIn: number;
  /** Undefined: nobody knows. */
  pace: Pace | undefined;
  /** How many attempts have failed in a row. */
  failures: number;
  /** How many of these it has rested for. */
  restedFor: number;
  /** Nothing of it is sent for the moment. */
  isPaused: boolean;
  /** How much of it is to be here at most, where it was sent enough lately: what could not be sent would be given back again. */
  ration: number;
  /** It stands among those whose turn will come. */
  readonly hasTurn: Record<Kind, boolean>;
}

export function newLane(key: number): Lane {
  return {
    key,
    first: [],
    again: [],
    inFlight: 0,
    movedAt: 0,
    sentIn: -1,
    pace: undefined,
    failures: 0,
    restedFor: 0,
    isPaused: false,
    ration: Number.POSITIVE_INFINITY,
    hasTurn: { first: false, again: false },
  };
}

export function readyIn({ first, again }: Lane): number {
  return first.length + again.length;
}

/** Of those that fail: how many more that were never tried, which are sent one at a time. */
export function roomsForNew(lanes: Iterable<Lane>): Map<number, number> {
  const failing = [...lanes].filter((lane) => lane.pace === 'failing' && isBusy(lane));
  return new Map(failing.map(({ key, first }) => [key, Math.max(0, 2 - first.length)]));
}

/** How an attempt went. */
export function countFailures(lane: Lane, pace: Pace): void {
  lane.failures = pace === 'failing' ? lane.failures + 1 : 0;
  if (lane.failures === 0) lane.restedFor = 0;
}

/** What could be sent while nothing was sent has come together again. */
const rationMs = 120_000;

/** How much of it is to be here at most. */
export function rationOf({ ration, movedAt }: Lane): number {
  const isLimited = ration < Number.POSITIVE_INFINITY && performance.now() - movedAt < rationMs;
  return isLimited ? ration : Number.POSITIVE_INFINITY;
}

/** After an attempt. */
export function largerRation(ration: number): number {
  return ration < 64 ? 2 * ration : Number.POSITIVE_INFINITY;
}

/** Whether it may have less than others that are like it. */
export function isShort(lane: Lane): boolean {
  return lane.isPaused || rationOf(lane) < Number.POSITIVE_INFINITY;
}

/** Something of it is here, or under way. */
export function isBusy(lane: Lane): boolean {
  return lane.inFlight > 0 || readyIn(lane) > 0;
}

/** Those that are busy or paused, and of the others so many, those that have moved last. */
export function busyAndRecent(lanes: Iterable<Lane>, idleMax: number): Lane[] {
  const all = [...lanes];
  const isKept = (lane: Lane) => isBusy(lane) || lane.isPaused;
  const idle = all.filter((lane) => !isKept(lane)).sort((one, other) => other.movedAt - one.movedAt);
  return [...all.filter(isKept), ...idle.slice(0, idleMax)];
}

/** What is sent again after it has failed does not stand in the way of what is new. */
export function kindOf({ attempts, resendJob }: ReadyNotification): Kind {
  return attempts > 0 || resendJob !== null ? 'again' : 'first';
}
