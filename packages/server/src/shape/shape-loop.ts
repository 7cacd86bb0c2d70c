// Shapes the matches that need a script or a stylesheet, for as long as the process runs. It claims some with a lease,
// shapes them outside of any transaction, and records the results. Any number of processes may do so in parallel.

import { PoolBusy } from '@flaghoist/thread-pool';
import type { Database, Row } from '../database/database.ts';
import { isTemporary } from '../database/database-away.ts';
import { WorkLoop } from '../database/work-loop.ts';
import type { Observe } from '../observe/observation.ts';
import type { LaneTrust, Track } from './lane-trust.ts';
import { type ClaimedMatches, LaneWalk } from './lane-walk.ts';
import { cutToBytes, loadShapingInputs, matchOf } from './load-shaping-inputs.ts';
import type { OwnerDebts } from './owner-debts.ts';
import { ProbationTurn } from './probation-turn.ts';
import { type RecordShapedParts, recordShaped } from './record-shaped.ts';
import {
  type Engines,
  giveUp,
  type Shaped,
  type ShapingInputs,
  type ShapingOptions,
  shapeMatches,
} from './shape-matches.ts';
import type { ShapingPlanCache } from './shaping-plan-cache.ts';
import { giveBackUnshaped } from './unshaped-table.ts';

export interface ShapeLoopParts extends RecordShapedParts {
  database: Database;
  observe: Observe;
  options: ShapingOptions;
  planCache: ShapingPlanCache;
  trust: LaneTrust;
  debts: OwnerDebts;
  track: Track;
  modelDigest: string;
  engines: Engines;
  /** A batch is divided among this many threads. */
  threads: number;
  /** There are notifications to send that were not dispatched directly. */
  onShaped(): void;
  /** A lane may have become trusted. */
  onAnswered(): void;
}

const pollEveryMs = 250;

export class ShapeLoop {
  readonly #parts: ShapeLoopParts;
  readonly #loop = new WorkLoop({
    round: () => this.#round(),
    pollEveryMs,
    onError: (error) => {
      // Not a fault: no thread is free, or the process is stopping.
      if (!(error instanceof PoolBusy && error.cause === undefined))
        this.#parts.observe({ kind: 'shaping.failed', error });
    },
  });
  readonly #walk: LaneWalk;
  /** Claims that could not be released while the database was unavailable. */
  #owed: Claimed[] = [];

  constructor(parts: ShapeLoopParts) {
    this.#parts = parts;
    this.#walk = new LaneWalk(parts);
  }

  start(): void {
    this.#loop.start();
  }

  wake(): void {
    this.#loop.wake();
  }

  /** Releases or records the work in progress. */
  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async #round(): Promise<boolean> {
    while (this.#owed.length > 0) await this.#giveBack(this.#owed.shift()!);
    const claimed = await this.#walk.claim();
    if (claimed.rows.length > 0) await this.#work(claimed);
    return claimed.isMore;
  }

  async #work(claimed: ClaimedMatches): Promise<void> {
    const claim = Number(claimed.rows[0]!.claim);
    const { now, later } = cutToBytes(claimed.rows);
    const matches = now.map(matchOf);
    try {
      if (later.length > 0) await this.#giveBack({ keys: later.map(({ key }) => Number(key)), claim });
      const inputs = await loadShapingInputs(matches, this.#parts.planCache, this.#run);
      if (this.#parts.track === 'trusted')
        await Promise.all(this.#shareOut(inputs).map((share) => this.#shape(share, claim)));
      else await this.#takeTurn(inputs, claimed, claim);
    } catch (error) {
      await this.#giveBack({ keys: matches.map(({ key }) => key), claim }).catch(() => undefined);
      throw error;
    }
  }

  readonly #run = (...statements: Parameters<Database['run']>[0][]): Promise<Row[][]> =>
    Promise.all(statements.map((statement) => this.#parts.database.run(statement)));

  /** Keeps the matches of one event together, so that their object goes to a thread once. */
  #shareOut(inputs: readonly ShapingInputs[]): ShapingInputs[][] {
    const inOrder = [...inputs].sort((one, other) => one.match.eventId - other.match.eventId);
    const size = Math.max(sharedMin, Math.ceil(inOrder.length / this.#parts.threads));
    const shares: ShapingInputs[][] = [];
    let bytes = Number.POSITIVE_INFINITY;
    for (const each of inOrder) {
      bytes += each.match.bytes;
      if (bytes > bytesInShare || shares.at(-1)!.length >= size) {
        shares.push([]);
        bytes = each.match.bytes;
      }
      shares.at(-1)!.push(each);
    }
    return shares;
  }

  /** Records the results of a share before the next share is tried. */
  async #takeTurn(inputs: readonly ShapingInputs[], claimed: ClaimedMatches, claim: number): Promise<void> {
    const turn = new ProbationTurn({ ...this.#parts, claimed });
    const putOff: ShapingInputs[] = [];
    for (const share of turn.sharesOf(inputs)) {
      const { now, later } = turn.choose(share);
      putOff.push(...later);
      await this.#shape(now, claim);
    }
    if (turn.leftOffAfter !== undefined) this.#walk.stayAfter(turn.leftOffAfter);
    if (putOff.length > 0) await this.#giveBack({ keys: putOff.map(({ match }) => match.key), claim });
  }

  async #shape(share: readonly ShapingInputs[], claim: number): Promise<void> {
    const { observe, onShaped, trust, debts, track } = this.#parts;
    const startedAt = performance.now();
    const givenUp = share.filter(({ match }) => trust.isGivenUp(match.subscriptionKey));
    const made = await this.#attempt(share.filter((each) => !givenUp.includes(each)));
    if (track === 'probation') for (const { match, tookMs } of made) debts.note(match.userKey, tookMs);
    const later = made.filter((each) => this.#isPutOff(each));
    const done = made.filter((each) => !later.includes(each));
    this.#noteTrust(done);
    if (later.length > 0) await this.#giveBack({ keys: later.map(({ match }) => match.key), claim });
    const shaped = [...done, ...givenUp.map(giveUp)];
    if (shaped.length === 0) return;
    const { notifications, suppressed, dispatchedDirectly } = await this.#record(shaped, claim);
    const durationMs = performance.now() - startedAt;
    observe({ kind: 'notifications.shaped', matches: shaped.length, notifications, suppressed, durationMs });
    if (notifications > dispatchedDirectly) onShaped();
  }

  #isPutOff({ kind, match, isOverTime }: Shaped): boolean {
    return kind === 'later' || (isOverTime && this.#parts.trust.deservesAnotherTry(match));
  }

  /** Only a bug makes a match throw. It delays no other match, and is retried when its lease expires. */
  async #attempt(some: readonly ShapingInputs[]): Promise<Shaped[]> {
    const { engines, options, observe } = this.#parts;
    if (some.length === 0) return [];
    try {
      return await shapeMatches(some, engines, options);
    } catch (error) {
      if (isTemporary(error) || error instanceof PoolBusy) throw error;
      if (some.length === 1) {
        observe({ kind: 'shaping.failed', error: error as Error });
        return [];
      }
      const shaped: Shaped[] = [];
      for (const each of some) shaped.push(...(await this.#attempt([each])));
      return shaped;
    }
  }

  #noteTrust(shaped: readonly Shaped[]): void {
    const { trust, onAnswered } = this.#parts;
    for (const each of shaped) trust.note(each.match.subscriptionKey, each);
    onAnswered();
  }

  /** Only a bug makes a result fail to be recorded. It delays no other result. */
  async #record(shaped: readonly Shaped[], claim: number): ReturnType<typeof recordShaped> {
    try {
      return await recordShaped(this.#parts, shaped, claim);
    } catch (error) {
      if (isTemporary(error)) throw error;
      if (shaped.length === 1) return await this.#recordFault(shaped[0]!, claim, error as Error);
      const sum = { notifications: 0, suppressed: 0, dispatchedDirectly: 0 };
      for (const each of shaped) {
        const recorded = await this.#record([each], claim);
        sum.notifications += recorded.notifications;
        sum.suppressed += recorded.suppressed;
        sum.dispatchedDirectly += recorded.dispatchedDirectly;
      }
      return sum;
    }
  }

  /** A result that cannot be stored becomes a failed notification. */
  async #recordFault({ match, ...rest }: Shaped, claim: number, error: Error): ReturnType<typeof recordShaped> {
    this.#parts.observe({ kind: 'shaping.failed', error });
    const { log, isOverTime, tookMs, worked } = rest;
    const message = 'It could not be stored. See the log of the service.';
    const failed = {
      match,
      log,
      isOverTime,
      tookMs,
      worked,
      kind: 'failed',
      message,
      isShaping: false,
      subject: null,
    } as const;
    if (rest.kind === 'failed' && rest.message === message)
      return { notifications: 0, suppressed: 0, dispatchedDirectly: 0 };
    return await this.#record([failed], claim);
  }

  async #giveBack({ keys, claim }: Claimed): Promise<void> {
    try {
      await this.#parts.database.run(giveBackUnshaped(keys, claim));
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
/** As XML, the objects may be five times as large, and all of them are in the memory of one thread. */
const bytesInShare = 4_000_000;
