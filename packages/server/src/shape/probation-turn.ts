// Decides which claimed matches on probation are tried now, lane by lane, and which are put off. One user, and lanes
// that took too long the last time, get only a part of a turn. No I/O.

import { entryOf } from '../entry-of.ts';
import type { LaneTrust } from './lane-trust.ts';
import type { ClaimedMatches } from './lane-walk.ts';
import type { OwnerDebts } from './owner-debts.ts';
import type { ShapingInputs } from './shape-matches.ts';

export interface ProbationTurnParts {
  trust: LaneTrust;
  debts: OwnerDebts;
  claimed: Pick<ClaimedMatches, 'debtMsMax' | 'isAfterOthers'>;
}

/** How many lanes that took too long the last time are retried in one turn. */
const suspectsInTurn = 2;
/** The length of a turn in a later stage. Then matches of other users are looked for again. */
const turnMsAfterOthers = 500;

export class ProbationTurn {
  readonly #parts: ProbationTurnParts;
  readonly #startedAt = performance.now();
  #suspects = 0;
  #triedLane: number | undefined;
  #hasLeftOff = false;

  constructor(parts: ProbationTurnParts) {
    this.#parts = parts;
  }

  /**
   * The order in which matches are tried: quick lanes first, then users who have used little time. Matches of one
   * script are tried together, so that all its lanes are soon known. In a later stage it is the order of the walk,
   * which can be cut short anywhere.
   */
  sharesOf(all: readonly ShapingInputs[]): ShapingInputs[][] {
    const { debts, claimed, trust } = this.#parts;
    const shares = new Map<string, ShapingInputs[]>();
    for (const each of all)
      entryOf(shares, claimed.isAfterOthers ? laneName(each) : this.#nameOf(each), () => []).push(each);
    const debtOf = (share: ShapingInputs[]) => debts.of(share[0]!.match.userKey);
    return [...shares.values()].sort((first, second) => {
      const [one, other] = [laneOf(first[0]!), laneOf(second[0]!)];
      return claimed.isAfterOthers
        ? Number(trust.isSuspect(one)) - Number(trust.isSuspect(other)) || one - other
        : Number(trust.isQuick(other)) - Number(trust.isQuick(one)) ||
            debtOf(first) - debtOf(second) ||
            trust.compare(one, other);
    });
  }

  /** Called right before the share would be tried. */
  choose(share: readonly ShapingInputs[]): { now: readonly ShapingInputs[]; later: readonly ShapingInputs[] } {
    const { trust, debts, claimed } = this.#parts;
    const lane = laneOf(share[0]!);
    // Given-up lanes are not run, so they take no time of the turn.
    if (trust.isGivenUp(lane)) return { now: share, later: [] };
    if (!this.#takes(lane)) return { now: [], later: share };
    const isNow = (each: ShapingInputs) =>
      trust.isQuick(laneOf(each)) || debts.of(each.match.userKey) <= claimed.debtMsMax;
    return { now: share.filter(isNow), later: share.filter((each) => !isNow(each)) };
  }

  /** Lanes that took too long are tried apart from others of their script. Quick lanes do not wait for new ones. */
  #nameOf(each: ShapingInputs): string {
    const { script, stylesheet } = each.plan ?? {};
    const { trust } = this.#parts;
    if (stylesheet !== undefined || script?.kind !== 'script' || trust.isSuspect(laneOf(each))) return laneName(each);
    return `${trust.isQuick(laneOf(each)) ? 'quick' : 'new'} ${script.version}`;
  }

  /** The lane after which the walk must continue; undefined if the turn was not cut short. */
  get leftOffAfter(): number | undefined {
    return this.#hasLeftOff ? this.#triedLane : undefined;
  }

  #takes(lane: number): boolean {
    const isOver = this.#parts.claimed.isAfterOthers && performance.now() - this.#startedAt > turnMsAfterOthers;
    if (this.#parts.trust.isSuspect(lane)) {
      this.#suspects += 1;
      return !isOver && this.#suspects <= suspectsInTurn;
    }
    if (isOver) this.#hasLeftOff = true;
    else this.#triedLane = lane;
    return !isOver;
  }
}

function laneOf({ match }: ShapingInputs): number {
  return match.subscriptionKey;
}

function laneName(each: ShapingInputs): string {
  return `lane ${laneOf(each)}`;
}
