// Shapes the matches that need a script or a stylesheet, for as long as the process runs. It claims some with a lease,
// shapes them outside of any transaction, and records the results. Any number of processes may do so in parallel.

import { PoolBusy } from '@flaghoist/thread-pool';
import type { Database, Row } from '../database/database.ts';
import { isTemporary } from '../database/database-away.ts';
import { WorkLoop } from '../database/work-loop.ts';
import { entryOf } from '../entry-of.ts';
import { MatchClaims, type Track } from './claim-matches.ts';
import type { BodyOptions } from './default-body.ts';
import type { LaneHealths } from './lane-health.ts';
import { loadShapingInputs } from './load-shaping-inputs.ts';
import { type RecordShapedParts, recordShaped } from './record-shaped.ts';
import { type Engines, failWithoutRun, type Shaped, type ShapingInputs, shapeMatches } from './shape-matches.ts';
import type { ShapingPlanCache } from './shaping-plan-cache.ts';
import { endShaping, failShaping, type ShapingTraces } from './shaping-traces.ts';
import { type ClaimedMatch, releaseUnshaped, type UnshapedMatch } from './unshaped-table.ts';

export interface ShapeLoopParts extends RecordShapedParts {
  options: BodyOptions;
  planCache: ShapingPlanCache;
  healths: LaneHealths;
  track: Track;
  modelDigest: string;
  engines: Engines;
  /** A batch is divided among this many threads. */
  threads: number;
  /** Undefined if tracing is off. */
  traces: ShapingTraces | undefined;
  /** Called when there are notifications to send that were not dispatched directly. */
  onShaped(): void;
  /** Called after scripts have run: a slow lane may now belong to the fast loop. */
  onRun(): void;
}

const pollEveryMs = 250;

export function createShapeLoop(parts: ShapeLoopParts): WorkLoop {
  const shaper = new Shaper(parts);
  return new WorkLoop({
    round: () => shaper.round(),
    pollEveryMs,
    onError: (error) => {
      if (isFault(error)) parts.observe({ kind: 'shaping.failed', error });
    },
  });
}

/** It is none if no thread is free, or if the process is stopping. */
function isFault(error: unknown): boolean {
  return !(error instanceof PoolBusy && error.cause === undefined);
}

class Shaper {
  readonly #parts: ShapeLoopParts;
  readonly #claims: MatchClaims;
  /** Claims that could not be released while the database was unavailable. */
  #unreleased: Claimed[] = [];

  constructor(parts: ShapeLoopParts) {
    this.#parts = parts;
    this.#claims = new MatchClaims(parts);
  }

  async round(): Promise<boolean> {
    while (this.#unreleased.length > 0) await this.#release(this.#unreleased.shift()!);
    const { matches, isMore } = await this.#claims.next();
    if (matches.length > 0) await this.#work(matches);
    return isMore;
  }

  async #work(matches: ClaimedMatch[]): Promise<void> {
    const { claim } = matches[0]!;
    try {
      for (const batch of this.#batchesOf(matches)) await this.#shapeBatch(batch, claim);
    } catch (error) {
      await this.#release({ keys: matches.map(({ key }) => key), claim }).catch(() => undefined);
      throw error;
    }
  }

  /** The slow thread has one batch for each user. In each batch, the lanes whose last run is longest ago come first. */
  #batchesOf(matches: UnshapedMatch[]): UnshapedMatch[][] {
    const { healths, track } = this.#parts;
    // Matches of one event stay together, so that their object goes to a thread once.
    if (track === 'fast') return [matches.sort((one, other) => one.eventId - other.eventId)];
    const lastRunAt = ({ subscriptionKey }: UnshapedMatch) => healths.lastRunAt(subscriptionKey);
    const ofUser = new Map<number, UnshapedMatch[]>();
    for (const match of matches.sort((one, other) => lastRunAt(one) - lastRunAt(other) || one.key - other.key))
      entryOf(ofUser, match.userKey, () => []).push(match);
    return [...ofUser.values()];
  }

  async #shapeBatch(batch: readonly UnshapedMatch[], claim: number): Promise<void> {
    const { track, threads, planCache } = this.#parts;
    const limits = { bytesMax: bytesInBatch[track], countMax: batch.length };
    const [now = [], ...later] = split(batch, ({ bytes }) => bytes, limits);
    if (later.length > 0) await this.#release({ keys: later.flat().map(({ key }) => key), claim });
    const inputs = await loadShapingInputs(now, planCache, this.#run);
    // One share per thread, or more if they are large.
    const countMax = Math.max(shareSizeMin, Math.ceil(now.length / threads));
    const shares = split(inputs, ({ match }) => match.bytes, { bytesMax: bytesInShare, countMax });
    await Promise.all(shares.map((share) => this.#shape(share, claim)));
  }

  readonly #run = (...statements: Parameters<Database['run']>[0][]): Promise<Row[][]> =>
    Promise.all(statements.map((statement) => this.#parts.database.run(statement)));

  async #shape(share: readonly ShapingInputs[], claim: number): Promise<void> {
    const { observe, onShaped, onRun, healths, track } = this.#parts;
    const startedAt = performance.now();
    const runnable: ShapingInputs[] = [];
    const done: Shaped[] = [];
    const later: number[] = [];
    for (const each of share) {
      const health = healths.of(each.match.subscriptionKey);
      if (health === track) runnable.push(each);
      else if (health === 'failing') done.push(failWithoutRun(each));
      // The health of the lane has changed since the claim, so this loop no longer serves it.
      else later.push(each.match.key);
    }
    const spans = await this.#parts.traces?.begin(runnable);
    let recorded: readonly Shaped[] = [];
    try {
      for (const each of await this.#attempt(runnable)) {
        const isFinal = each.kind !== 'later' && healths.note(each.match.subscriptionKey, each);
        if (isFinal) done.push(each);
        else later.push(each.match.key);
      }
      onRun();
      if (later.length > 0) await this.#release({ keys: later, claim });
      if (done.length === 0) return;
      const record = () => recordShaped(this.#parts, done, claim);
      const { notifications, suppressed, dispatchedDirectly } = await (spans ? spans.run(record) : record());
      recorded = done;
      const durationMs = performance.now() - startedAt;
      observe({ kind: 'notifications.shaped', matches: done.length, notifications, suppressed, durationMs });
      if (notifications > dispatchedDirectly) onShaped();
    } catch (error) {
      if (spans && isFault(error)) failShaping(spans, error as Error);
      throw error;
    } finally {
      if (spans) endShaping(spans, recorded);
    }
  }

  /** Only a bug makes a match throw. Then each runs alone, and the faulty one stays claimed until its lease ends. */
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

  async #release({ keys, claim }: Claimed): Promise<void> {
    try {
      await this.#parts.database.run(releaseUnshaped(keys, claim));
    } catch (error) {
      this.#unreleased.push({ keys, claim });
      throw error;
    }
  }
}

interface Claimed {
  keys: readonly number[];
  claim: number;
}

/** Splits into parts within the limits. An item that is larger than `bytesMax` is a part of its own. */
function split<T>(
  items: readonly T[],
  bytesOf: (item: T) => number,
  { bytesMax, countMax }: { bytesMax: number; countMax: number },
): T[][] {
  const parts: T[][] = [];
  let bytes = 0;
  for (const item of items) {
    bytes += bytesOf(item);
    if (parts.length === 0 || bytes > bytesMax || parts.at(-1)!.length >= countMax) {
      parts.push([]);
      bytes = bytesOf(item);
    }
    parts.at(-1)!.push(item);
  }
  return parts;
}

const shareSizeMin = 16;
/** As XML, the objects may be five times as large, and all of them are in the memory of one thread. */
const bytesInShare = 4_000_000;
const bytesInBatch: Record<Track, number> = { fast: 32_000_000, slow: bytesInShare };
