// The lane of one subscription: its ready notifications, how many are in flight, and the state of its receiver.

import type { ReadyNotification } from '../queue/ready-notification.ts';

/** The result of the last attempt. */
export type ReceiverState = 'quick' | 'slow' | 'failing';

export type Kind = 'first' | 'again';

export interface Lane extends Record<Kind, ReadyNotification[]> {
  readonly key: number;
  inFlight: number;
  /** When a notification was last sent, or an attempt last ended. */
  movedAt: number;
  /** The second in which the lane last sent a notification. */
  sentIn: number;
  /** Undefined: not known yet. */
  receiver: ReceiverState | undefined;
  /** How many attempts have failed in a row. */
  failures: number;
  /** How many of these failures the lane has rested for. */
  restedFor: number;
  /** Whether sending is suspended for now. */
  isPaused: boolean;
  /** How many may be ready while the lane is throttled: more could not be sent, and would be given back. */
  readyLimit: number;
  /** Whether the lane is queued for a turn. */
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
    receiver: undefined,
    failures: 0,
    restedFor: 0,
    isPaused: false,
    readyLimit: Number.POSITIVE_INFINITY,
    hasTurn: { first: false, again: false },
  };
}

export function readyIn({ first, again }: Lane): number {
  return first.length + again.length;
}

/** Counts consecutive failures. `receiver`: the result of the last attempt. */
export function countFailures(lane: Lane, receiver: ReceiverState): void {
  lane.failures = receiver === 'failing' ? lane.failures + 1 : 0;
  if (lane.failures === 0) lane.restedFor = 0;
}

/** The allowance refills while the lane is idle. */
const limitExpiresMs = 120_000;

/** The ready limit in effect; infinite once it has expired. */
export function readyLimitOf({ readyLimit, movedAt }: Lane): number {
  const isLimited = readyLimit < Number.POSITIVE_INFINITY && performance.now() - movedAt < limitExpiresMs;
  return isLimited ? readyLimit : Number.POSITIVE_INFINITY;
}

/** The ready limit after one more attempt. */
export function raisedLimit(limit: number): number {
  return limit < 64 ? 2 * limit : Number.POSITIVE_INFINITY;
}

/** Whether the lane may have less capacity than other lanes in the same state. */
export function isShort(lane: Lane): boolean {
  return lane.isPaused || readyLimitOf(lane) < Number.POSITIVE_INFINITY;
}

/** Whether notifications of the lane are ready or in flight. */
export function isBusy(lane: Lane): boolean {
  return lane.inFlight > 0 || readyIn(lane) > 0;
}

/** All busy or paused lanes, and the `idleMax` most recently active of the idle ones. */
export function busyAndRecent(lanes: Iterable<Lane>, idleMax: number): Lane[] {
  const all = [...lanes];
  const isKept = (lane: Lane) => isBusy(lane) || lane.isPaused;
  const idle = all.filter((lane) => !isKept(lane)).sort((one, other) => other.movedAt - one.movedAt);
  return [...all.filter(isKept), ...idle.slice(0, idleMax)];
}

/** Retries and resends are queued apart, so that they do not delay first attempts. */
export function kindOf({ attempts, resendJob }: ReadyNotification): Kind {
  return attempts > 0 || resendJob !== null ? 'again' : 'first';
}
