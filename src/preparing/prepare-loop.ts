// Works off what needs a script or a stylesheet, for as long as the process runs: claims some for a time, has them prepared outside of
// any transaction, and records what they have come to. Any number of processes may do so side by side.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Row } from '../database/database.ts';
import { isPassing } from '../database/database-away.ts';
import { WorkLoop } from '../database/work-loop.ts';
import { giveBackDrafts } from '../notifications/unprepared-table.ts';
import type { Observe } from '../observability/observation.ts';
import { PoolBusy } from '../sandbox/worker-pool.ts';
import { type ClaimedDrafts, DraftWalk } from './draft-walk.ts';
import type { LaneTrust, Track } from './lane-trust.ts';
import { cutToBytes, draftOf, loadIngredients } from './load-ingredients.ts';
import type { OwnerDebts } from './owner-debts.ts';
import {
  type Engines,
  giveUp,
  type Ingredients,
  type Prepared,
  type PreparingOptions,
  prepareDrafts,
} from './prepare-drafts.ts';
import { ProbationTurn } from './probation-turn.ts';
import type { RecipeBook } from './recipe-book.ts';
import { type RecordPreparedParts, recordPrepared } from './record-prepared.ts';

export interface PrepareLoopParts extends RecordPreparedParts {
  database: Database;
  observe: Observe;
  options: PreparingOptions;
  book: RecipeBook;
  trust: LaneTrust;
  debts: OwnerDebts;
  track: Track;
  modelDigest: string;
  engines: Engines;
  /** A batch is shared out among so many threads. */
  threads: number;
  /** There is something to send that nobody in this process has yet. */
  onPrepared(): void;
  /** A lane may have come to be trusted. */
  onAnswered(): void;
}

const askedEveryMs = 250;

export class PrepareLoop {
  readonly #parts: PrepareLoopParts;
  readonly #loop = new WorkLoop({ round: () => this.#round(), askedEveryMs });
  readonly #walk: DraftWalk;
  /** What could not be given back while the database was away. */
  #owed: Claimed[] = [];

  constructor(parts: PrepareLoopParts) {
    this.#parts = parts;
    this.#walk = new DraftWalk(parts);
  }

  start(): void {
    this.#loop.start();
  }

  wake(): void {
    this.#loop.wake();
  }

  /** What is under way is given back, or recorded. */
  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async #round(): Promise<boolean> {
    try {
      while (this.#owed.length > 0) await this.#giveBack(this.#owed.shift()!);
      const claimed = await this.#walk.claim();
      if (claimed.rows.length > 0) await this.#work(claimed);
      return claimed.isMore;
    } catch (error) {
      // Where there is no room at this moment, or the process is stopping, that is no fault.
      if (!isPassing(error) && !(error instanceof PoolBusy && error.cause === undefined))
        this.#parts.observe({ kind: 'preparing.failed', error: error as Error });
      await sleep(askedEveryMs);
      return false;
    }
  }

  async #work(claimed: ClaimedDrafts): Promise<void> {
    const claim = Number(claimed.rows[0]!.claim);
    const { now, later } = cutToBytes(claimed.rows);
    const drafts = now.map(draftOf);
    try {
      if (later.length > 0) await this.#giveBack({ keys: later.map(({ key }) => Number(key)), claim });
      const ingredients = await loadIngredients(drafts, this.#parts.book, this.#run);
      if (this.#parts.track === 'trusted')
        await Promise.all(this.#shareOut(ingredients).map((share) => this.#prepare(share, claim)));
      else await this.#takeTurn(ingredients, claimed, claim);
    } catch (error) {
      await this.#giveBack({ keys: drafts.map(({ key }) => key), claim }).catch(() => undefined);
      throw error;
    }
  }

  readonly #run = (...statements: Parameters<Database['run']>[0][]): Promise<Row[][]> =>
    Promise.all(statements.map((statement) => this.#parts.database.run(statement)));

  /** Those of one event together: what they are shown goes to a thread once. */
  #shareOut(ingredients: readonly Ingredients[]): Ingredients[][] {
    const inOrder = [...ingredients].sort((one, other) => one.draft.eventId - other.draft.eventId);
    const size = Math.max(sharedMin, Math.ceil(inOrder.length / this.#parts.threads));
    const shares: Ingredients[][] = [];
    let bytes = Number.POSITIVE_INFINITY;
    for (const each of inOrder) {
      bytes += each.draft.bytes;
      if (bytes > bytesInShare || shares.at(-1)!.length >= size) {
        shares.push([]);
        bytes = each.draft.bytes;
      }
      shares.at(-1)!.push(each);
    }
    return shares;
  }

  /** What one share has come to is recorded before the next is tried. */
  async #takeTurn(ingredients: readonly Ingredients[], claimed: ClaimedDrafts, claim: number): Promise<void> {
    const turn = new ProbationTurn({ ...this.#parts, claimed });
    const putOff: Ingredients[] = [];
    for (const share of turn.sharesOf(ingredients)) {
      const { now, later } = turn.choose(share);
      putOff.push(...later);
      await this.#prepare(now, claim);
    }
    if (turn.leftOffAfter !== undefined) this.#walk.stayAfter(turn.leftOffAfter);
    if (putOff.length > 0) await this.#giveBack({ keys: putOff.map(({ draft }) => draft.key), claim });
  }

  async #prepare(share: readonly Ingredients[], claim: number): Promise<void> {
    const { observe, onPrepared, trust, debts, track } = this.#parts;
    const startedAt = performance.now();
    const givenUp = share.filter(({ draft }) => trust.isGivenUp(draft.subscriptionKey));
    const made = await this.#attempt(share.filter((each) => !givenUp.includes(each)));
    if (track === 'probation') for (const { draft, tookMs } of made) debts.note(draft.userKey, tookMs);
    const later = made.filter((each) => this.#isPutOff(each));
    const done = made.filter((each) => !later.includes(each));
    this.#noteTrust(done);
    if (later.length > 0) await this.#giveBack({ keys: later.map(({ draft }) => draft.key), claim });
    const prepared = [...done, ...givenUp.map(giveUp)];
    if (prepared.length === 0) return;
    const { notifications, heldBack, handedOn } = await this.#record(prepared, claim);
    const durationMs = performance.now() - startedAt;
    observe({ kind: 'notifications.prepared', drafts: prepared.length, notifications, heldBack, durationMs });
    if (notifications > handedOn) onPrepared();
  }

  #isPutOff({ kind, draft, isOverTime }: Prepared): boolean {
    return kind === 'later' || (isOverTime && this.#parts.trust.deservesAnotherTry(draft));
  }

  /** One that throws, which only a fault of ours can cause, holds up no other: it is tried again when its claim ends. */
  async #attempt(some: readonly Ingredients[]): Promise<Prepared[]> {
    const { engines, options, observe } = this.#parts;
    if (some.length === 0) return [];
    try {
      return await prepareDrafts(some, engines, options);
    } catch (error) {
      if (isPassing(error) || error instanceof PoolBusy) throw error;
      if (some.length === 1) {
        observe({ kind: 'preparing.failed', error: error as Error });
        return [];
      }
      const prepared: Prepared[] = [];
      for (const each of some) prepared.push(...(await this.#attempt([each])));
      return prepared;
    }
  }

  #noteTrust(prepared: readonly Prepared[]): void {
    const { trust, onAnswered } = this.#parts;
    for (const each of prepared) trust.note(each.draft.subscriptionKey, each);
    onAnswered();
  }

  /** One that cannot be recorded, which only a fault of ours can cause, holds up no other. */
  async #record(prepared: readonly Prepared[], claim: number): ReturnType<typeof recordPrepared> {
    try {
      return await recordPrepared(this.#parts, prepared, claim);
    } catch (error) {
      if (isPassing(error)) throw error;
      if (prepared.length === 1) return await this.#recordFault(prepared[0]!, claim, error as Error);
      const sum = { notifications: 0, heldBack: 0, handedOn: 0 };
      for (const each of prepared) {
        const recorded = await this.#record([each], claim);
        sum.notifications += recorded.notifications;
        sum.heldBack += recorded.heldBack;
        sum.handedOn += recorded.handedOn;
      }
      return sum;
    }
  }

  /** What cannot be stored as it is, is a failed notification. */
  async #recordFault({ draft, ...rest }: Prepared, claim: number, error: Error): ReturnType<typeof recordPrepared> {
    this.#parts.observe({ kind: 'preparing.failed', error });
    const { log, isOverTime, tookMs, worked } = rest;
    const message = 'It could not be stored. The log of the service says why.';
    const failed = {
      draft,
      log,
      isOverTime,
      tookMs,
      worked,
      kind: 'failed',
      message,
      isShaping: false,
      subject: null,
    } as const;
    if (rest.kind === 'failed' && rest.message === message) return { notifications: 0, heldBack: 0, handedOn: 0 };
    return await this.#record([failed], claim);
  }

  async #giveBack({ keys, claim }: Claimed): Promise<void> {
    try {
      await this.#parts.database.run(giveBackDrafts(keys, claim));
    } catch (error) {
      this.#owed.push({ keys, claim });
      throw error;
    }
  }
}

interface Claimed {
  keys: readonly number[];
  claim: number;
}

const sharedMin = 16;
/** As XML it may be five times as much, and all of it is in the memory of one thread. */
const bytesInShare = 4_000_000;
