// The connections of one user to the live feed. Usually there is one. A connection ends with its token: when the token
// is renewed, a second one takes over without a gap. A lost connection is opened again.
//
//   opening -> current                  its `ready` has come
//   current -> replaced                 the `ready` of another has come
//   replaced -> closed                  it has sent all that the other may not have: two `figures`
//   opening, current -> lost            and if no other is left, a new one is opened after a pause

import { readEvents, type ServerEvent } from './event-stream.ts';
import { pause } from './pause.ts';
import { ServiceError } from './service-error.ts';

export type FeedState = 'connecting' | 'live' | 'offline';

export interface LiveConnectionsParts {
  /** With the newest token. */
  connect(abort: AbortSignal): Promise<Response>;
  onState(state: FeedState): void;
  /** From now on every event arrives. What happened before may be unknown. `wasLost`: there was a connection before. */
  onConnected(wasLost: boolean): void;
  onEvent(event: string, data: string): void;
}

/** Since a connection was replaced. */
interface Connection {
  /** How many `figures` have come. */
  figures: number;
  /** The rows that its successor has sent. Those of this connection may be older. */
  sentRows: Set<string>;
}

/**
 * A replaced connection may be of another process, which reads a little later. The first `figures` may have been on
 * their way. The second ones, a second later, are of a newer read than that of `ready`.
 */
const lastFigures = 2;

const retryMs = [500, 1_000, 2_000, 5_000, 10_000];

export class LiveConnections {
  readonly #parts: LiveConnectionsParts;
  readonly #end = new AbortController();
  #opening: Connection | undefined;
  #current: Connection | undefined;
  readonly #replaced = new Set<Connection>();
  /** Whether the token was renewed while a connection was opening, which may have the old one. */
  #isTokenOld = false;
  #wasLive = false;
  #failures = 0;

  constructor(parts: LiveConnectionsParts) {
    this.#parts = parts;
    this.#open();
  }

  useRenewedToken(): void {
    if (this.#opening) this.#isTokenOld = true;
    else if (this.#current) this.#open();
  }

  close(): void {
    this.#end.abort();
  }

  async #open(): Promise<void> {
    const connection: Connection = { figures: 0, sentRows: new Set() };
    this.#opening = connection;
    this.#isTokenOld = false;
    let error: unknown;
    try {
      const response = await this.#parts.connect(this.#end.signal);
      for await (const event of readEvents(response)) {
        if (this.#end.signal.aborted) return;
        this.#receive(connection, event);
        if (connection.figures === lastFigures) break;
      }
    } catch (caught) {
      error = caught;
    }
    if (!this.#end.signal.aborted) await this.#ended(connection, error);
  }

  #receive(connection: Connection, { event, data }: ServerEvent): void {
    const { onEvent } = this.#parts;
    if (event === 'ready') this.#begin(connection);
    if (connection === this.#current) {
      for (const { sentRows } of this.#replaced) for (const key of rowKeys(event, data)) sentRows.add(key);
      onEvent(event, data);
    } else if (this.#replaced.has(connection)) {
      if (event === 'figures') connection.figures += 1;
      else onEvent(event, withoutRows(event, data, connection.sentRows));
    }
  }

  #begin(connection: Connection): void {
    const { onState, onConnected } = this.#parts;
    const replaced = this.#current;
    this.#opening = undefined;
    this.#current = connection;
    this.#failures = 0;
    onState('live');
    if (replaced) this.#replaced.add(replaced);
    else onConnected(this.#wasLive);
    this.#wasLive = true;
    if (this.#isTokenOld) this.#open();
  }

  async #ended(connection: Connection, error: unknown): Promise<void> {
    const { onState, onConnected } = this.#parts;
    if (this.#replaced.delete(connection)) {
      // It was lost before it had sent all that its successor has not.
      if (connection.figures < lastFigures) onConnected(true);
      return;
    }
    if (connection === this.#opening) this.#opening = undefined;
    if (connection === this.#current) this.#current = undefined;
    if (this.#current) return;
    // A feed that ends in order, such as at a restart of the service, is reconnected without a warning at first.
    onState(this.#failures === 0 ? 'connecting' : 'offline');
    if (this.#opening) return;
    if (error instanceof ServiceError && error.status === 403) return onState('offline');
    await pause(retryMs[Math.min(this.#failures, retryMs.length - 1)]!, this.#end.signal);
    this.#failures += 1;
    if (!this.#end.signal.aborted) this.#open();
  }
}

interface FeedRow {
  /** Of a notification. */
  key?: number;
  /** Of a change. */
  id?: number;
}

interface FeedRows {
  rows?: FeedRow[];
}

function keyOf(event: string, { key, id }: FeedRow): string {
  return `${event} ${key ?? id}`;
}

function rowKeys(event: string, data: string): string[] {
  const { rows = [] } = JSON.parse(data) as FeedRows;
  return rows.map((row) => keyOf(event, row));
}

function withoutRows(event: string, data: string, sentRows: ReadonlySet<string>): string {
  const value = JSON.parse(data) as FeedRows;
  if (!value.rows || sentRows.size === 0) return data;
  return JSON.stringify({ ...value, rows: value.rows.filter((row) => !sentRows.has(keyOf(event, row))) });
}
