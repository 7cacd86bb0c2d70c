// Pools of lanes that share places and capacity. Failing and slow lanes together get at most a quarter of both, and so
// do lanes of unknown state. Half is left for lanes that are known to be quick, whatever the others do.

import { scarceShare } from '../../channels/registry/http-notifications.ts';
import type { ReadyNotification } from '../queue/ready-notification.ts';
import { type Kind, type Lane, type Pool, poolOf, type ReceiverState, readyIn } from './lane.ts';

/** Limits on what this process has in memory and in flight. */
export interface LaneLimits {
  inFlightMax: number;
  inFlightPerLane: number;
  /** Claimed and not yet sent: per lane, in all, and in all by bytes. Each source may exceed these by one batch. */
  readyPerLane: number;
  readyMax: number;
  bytesMax: number;
  /** Connections to receivers: how many may be open, and whether that limit is almost reached for a subscription. */
  connectionsMax: number;
  areConnectionsScarce(subscriptionKey: number): boolean;
}

/** How many notifications may be in flight to a receiver before its first response. */
const inFlightUnknown = 2;

interface PoolUse {
  ready: number;
  bytes: number;
  inFlight: number;
}

export class LanePools {
  readonly #limits: LaneLimits;
  readonly #uses: Record<Pool, PoolUse> = { quick: emptyUse(), unknown: emptyUse(), troubled: emptyUse() };
  readonly #recentQuickLanes = new RecentlyActiveLanes();

  constructor(limits: LaneLimits) {
    this.#limits = limits;
  }

  get ready(): number {
    const { quick, unknown, troubled } = this.#uses;
    return quick.ready + unknown.ready + troubled.ready;
  }

  get inFlight(): number {
    const { quick, unknown, troubled } = this.#uses;
    return quick.inFlight + unknown.inFlight + troubled.inFlight;
  }

  /**
   * Lanes that hang now were unknown before, so the attempts in flight of both pools count. With a single place, none
   * is reserved for quick lanes.
   */
  hasPlaceIn(pool: Pool): boolean {
    const most = this.#limits.inFlightMax;
    if (pool === 'quick') return this.inFlight < most;
    const { unknown, troubled } = this.#uses;
    const others = unknown.inFlight + troubled.inFlight;
    return this.#uses[pool].inFlight < Math.ceil(most / 4) && others < Math.max(1, Math.floor(most / 2));
  }

  /** Whether the lane may have one more in flight. While it fails, places that rest are in use. */
  maySend(lane: Lane, kind: Kind): boolean {
    const { isPaused, inFlight, failures, resting } = lane;
    return !isPaused && inFlight + (failures > 0 ? resting : 0) < this.#inFlightMost(lane, kind);
  }

  /** A failing receiver gets retries up to the limit of a lane, but new notifications one at a time. */
  #inFlightMost({ key, receiver }: Lane, kind: Kind): number {
    const { inFlightPerLane } = this.#limits;
    if (receiver === undefined) return Math.min(inFlightPerLane, inFlightUnknown);
    if (receiver === 'quick') return Math.min(inFlightPerLane, this.#quickShare(key));
    return receiver === 'failing' && kind === 'first' ? 1 : inFlightPerLane;
  }

  readyIn(pool: Pool): number {
    return this.#uses[pool].ready;
  }

  /** How many more notifications the pool can take. Bytes in other pools do not count against quick lanes. */
  capacityIn(pool: Pool): number {
    const { readyMax, bytesMax } = this.#limits;
    const { ready, bytes } = this.#uses[pool];
    if (pool === 'quick') return bytes >= bytesMax / 2 ? 0 : Math.max(0, readyMax - this.ready);
    return bytes >= bytesMax / 4 ? 0 : Math.max(0, Math.ceil(readyMax / 4) - ready);
  }

  /** How many to claim for each of `lanes` lanes, so that together they fit. A quick lane may use all the capacity. */
  shares(lanes: number): Record<Pool, number> {
    const share = (pool: Pool) => Math.ceil(this.capacityIn(pool) / lanes);
    return { quick: this.capacityIn('quick'), unknown: share('unknown'), troubled: share('troubled') };
  }

  /** How many notifications of this size a paused lane may keep: all of them together a quarter of each pool. */
  keptShare({ receiver }: Lane, pausedLanes: number, bytes: number): number {
    const { readyMax, bytesMax } = this.#limits;
    const [ready, size] = poolOf(receiver) === 'quick' ? [readyMax, bytesMax / 2] : [readyMax / 4, bytesMax / 4];
    return Math.min(ready, size / Math.max(1, bytes)) / (4 * Math.max(1, pausedLanes));
  }

  /** Counts notifications that were added to a lane, or removed from it. */
  count({ receiver }: Lane, notifications: readonly ReadyNotification[], change: 1 | -1): void {
    const use = this.#uses[poolOf(receiver)];
    use.ready += change * notifications.length;
    use.bytes += change * bytesOf(notifications);
  }

  /** Counts one more attempt of a lane in flight, or one less. */
  place(lane: Lane, change: 1 | -1): void {
    this.#uses[poolOf(lane.receiver)].inFlight += change;
    if (change === 1 && lane.receiver === 'quick') this.#recentQuickLanes.note(lane);
  }

  /** Counts the lane, with everything in it, to the pool of its new receiver state. */
  move(lane: Lane, receiver: ReceiverState): void {
    const [from, to] = [this.#uses[poolOf(lane.receiver)], this.#uses[poolOf(receiver)]];
    const [ready, bytes] = [readyIn(lane), bytesOf(lane.first) + bytesOf(lane.again)];
    from.ready -= ready;
    to.ready += ready;
    from.bytes -= bytes;
    to.bytes += bytes;
    from.inFlight -= lane.inFlight;
    to.inFlight += lane.inFlight;
  }

  /**
   * When connections are scarce, the lanes that have sent lately share three quarters of them equally. A lane with more
   * in flight would cause connections of other lanes to be closed, and those lanes would soon reopen them.
   */
  #quickShare(subscriptionKey: number): number {
    const { connectionsMax, areConnectionsScarce } = this.#limits;
    if (!areConnectionsScarce(subscriptionKey)) return Number.POSITIVE_INFINITY;
    return Math.max(1, Math.floor((scarceShare * connectionsMax) / Math.max(1, this.#recentQuickLanes.count)));
  }
}

function emptyUse(): PoolUse {
  return { ready: 0, bytes: 0, inFlight: 0 };
}

function bytesOf(notifications: readonly ReadyNotification[]): number {
  return notifications.reduce((sum, { body }) => sum + body.length, 0);
}

/** Counts the lanes that have sent a notification in this second or in the one before. */
class RecentlyActiveLanes {
  #second = 0;
  #now = 0;
  #before = 0;

  get count(): number {
    return Math.max(this.#now, this.#before);
  }

  /** Call when the lane has just sent a notification, at `movedAt`. */
  note(lane: Lane): void {
    const second = Math.floor(lane.movedAt / 1_000);
    if (second !== this.#second) {
      this.#before = second === this.#second + 1 ? this.#now : 0;
      this.#now = 0;
      this.#second = second;
    }
    if (lane.sentIn === second) return;
    lane.sentIn = second;
    this.#now += 1;
  }
}
