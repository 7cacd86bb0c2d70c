// Claims matches from lane to lane: those of fast lanes, or those of slow ones. Of slow lanes, it claims a few per
// user, and the users take turns, so that a user with very many slow lanes does not delay the others.

import type { Database } from '../database/database.ts';
import { entryOf } from '../entry-of.ts';
import { Recent } from '../recent.ts';
import type { LaneHealths } from './lane-health.ts';
import { type ClaimedMatch, claimUnshaped, selectUnshapedLanes } from './unshaped-table.ts';

export type Track = 'fast' | 'slow';

export interface ClaimMatchesParts {
  database: Pick<Database, 'run'>;
  healths: LaneHealths;
  track: Track;
  modelDigest: string;
}

/** Longer than any batch takes, even if one user after the other has a timeout. */
const leaseMs = 60_000;
const rowsInClaim = 400;
const lanesInStep: Record<Track, number> = { fast: 100, slow: 1_000 };
const matchesOfLane: Record<Track, number> = { fast: 200, slow: 4 };
const usersInClaim = 10;
const slowLanesOfUser = 40;
const usersRemembered = 10_000;

export class MatchClaims {
  readonly #parts: ClaimMatchesParts;
  #afterLane = 0;
  /** Whether this pass over the lanes has claimed anything. */
  #hasFound = false;
  #turn = 0;
  readonly #turnOfUser = new Recent<number, number>(usersRemembered);

  constructor(parts: ClaimMatchesParts) {
    this.#parts = parts;
  }

  /** `isMore`: whether the next claim should follow at once. */
  async next(): Promise<{ matches: ClaimedMatch[]; isMore: boolean }> {
    const { database, track, modelDigest } = this.#parts;
    const found = await database.run(selectUnshapedLanes(this.#afterLane, lanesInStep[track]));
    const lanes = found.map(({ lane, user_key }) => ({ lane: Number(lane), userKey: Number(user_key) }));
    const chosen = track === 'fast' ? this.#fastOf(lanes) : this.#slowOf(lanes);
    const capacities = new Map(chosen.map(({ lane }) => [lane, matchesOfLane[track]]));
    const claim = claimUnshaped({ capacities, rowsMax: rowsInClaim, leaseMs, modelDigest });
    const matches = chosen.length === 0 ? [] : ((await database.run(claim)) as unknown as ClaimedMatch[]);
    const isEnd = lanes.length < lanesInStep[track];
    const hasFound = this.#hasFound || matches.length > 0;
    this.#afterLane = isEnd ? 0 : lanes.at(-1)!.lane;
    this.#hasFound = hasFound && !isEnd;
    return { matches, isMore: hasFound || !isEnd };
  }

  /** Includes failing lanes, whose matches take no time. */
  #fastOf(lanes: readonly Lane[]): Lane[] {
    return lanes.filter(({ lane }) => ['fast', 'failing'].includes(this.#parts.healths.of(lane)));
  }

  /** The users who waited longest, and of each the lanes that waited longest. */
  #slowOf(lanes: readonly Lane[]): Lane[] {
    const { healths } = this.#parts;
    const ofUser = new Map<number, Lane[]>();
    for (const each of lanes) if (healths.of(each.lane) === 'slow') entryOf(ofUser, each.userKey, () => []).push(each);
    const turnOf = (userKey: number) => this.#turnOfUser.peek(userKey) ?? 0;
    const users = [...ofUser.keys()].sort((one, other) => turnOf(one) - turnOf(other)).slice(0, usersInClaim);
    this.#turn += 1;
    for (const userKey of users) this.#turnOfUser.set(userKey, this.#turn);
    return users.flatMap((userKey) =>
      ofUser
        .get(userKey)!
        .sort((one, other) => healths.lastRunAt(one.lane) - healths.lastRunAt(other.lane))
        .slice(0, slowLanesOfUser),
    );
  }
}

interface Lane {
  lane: number;
  userKey: number;
}
