// A request for notifications: takes what there is, or waits for some.

import type { Consumer, StreamedNotification } from './consumer.ts';
import type { LeaseRequest } from './stream-table.ts';

export class Pull implements Consumer {
  readonly subscriptionKey: number;
  readonly leaseId: number;
  readonly unacknowledgedMax: number;
  readonly acknowledgeSeconds: number;
  readonly #waits: boolean;
  readonly #onEnd: (notifications: readonly StreamedNotification[]) => void;
  #isOpen = true;

  /** `onEnd` is called once: with notifications, or with none if it does not wait for any or was ended. */
  constructor(request: LeaseRequest, waits: boolean, onEnd: (notifications: readonly StreamedNotification[]) => void) {
    this.subscriptionKey = request.subscriptionKey;
    this.leaseId = request.leaseId;
    this.unacknowledgedMax = request.unacknowledgedMax;
    this.acknowledgeSeconds = request.acknowledgeSeconds;
    this.#waits = waits;
    this.#onEnd = onEnd;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  get isReady(): boolean {
    return this.#isOpen;
  }

  readonly unreadBytes = undefined;

  take(notifications: readonly StreamedNotification[]): void {
    if (notifications.length > 0 || !this.#waits) this.#end(notifications);
  }

  beat(): void {}

  end(): void {
    this.#end([]);
  }

  #end(notifications: readonly StreamedNotification[]): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#onEnd(notifications);
  }
}
