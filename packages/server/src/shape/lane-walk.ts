// Claims matches by walking from lane to lane. On probation, the walk has stages. It first skips users who recently
// used much time, and includes them only after a full round found nothing else.

import type { Database } from '../database/database.ts';
import type { LaneTrust, Track } from './lane-trust.ts';
import type { OwnerDebts } from './owner-debts.ts';
import { claimUnshaped, selectUnshapedLanes, type UnshapedRow } from './unshaped-table.ts';

export interface LaneWalkParts {
  database: Pick<Database, 'run'>;
  trust: LaneTrust;
  debts: OwnerDebts;
  track: Track;
  modelDigest: string;
}

export interface ClaimedMatches {
  rows: UnshapedRow[];
  /** How much time a user may recently have used to be tried now. */
  debtMsMax: number;
  /** The claim is of a later stage. Matches of other users go first, and are looked for again after a short time. */
  isAfterOthers: boolean;
  /** Whether there may be more to claim immediately. */
  isMore: boolean;
}

/** Longer than any batch takes, even if one lane after another takes too long. */
const leaseMs = 60_000;
const lanesInClaim: Record<Track, number> = { trusted: 100, probation: 40 };
const rowsInClaim: Record<Track, number> = { trusted: 400, probation: 40 };
/** How much time a user may recently have used. A user who uses all available time reaches 43 seconds. */
const stages: Record<Track, readonly number[]> = {
  trusted: [Number.POSITIVE_INFINITY],
  probation: [2_000, 4_000, 8_000, 16_000, 32_000, Number.POSITIVE_INFINITY],
};

/** Where the walk of a stage is, and what it has found since the first lane. */
interface WalkPosition {
  afterLane: number;
  hasFound: boolean;
  /** It skipped lanes of users who have used too much time for this stage. */
  hasLeftOut: boolean;
}

const start: WalkPosition = { afterLane: 0, hasFound: false, hasLeftOut: false };

export class LaneWalk {
  readonly #parts: LaneWalkParts;
  /** One per stage. */
  readonly #positions: WalkPosition[];
  #stage = 0;
  #stageOfClaim = 0;

  constructor(parts: LaneWalkParts) {
    this.#parts = parts;
    this.#positions = stages[parts.track].map(() => start);
  }

  async claim(): Promise<ClaimedMatches> {
    const { database, track, modelDigest } = this.#parts;
    const stage = this.#stage;
    const debtMsMax = stages[track][stage]!;
    const lanes = (await database.run(
      selectUnshapedLanes(this.#positions[stage]!.afterLane, lanesInClaim[track]),
    )) as unknown as LaneRow[];
    const { capacities, hasLeftOut } = this.#capacitiesIn(lanes, debtMsMax);
    const claim = claimUnshaped({ capacities, rowsMax: rowsInClaim[track], leaseMs, modelDigest });
    const rows = capacities.size === 0 ? [] : ((await database.run(claim)) as unknown as UnshapedRow[]);
    const isMore = this.#advance(lanes, rows.length > 0, hasLeftOut);
    return { rows, debtMsMax, isAfterOthers: stage > 0, isMore };
  }

  /** The lanes after this one were not tried. They come next in their stage. */
  stayAfter(lane: number): void {
    this.#positions[this.#stageOfClaim] = { afterLane: lane, hasFound: true, hasLeftOut: true };
  }

  /** Given-up lanes are not run and quick lanes take no time, so both are claimed for all users. */
  #capacitiesIn(
    lanes: readonly LaneRow[],
    debtMsMax: number,
  ): { capacities: Map<number, number>; hasLeftOut: boolean } {
    const { trust, debts, track } = this.#parts;
    const capacities = new Map<number, number>();
    let hasLeftOut = false;
    for (const row of lanes) {
      const lane = Number(row.lane);
      const capacity = trust.capacityOf(lane, track);
      if (capacity === 0) continue;
      const isCheap = trust.isGivenUp(lane) || trust.isQuick(lane);
      if (isCheap || debts.of(Number(row.user_key)) <= debtMsMax) capacities.set(lane, capacity);
      else hasLeftOut = true;
    }
    return { capacities, hasLeftOut };
  }

  /** Returns whether there may be more. After a round that found nothing, the next stage begins, or the walk pauses. */
  #advance(lanes: readonly LaneRow[], hasFoundNow: boolean, hasLeftOutNow: boolean): boolean {
    const before = this.#positions[this.#stage]!;
    const hasFound = before.hasFound || hasFoundNow;
    const hasLeftOut = before.hasLeftOut || hasLeftOutNow;
    const isEnd = lanes.length < lanesInClaim[this.#parts.track];
    this.#positions[this.#stage] = isEnd ? start : { afterLane: Number(lanes.at(-1)!.lane), hasFound, hasLeftOut };
    this.#stageOfClaim = this.#stage;
    const isEmpty = isEnd && !hasFound;
    if (hasFoundNow || isEmpty) this.#stage = isEmpty && hasLeftOut ? this.#stage + 1 : 0;
    return !isEmpty || hasLeftOut;
  }
}

interface LaneRow {
  lane: string;
  user_key: string;
}
