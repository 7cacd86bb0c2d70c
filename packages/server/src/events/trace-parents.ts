// The traces that events belong to, as far as they are known in this process. Matching, shaping and delivery share
// them: what one has read, the next need not read again.

import type { Row, Statement } from '../database/database.ts';
import { type EventTraceRow, selectTraces } from '../database/traced-transaction-table.ts';
import type { TraceParent } from '../observe/traces/tracing.ts';
import { Recent } from '../recent.ts';

/** The events of all notifications that a process has claimed, several times over. */
const keptMax = 20_000;
const none: TraceParent = { traceParent: '', traceState: undefined };

export interface EventTrace {
  readonly eventId: number;
  readonly transactionId: string;
  /** Whether no client of the service has made the change, so that no trace could begin at a request. */
  readonly isForeign: boolean;
  readonly parent: TraceParent | undefined;
}

type RunOne = (statement: Statement) => Promise<Row[]>;

export class TraceParents {
  #known = new Recent<number, TraceParent>(keptMax);

  /** Undefined if the event belongs to no trace, or if it was not loaded. */
  of(eventId: number): TraceParent | undefined {
    const parent = this.#known.get(eventId);
    return parent === none ? undefined : parent;
  }

  note(eventId: number, parent: TraceParent | undefined): void {
    this.#known.set(eventId, parent ?? none);
  }

  forget(): void {
    this.#known = new Recent(keptMax);
  }

  /** Reads those of all these events. */
  async read(eventIds: readonly number[], run: RunOne): Promise<EventTrace[]> {
    const rows = (await run(selectTraces(eventIds))) as unknown as EventTraceRow[];
    const traces = rows.map(traceOf);
    for (const { eventId, parent } of traces) this.note(eventId, parent);
    return traces;
  }

  /**
   * Reads those that are not known yet. If that fails, they stay unknown: a notification without a trace is worth more
   * than a trace without a notification.
   */
  async load(eventIds: Iterable<number>, run: RunOne): Promise<void> {
    const unknown = [...new Set(eventIds)].filter((id) => this.#known.get(id) === undefined);
    if (unknown.length > 0) await this.read(unknown, run).catch(() => undefined);
  }
}

function traceOf({ event_id, transaction_id, is_foreign, trace_parent, trace_state }: EventTraceRow): EventTrace {
  return {
    eventId: Number(event_id),
    transactionId: transaction_id,
    isForeign: is_foreign,
    parent: trace_parent === null ? undefined : { traceParent: trace_parent, traceState: trace_state ?? undefined },
  };
}
