// The spans of matching: one for each trace that has events in a batch. The statements of the batch are below the
// first. A change by foreign SQL begins its trace here.

import type { Run } from '../database/database.ts';
import { noteTraces } from '../database/traced-transaction-table.ts';
import { entryOf } from '../entry-of.ts';
import type { EventTrace, TraceParents } from '../events/trace-parents.ts';
import { SharedSpans } from '../observe/traces/shared-spans.ts';
import type { TraceParent, Tracing } from '../observe/traces/tracing.ts';

export class MatchTraces {
  readonly #tracing: Tracing;
  readonly #parents: TraceParents;

  constructor(tracing: Tracing, parents: TraceParents) {
    this.#tracing = tracing;
    this.#parents = parents;
  }

  /** Runs `work`, which matches these events. `run` is that of their transaction. */
  async around<T extends { notifications: number }>(
    eventIds: readonly number[],
    run: Run,
    work: () => Promise<T>,
  ): Promise<T> {
    const startedAt = new Date();
    const spans = new SharedSpans<string>(this.#tracing);
    const traces = await this.#parents.read(eventIds, async (statement) => (await run(statement))[0]!);
    const begun = new Map<string, TraceParent>();
    for (const [transactionId, events] of byTransaction(traces)) {
      const { parent, isForeign } = events[0]!;
      if (!parent && !isForeign) continue;
      const attributes = { 'flaghoist.events': events.length, 'flaghoist.batch.events': eventIds.length };
      const span = spans.begin(transactionId, { name: 'match', kind: 'internal', parent, attributes, startedAt });
      if (parent || !span) continue;
      begun.set(transactionId, span.asParent);
      for (const { eventId } of events) this.#parents.note(eventId, span.asParent);
    }
    try {
      if (begun.size > 0) await run(noteTraces(begun));
      const result = await spans.run(work);
      spans.endAll({ 'flaghoist.batch.notifications': result.notifications });
      return result;
    } catch (error) {
      const { name } = error as Error;
      spans.endAll({ 'error.type': name }, name);
      throw error;
    }
  }
}

function byTransaction(traces: readonly EventTrace[]): Map<string, EventTrace[]> {
  const groups = new Map<string, EventTrace[]>();
  for (const trace of traces) entryOf(groups, trace.transactionId, () => []).push(trace);
  return groups;
}
