// The lane of one subscription: its ready notifications, how many are in flight, and the state of its receiver.

import type { ReadyNotification } from '../queue/ready-notification.ts';

/** The result of the last attempt. */
export type ReceiverState = 'quick' | 'slow' | 'failing';

/** Lanes in one pool share places and capacity. */
export type Pool = 'quick' | 'unknown' | 'troubled';

/** First attempts, or retries and resends, which are queued apart so that they do not delay first attempts. */
export type Kind = 'first' | 'again';

export interface Lane extends Record<Kind, ReadyNotification[]> {
  readonly key: number;
  inFlight: number;
  /** When a notification was last sent, or an attempt last ended. */
  movedAt: number;
  /** The second in which a notification was last sent (`RecentlyActiveLanes`). */
  sentIn: number;
  /** Undefined: not known yet. */
  receiver: ReceiverState | undefined;
  /** How many attempts have failed in a row. */
  failures: number;
  /** Places of failed attempts that the lane may not use again yet. */
  resting: number;
  /** Whether sending is suspended for now. */
  isPaused: boolean;
  /** How many notifications it keeps in memory while it is paused. */
  kept: number;
  /** Until then, the lane probably has more to send than it may. */
  throttledUntil: number;
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
    resting: 0,
    isPaused: false,
    kept: 0,
    throttledUntil: Number.NEGATIVE_INFINITY,
    hasTurn: { first: false, again: false },
  };
}

export function poolOf(receiver: ReceiverState | undefined): Pool {
  if (receiver === undefined) return 'unknown';
  return receiver === 'quick' ? 'quick' : 'troubled';
}

export function readyIn({ first, again }: Lane): number {
  return first.length + again.length;
}

/** Whether notifications of the lane are ready or in flight. */
export function isBusy(lane: Lane): boolean {
  return lane.inFlight > 0 || readyIn(lane) > 0;
}

/** Whether the lane can be forgotten: nothing is to be sent, and no timer is running for it. */
export function isIdle(lane: Lane): boolean {
  return !isBusy(lane) && !lane.isPaused && lane.resting === 0;
}

export function kindOf({ attempts, resendJob }: ReadyNotification): Kind {
  return attempts > 0 || resendJob !== null ? 'again' : 'first';
}
