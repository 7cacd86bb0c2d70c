// Chooses which new notifications of a batch to dispatch directly to the worker of this process, within its capacity.

import { renderHead } from '../queue/message-head.ts';
import type { NewNotification } from '../queue/notification-table.ts';
import type { ReadyNotification } from '../queue/ready-notification.ts';
import type { CapacityLeft } from './capacity-left.ts';
import type { DirectDispatch } from './direct-dispatch.ts';

type Choosable = Omit<NewNotification, 'isDispatchedDirectly'>;

/**
 * If the transaction does not commit, the choice is discarded. If only the answer to COMMIT was lost, the loop finds the
 * claims and releases them.
 */
export class DirectDispatchBatch {
  readonly #to: DirectDispatch | undefined;
  readonly workerId: number | undefined;
  readonly #capacity: CapacityLeft | undefined;
  readonly #chosen: ReadyNotification[] = [];
  #bytes = 0;

  constructor(to: DirectDispatch | undefined) {
    this.#to = to;
    this.workerId = to?.workerId;
    this.#capacity = to?.capacityLeft();
  }

  choose(notification: Choosable, createdDate: string): boolean {
    const { subscriptionKey, body, errorMessage } = notification;
    if (this.workerId === undefined || body === null || errorMessage !== null) return false;
    if (this.#chosen.length >= notificationsMax || this.#bytes > bytesMax) return false;
    if (!this.#capacity!.take(subscriptionKey)) return false;
    const ready = readyOf(notification, Buffer.from(body), createdDate);
    this.#bytes += ready.body.length;
    this.#chosen.push(ready);
    return true;
  }

  /** Returns how many notifications were dispatched. */
  dispatch(subscriptionRevision: string): number {
    const { workerId } = this;
    if (this.#chosen.length > 0) this.#to!.take(this.#chosen, { workerId: workerId!, subscriptionRevision });
    return this.#chosen.length;
  }
}

/** Copies member by member. With spread, V8 of Node 20 creates a hidden class for each object and keeps it for long. */
function readyOf(notification: Choosable, body: Buffer, createdDate: string): ReadyNotification {
  return {
    key: notification.key,
    createdDate,
    subscriptionKey: notification.subscriptionKey,
    attempts: 0,
    resendJob: null,
    head: renderHead(notification),
    subject: notification.subject,
    body,
  };
}

const notificationsMax = 1_000;
const bytesMax = 4_000_000;
