// One connection to a stream, as server-sent events. Notifications are written as long as the client reads them.

import type { EventResponse } from '../../objects/action-call.ts';
import type { Consumer, StreamedNotification } from './consumer.ts';
import type { LeaseRequest } from './stream-table.ts';

export interface EventStreamEvents {
  /** The client can take more. */
  onReady(): void;
  onClosed(): void;
}

/** How long a client waits before it reconnects. */
const reconnectMs = 1_000;

export class EventStream implements Consumer {
  readonly subscriptionKey: number;
  readonly leaseId: number;
  readonly unacknowledgedMax: number;
  readonly acknowledgeSeconds: number;
  readonly #response: EventResponse;
  #isOpen = true;
  #isCongested = false;

  constructor(request: LeaseRequest, response: EventResponse, { onReady, onClosed }: EventStreamEvents) {
    this.subscriptionKey = request.subscriptionKey;
    this.leaseId = request.leaseId;
    this.unacknowledgedMax = request.unacknowledgedMax;
    this.acknowledgeSeconds = request.acknowledgeSeconds;
    this.#response = response;
    response.onDrain(() => {
      this.#isCongested = false;
      onReady();
    });
    response.onClose(() => {
      this.#isOpen = false;
      onClosed();
    });
    this.#write(`retry: ${reconnectMs}\n\n`);
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  get isReady(): boolean {
    return this.#isOpen && !this.#isCongested;
  }

  get unreadBytes(): number {
    return this.#response.unreadBytes();
  }

  take(notifications: readonly StreamedNotification[]): void {
    for (const each of notifications)
      this.#write(`id: ${each.notification}\nevent: notification\ndata: ${JSON.stringify(each)}\n\n`);
  }

  /** A comment keeps the connection open, and shows whether it still is. The stream ends with its token. */
  beat(): void {
    this.#write(':\n\n');
    void this.#response.isStillAllowed().then((isAllowed) => {
      if (!isAllowed) this.end();
    });
  }

  end(): void {
    this.#isOpen = false;
    this.#response.end();
  }

  #write(text: string): void {
    if (this.#isOpen && !this.#response.write(text)) this.#isCongested = true;
  }
}
