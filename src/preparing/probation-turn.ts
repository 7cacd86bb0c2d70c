// Which of the claimed drafts on probation are tried now, lane by lane, and which have to come again: one user, and those that took too
// long the last time, may use a part of a turn only. No I/O.

import { entryOf } from '../payload/entry-of.ts';
import type { ClaimedDrafts } from './draft-walk.ts';
import type { LaneTrust } from './lane-trust.ts';
import type { OwnerDebts } from './owner-debts.ts';
import type { Ingredients } from './prepare-drafts.ts';

export interface ProbationTurnParts {
  trust: LaneTrust;
  debts: OwnerDebts;
  claimed: Pick<ClaimedDrafts, 'debtMsMax' | 'isAfterOthers'>;
}

/** Of those that took too long the last time, so many are tried again in one turn. */
const suspectsInTurn = 2;
/** Then those of others are looked for again. */
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
   * In which order: what is known to be quick goes first, then who has used little. Those of one script are tried together, so that
   * many who have it are soon known. Where all have used much it is the order of the walk, which is left off anywhere.
   */
  sharesOf(all: readonly Ingredients[]): Ingredients[][] {
    const { debts, claimed, trust } = this.#parts;
    const shares = new Map<string, Ingredients[]>();
    for (const each of all)
      entryOf(shares, claimed.isAfterOthers ? laneName(each) : this.#nameOf(each), () => []).push(each);
    const debtOf = (share: Ingredients[]) => debts.of(share[0]!.draft.userKey);
    return [...shares.values()].sort((first, second) => {
      const [one, other] = [laneOf(first[0]!), laneOf(second[0]!)];
      return claimed.isAfterOthers
        ? Number(trust.isSuspect(one)) - Number(trust.isSuspect(other)) || one - other
        : Number(trust.isQuick(other)) - Number(trust.isQuick(one)) ||
            debtOf(first) - debtOf(second) ||
            trust.compare(one, other);
    });
  }

  /** Asked right before they would be tried. */
  choose(share: readonly Ingredients[]): { now: readonly Ingredients[]; later: readonly Ingredients[] } {
    const { trust, debts, claimed } = this.#parts;
    const lane = laneOf(share[0]!);
    // Those of a lane that is given up are not even tried.
    if (trust.isGivenUp(lane)) return { now: share, later: [] };
    if (!this.#takes(lane)) return { now: [], later: share };
    const isNow = (each: Ingredients) =>
      trust.isQuick(laneOf(each)) || debts.of(each.draft.userKey) <= claimed.debtMsMax;
    return { now: share.filter(isNow), later: share.filter((each) => !isNow(each)) };
  }

  /** One that took too long is tried apart from the others of its script, and those that are quick do not wait for the new ones. */
  #nameOf(each: Ingredients): string {
    const { script, stylesheet } = each.recipe ?? {};
    const { trust } = this.#parts;
    if (stylesheet !== undefined || script?.kind !== 'script' || trust.isSuspect(laneOf(each))) return laneName(each);
    return `${trust.isQuick(laneOf(each)) ? 'quick' : 'new'} ${script.edition}`;
  }

  /** The lane after which the walk has to go on; undefined where it was not left off. */
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

function laneOf({ draft }: Ingredients): number {
  return draft.subscriptionKey;
}

function laneName(each: Ingredients): string {
  return `lane ${laneOf(each)}`;
}
