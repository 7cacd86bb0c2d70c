// Lanes that share places and room. Those that fail or are slow have together no more than a quarter of either, and so have those
// that nobody knows yet: half is left for those that are known to answer quickly, whatever the others do.

import { crowdedPart } from '../../channels/connection-pool.ts';
import { type Kind, type Lane, type Pace, readyIn } from './lane.ts';
import type { LaneLimits } from './lane-limits.ts';
import { LanesOfLate } from './lanes-of-late.ts';
import type { ReadyNotification } from './ready-notification.ts';

export type Pool = 'quick' | 'unknown' | 'troubled';

/** What may be under way to a receiver before it has answered for the first time. */
const inFlightUnknown = 2;

interface PoolUse {
  ready: number;
  bytes: number;
  inFlight: number;
  /** Lanes that wait for a place. */
  readonly waiting: Set<Lane>;
}

export function poolOf(pace: Pace | undefined): Pool {
  if (pace === undefined) return 'unknown';
  return pace === 'quick' ? 'quick' : 'troubled';
}

export class LanePools {
  readonly #limits: LaneLimits;
  readonly #uses: Record<Pool, PoolUse> = { quick: emptyUse(), unknown: emptyUse(), troubled: emptyUse() };
  readonly #quickOnes = new LanesOfLate();
  #ready = 0;
  #inFlight = 0;

  constructor(limits: LaneLimits) {
    this.#limits = limits;
  }

  get ready(): number {
    return this.#ready;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** Those that hang now were unknown before: what both have under way counts. With a single place there is none to keep for the quick ones. */
  hasPlaceIn(pool: Pool): boolean {
    const most = this.#limits.inFlightMax;
    if (pool === 'quick') return this.#inFlight < most;
    const { unknown, troubled } = this.#uses;
    const others = unknown.inFlight + troubled.inFlight;
    return this.#uses[pool].inFlight < Math.ceil(most / 4) && others < Math.max(1, Math.floor(most / 2));
  }

  /** How many of a lane may be under way. Where a receiver fails, what it was sent before is tried again, and one at a time of what is new. */
  inFlightMost({ pace }: Lane, kind: Kind): number {
    const { inFlightPerLane } = this.#limits;
    if (pace === undefined) return Math.min(inFlightPerLane, inFlightUnknown);
    if (pace === 'quick') return Math.min(inFlightPerLane, this.#partOfQuick());
    return pace === 'failing' && kind === 'first' ? 1 : inFlightPerLane;
  }

  readyIn(pool: Pool): number {
    return this.#uses[pool].ready;
  }

  /** How many more can be taken. What others hold in bytes is not held against those that are quick. */
  roomIn(pool: Pool): number {
    return this.#isFull(pool) ? 0 : Math.max(0, this.#spareIn(pool));
  }

  /** How many of each of so many lanes: together no more than there is room for, but for rounding. Of those that are quick, any. */
  partIn(pool: Pool, lanes: number): number {
    return pool === 'quick' ? this.roomIn(pool) : Math.ceil(this.roomIn(pool) / lanes);
  }

  /**
   * How many a lane may keep that was in another pool, or in the same. Large bodies are given back by one that comes in, and not again and
   * again. Of one that was quick one stays, unless very many come at once, so that it is soon known whether it answers again.
   */
  allowedIn(lane: Lane, before: Pool): number {
    const pool = poolOf(lane.pace);
    const hasMoved = before !== pool;
    const spare = this.#spareIn(pool) + readyIn(lane);
    const isTriedSoon = hasMoved && before === 'quick' && spare > -this.#shareOf(pool) / 2;
    return Math.max(isTriedSoon ? 1 : 0, hasMoved && this.#isFull(pool) ? 0 : spare);
  }

  /** These have come to a lane, or have left it. */
  count({ pace }: Lane, notifications: readonly ReadyNotification[], change: 1 | -1): void {
    const use = this.#uses[poolOf(pace)];
    this.#ready += change * notifications.length;
    use.ready += change * notifications.length;
    use.bytes += change * bytesOf(notifications);
  }

  /** One more of a lane is under way, or one less. */
  place(lane: Lane, change: 1 | -1): void {
    if (change === 1 && lane.pace === 'quick') this.#quickOnes.note(lane);
    this.#inFlight += change;
    this.#uses[poolOf(lane.pace)].inFlight += change;
  }

  /** With all it has. */
  move(lane: Lane, pace: Pace): void {
    const [from, to] = [this.#uses[poolOf(lane.pace)], this.#uses[poolOf(pace)]];
    lane.pace = pace;
    if (from === to) return;
    const [ready, bytes] = [readyIn(lane), bytesOf(lane.first) + bytesOf(lane.again)];
    from.ready -= ready;
    to.ready += ready;
    from.bytes -= bytes;
    to.bytes += bytes;
    from.inFlight -= lane.inFlight;
    to.inFlight += lane.inFlight;
  }

  wait(lane: Lane): void {
    this.#uses[poolOf(lane.pace)].waiting.add(lane);
  }

  waitNoMore(lane: Lane): void {
    for (const pool of pools) this.#uses[pool].waiting.delete(lane);
  }

  /** One of each pool that can use the place. Answers whether there was any. */
  callThoseThatWait(call: (lane: Lane) => boolean): boolean {
    let isAny = false;
    for (const pool of pools) {
      const { waiting } = this.#uses[pool];
      for (const lane of waiting) {
        if (!this.hasPlaceIn(pool)) break;
        waiting.delete(lane);
        if (!call(lane)) continue;
        isAny = true;
        break;
      }
    }
    return isAny;
  }

  /**
   * Where connections are scarce, those that have sent lately have an equal part of three quarters of them: whoever had more under way would have
   * others' connections closed, which they open again a moment later.
   */
  #partOfQuick(): number {
    const { connectionsMax, areConnectionsScarce } = this.#limits;
    if (!areConnectionsScarce()) return Number.POSITIVE_INFINITY;
    return Math.max(1, Math.floor((crowdedPart * connectionsMax) / Math.max(1, this.#quickOnes.count)));
  }

  #shareOf(pool: Pool): number {
    const { readyMax } = this.#limits;
    return pool === 'quick' ? readyMax : Math.ceil(readyMax / 4);
  }

  /** Less than none where something has come along with a lane. */
  #spareIn(pool: Pool): number {
    return this.#shareOf(pool) - (pool === 'quick' ? this.#ready : this.#uses[pool].ready);
  }

  #isFull(pool: Pool): boolean {
    return this.#uses[pool].bytes >= this.#limits.bytesMax / (pool === 'quick' ? 2 : 4);
  }
}

const pools: readonly Pool[] = ['quick', 'unknown', 'troubled'];

function emptyUse(): PoolUse {
  return { ready: 0, bytes: 0, inFlight: 0, waiting: new Set() };
}

function bytesOf(notifications: readonly ReadyNotification[]): number {
  return notifications.reduce((sum, { body }) => sum + body.length, 0);
}
