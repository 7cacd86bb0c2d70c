// Claims drafts by walking from lane to lane. On probation it walks in stages: first past everything of users who have used much time
// of late, and only when it has been around without finding anything else, for theirs too.

import type { Database } from '../database/database.ts';
import { type ClaimedDraftRow, claimDrafts, selectDraftLanes } from '../notifications/unprepared-table.ts';
import type { LaneTrust, Track } from './lane-trust.ts';
import type { OwnerDebts } from './owner-debts.ts';

export interface DraftWalkParts {
  database: Pick<Database, 'run'>;
  trust: LaneTrust;
  debts: OwnerDebts;
  track: Track;
  modelDigest: string;
}

export interface ClaimedDrafts {
  rows: ClaimedDraftRow[];
  /** What a user may have used of late to be tried now. */
  debtMsMax: number;
  /** Those of others come first, and are looked for again after a moment. */
  isAfterOthers: boolean;
  /** Whether there may be more to claim at once. */
  isMore: boolean;
}

/** Longer than a batch can take, also where one lane after the other takes too long. */
const leaseMs = 60_000;
const lanesInClaim: Record<Track, number> = { trusted: 100, probation: 40 };
const rowsInClaim: Record<Track, number> = { trusted: 400, probation: 40 };
/** What a user may have used of late. Whoever uses all the time that there is comes to 43 seconds. */
const stages: Record<Track, readonly number[]> = {
  trusted: [Number.POSITIVE_INFINITY],
  probation: [2_000, 4_000, 8_000, 16_000, 32_000, Number.POSITIVE_INFINITY],
};

/** Where the walk of a stage is, and what it has come by since it was at the first lane. */
interface Place {
  afterLane: number;
  hasFound: boolean;
  /** Something of users who have used too much for this stage. */
  hasLeftOut: boolean;
}

const start: Place = { afterLane: 0, hasFound: false, hasLeftOut: false };

export class DraftWalk {
  readonly #parts: DraftWalkParts;
  /** Of each stage. */
  readonly #places: Place[];
  #stage = 0;
  #stageOfClaim = 0;

  constructor(parts: DraftWalkParts) {
    this.#parts = parts;
    this.#places = stages[parts.track].map(() => start);
  }

  async claim(): Promise<ClaimedDrafts> {
    const { database, track, modelDigest } = this.#parts;
    const stage = this.#stage;
    const debtMsMax = stages[track][stage]!;
    const lanes = (await database.run(
      selectDraftLanes(this.#places[stage]!.afterLane, lanesInClaim[track]),
    )) as unknown as LaneRow[];
    const { rooms, hasLeftOut } = this.#roomsIn(lanes, debtMsMax);
    const claim = claimDrafts({ rooms, rowsMax: rowsInClaim[track], leaseMs, modelDigest });
    const rows = rooms.size === 0 ? [] : ((await database.run(claim)) as unknown as ClaimedDraftRow[]);
    const isMore = this.#goOn(lanes, rows.length > 0, hasLeftOut);
    return { rows, debtMsMax, isAfterOthers: stage > 0, isMore };
  }

  /** The lanes after this one were not tried, and come next in their stage. */
  stayAfter(lane: number): void {
    this.#places[this.#stageOfClaim] = { afterLane: lane, hasFound: true, hasLeftOut: true };
  }

  /** What is given up is not even tried, and what is quick takes no time: whoever these belong to. */
  #roomsIn(lanes: readonly LaneRow[], debtMsMax: number): { rooms: Map<number, number>; hasLeftOut: boolean } {
    const { trust, debts, track } = this.#parts;
    const rooms = new Map<number, number>();
    let hasLeftOut = false;
    for (const row of lanes) {
      const lane = Number(row.lane);
      const room = trust.roomIn(lane, track);
      if (room === 0) continue;
      const isCheap = trust.isGivenUp(lane) || trust.isQuick(lane);
      if (isCheap || debts.of(Number(row.user_key)) <= debtMsMax) rooms.set(lane, room);
      else hasLeftOut = true;
    }
    return { rooms, hasLeftOut };
  }

  /** Answers whether there may be more. Once around without finding anything, and it is the turn of the next stage, or it rests. */
  #goOn(lanes: readonly LaneRow[], hasFoundNow: boolean, hasLeftOutNow: boolean): boolean {
    const before = this.#places[this.#stage]!;
    const hasFound = before.hasFound || hasFoundNow;
    const hasLeftOut = before.hasLeftOut || hasLeftOutNow;
    const isEnd = lanes.length < lanesInClaim[this.#parts.track];
    this.#places[this.#stage] = isEnd ? start : { afterLane: Number(lanes.at(-1)!.lane), hasFound, hasLeftOut };
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
