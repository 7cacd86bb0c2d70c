// One connection to the live feed. While its client reads too slowly, nothing is written: what comes meanwhile is
// counted as skipped, so that no more than one event of each kind waits in memory.

import type { Model } from '../model/object-type.ts';
import type { EventResponse } from '../objects/action-call.ts';

export interface Viewer {
  client: string;
  /** Whose notifications and subscriptions are shown: those of a user, of everybody, or none. */
  sees: number | 'all' | 'none';
  /** As the viewer sees it. */
  model: Model;
  wants: Readonly<Record<RowKind, boolean>>;
}

export const rowKinds = ['notifications', 'changes'] as const;

export type RowKind = (typeof rowKinds)[number];

/** How long a client waits before it reconnects. */
const reconnectMs = 1_000;

export class LiveFeed {
  readonly viewer: Viewer;
  readonly #response: EventResponse;
  readonly #skipped: Record<RowKind, number> = { notifications: 0, changes: 0 };
  readonly #changedKeys = new Set<number>();
  #isOpen = true;
  #isCongested = false;

  constructor(viewer: Viewer, response: EventResponse, onClosed: () => void) {
    this.viewer = viewer;
    this.#response = response;
    response.onDrain(() => {
      this.#isCongested = false;
    });
    response.onClose(() => {
      this.#isOpen = false;
      onClosed();
    });
    this.#write(`retry: ${reconnectMs}\n\n`);
  }

  /** `figures`: JSON. With them comes what could not be sent before. */
  sendFigures(event: 'ready' | 'figures', figures: string): void {
    if (!this.#isCongested) this.#send(event, figures);
    for (const kind of rowKinds) if (this.#skipped[kind] > 0) this.sendRows(kind, [], 0);
    this.sendSubscriptions([]);
  }

  /** `rows`: JSON of each. */
  sendRows(kind: RowKind, rows: readonly string[], skipped: number): void {
    if (this.#isCongested) {
      this.#skipped[kind] += rows.length + skipped;
      return;
    }
    const all = skipped + this.#skipped[kind];
    this.#skipped[kind] = 0;
    this.#send(kind, `{"rows":[${rows.join(',')}],"skipped":${all}}`);
  }

  /** Those that could not be sent come with the next ones. */
  sendSubscriptions(keys: readonly number[]): void {
    for (const key of keys) this.#changedKeys.add(key);
    if (this.#isCongested || this.#changedKeys.size === 0) return;
    const sent = [...this.#changedKeys].slice(0, keysMax);
    for (const key of sent) this.#changedKeys.delete(key);
    this.#send('subscriptions', JSON.stringify({ keys: sent }));
  }

  /** A comment keeps the connection open. The feed ends with its token. */
  beat(): void {
    if (!this.#isCongested) this.#write(':\n\n');
    void this.#response.isStillAllowed().then((isAllowed) => {
      if (!isAllowed) this.end();
    });
  }

  end(): void {
    this.#isOpen = false;
    this.#response.end();
  }

  #send(event: string, data: string): void {
    this.#write(`event: ${event}\ndata: ${data}\n\n`);
  }

  #write(text: string): void {
    if (this.#isOpen && !this.#response.write(text)) this.#isCongested = true;
  }
}

const keysMax = 1_000;
