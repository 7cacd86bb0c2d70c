// Lanes that share places and room. Those that fail or are slow have together no more than a quarter of either, and so have those
// that nobody knows yet: half is left for those that are known to answer quickly, whatever the others do.

import { type Lane, type Pace, readyIn } from './lane.ts';
import type { LaneLimits } from './lane-limits.ts';
import type { ReadyNotification } from './ready-notification.ts';

export type Pool = 'quick' | 'unknown' | 'troubled';

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
  readonly #all = Object.values(this.#uses);
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

  /** Those that hang now were unknown before: what both have under way counts. */
  hasPlaceIn(pool: Pool): boolean {
    const most = this.#limits.inFlightMax;
    if (pool === 'quick') return this.#inFlight < most;
    const { unknown, troubled } = this.#uses;
    const quarter = Math.ceil(most / 4);
    return this.#uses[pool].inFlight < quarter && unknown.inFlight + troubled.inFlight < 2 * quarter;
  }

  /** How many more can be taken. What others hold in bytes is not held against those that are quick. */
  roomIn(pool: Pool): number {
    return Math.max(0, this.#spareIn(pool));
  }

  /** How many a lane may keep where its pool has too much, perhaps none. */
  allowedIn(lane: Lane): number {
    return Math.max(0, this.#spareIn(poolOf(lane.pace)) + readyIn(lane));
  }

  /** These have come to a lane, or have left it. */
  count({ pace }: Lane, notifications: readonly ReadyNotification[], change: 1 | -1): void {
    const use = this.#uses[poolOf(pace)];
    this.#ready += change * notifications.length;
    use.ready += change * notifications.length;
    use.bytes += change * bytesOf(notifications);
  }

  /** One more of a lane is under way, or one less. */
  place({ pace }: Lane, change: 1 | -1): void {
    this.#inFlight += change;
    this.#uses[poolOf(pace)].inFlight += change;
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
    for (const { waiting } of this.#all) waiting.delete(lane);
  }

  /** One of each pool: only one place has become free. */
  callThoseThatWait(call: (lane: Lane) => void): void {
    for (const { waiting } of this.#all) {
      for (const lane of waiting) {
        waiting.delete(lane);
        call(lane);
        // Those that rest are called when they are resumed.
        if (!lane.isPaused) break;
      }
    }
  }

  /** Less than none where something has come along with a lane. */
  #spareIn(pool: Pool): number {
    const { readyMax, bytesMax } = this.#limits;
    const { ready, bytes } = this.#uses[pool];
    const isQuick = pool === 'quick';
    if (bytes >= bytesMax / (isQuick ? 2 : 4)) return -ready;
    return isQuick ? readyMax - this.#ready : Math.ceil(readyMax / 4) - ready;
  }
}

function emptyUse(): PoolUse {
  return { ready: 0, bytes: 0, inFlight: 0, waiting: new Set() };
}

function bytesOf(notifications: readonly ReadyNotification[]): number {
  return notifications.reduce((sum, { body }) => sum + body.length, 0);
}
