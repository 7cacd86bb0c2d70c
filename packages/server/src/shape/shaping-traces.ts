// The spans of shaping: one for each match of a traced change, while its script and stylesheet run and its notification
// is stored.

import type { Database } from '../database/database.ts';
import type { TraceParents } from '../events/trace-parents.ts';
import { SharedSpans } from '../observe/traces/shared-spans.ts';
import type { Tracing } from '../observe/traces/tracing.ts';
import { idOf, type Shaped, type ShapingInputs } from './shape-matches.ts';

export class ShapingTraces {
  readonly #tracing: Tracing;
  readonly #parents: TraceParents;
  readonly #database: Database;

  constructor(tracing: Tracing, parents: TraceParents, database: Database) {
    this.#tracing = tracing;
    this.#parents = parents;
    this.#database = database;
  }

  async begin(share: readonly ShapingInputs[]): Promise<SharedSpans<number>> {
    const startedAt = new Date();
    const spans = new SharedSpans<number>(this.#tracing);
    const eventIds = share.map(({ match }) => match.eventId);
    await this.#parents.load(eventIds, (statement) => this.#database.run(statement));
    for (const { match, plan } of share) {
      const parent = this.#parents.of(match.eventId);
      if (!parent) continue;
      const parts = [plan?.script && 'script', plan?.stylesheet && 'stylesheet'].filter((part) => part !== undefined);
      const attributes = {
        'flaghoist.subscription': match.subscriptionKey,
        'flaghoist.notification': idOf(match),
        'flaghoist.shaped_by': parts.join(', '),
        'flaghoist.batch.matches': share.length,
      };
      spans.begin(match.key, { name: 'shape', kind: 'internal', parent, attributes, startedAt });
    }
    return spans;
  }
}

/** If recording has failed, some results may be stored: the next attempt tells. */
export function failShaping(spans: SharedSpans<number>, { name }: Error): void {
  spans.endAll({ 'flaghoist.outcome': 'later', 'error.type': name }, name);
}

/** Call when the results are stored. Matches without a result are shaped later. */
export function endShaping(spans: SharedSpans<number>, done: readonly Shaped[]): void {
  for (const shaped of done) {
    const attributes = { 'flaghoist.outcome': outcomeOf(shaped), 'flaghoist.run_ms': Math.round(shaped.tookMs) };
    spans.end(shaped.match.key, attributes, isFailure(shaped) ? outcomeOf(shaped) : undefined);
  }
  spans.endAll({ 'flaghoist.outcome': 'later' });
}

function outcomeOf(shaped: Shaped): string {
  return shaped.kind === 'suppressed' ? shaped.reason : shaped.kind;
}

function isFailure(shaped: Shaped): boolean {
  return shaped.kind === 'failed' || (shaped.kind === 'suppressed' && shaped.reason === 'SCRIPT_ERROR');
}
