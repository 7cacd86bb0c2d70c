// Direct dispatch: passes new notifications, already claimed, through memory to the worker of the same process, up to
// its capacity.

import { bytesOf } from '../../render/body.ts';
import type { OrderedObject } from '../order/order-table.ts';
import { renderHead } from '../queue/message-head.ts';
import type { NewNotification } from '../queue/notification-table.ts';
import type { ReadyNotification } from '../queue/ready-notification.ts';
import type { Pool } from './lane.ts';
import type { ReadyLanes } from './ready-lanes.ts';

export interface DirectDispatch {
  /** Undefined while direct dispatch is not possible. */
  readonly workerId: number | undefined;
  /** The capacity that one batch may use. */
  capacityLeft(): CapacityLeft;
  /** Call after COMMIT. `by`: the worker that holds the claims, and the subscription revision that matching used. */
  take(notifications: readonly ReadyNotification[], by: { workerId: number; subscriptionRevision: string }): void;
  /** Call after COMMIT. `objects`: have new notifications that are blocked. */
  promote(objects: readonly OrderedObject[]): void;
  /** Call after COMMIT. `subscriptionKeys`: have new notifications that are streamed. */
  wakeStreams(subscriptionKeys: Iterable<number>): void;
}

const notificationsMax = 1_000;
const bytesMax = 4_000_000;

type Candidate = Omit<NewNotification, 'isDispatchedDirectly'>;

/**
 * Chooses which new notifications to dispatch directly. If the transaction does not commit, the choice is discarded. If
 * only the response to COMMIT is lost, the delivery loop finds the claims and releases them.
 */
export class DirectDispatchBatch {
  readonly #worker: DirectDispatch | undefined;
  readonly workerId: number | undefined;
  readonly #capacity: CapacityLeft | undefined;
  readonly #chosen: ReadyNotification[] = [];
  readonly #ordered: OrderedObject[] = [];
  readonly #streamed = new Set<number>();
  #bytes = 0;

  constructor(worker: DirectDispatch | undefined) {
    this.#worker = worker;
    this.workerId = worker?.workerId;
    this.#capacity = worker?.capacityLeft();
  }

  choose(notification: Candidate, createdDate: string): boolean {
    const { subscriptionKey, body, errorMessage } = notification;
    if (body === null || errorMessage !== null) return false;
    if (notification.isOrdered)
      this.#ordered.push({ subscriptionKey, orderedObject: notification.subscribedObjectKey });
    else if (notification.isStreamed) this.#streamed.add(subscriptionKey);
    if (this.workerId === undefined || notification.isOrdered || notification.isStreamed) return false;
    if (this.#chosen.length >= notificationsMax || this.#bytes > bytesMax) return false;
    if (!this.#capacity!.take(subscriptionKey)) return false;
    const ready = readyOf(notification, bytesOf(body), createdDate);
    this.#bytes += ready.body.length;
    this.#chosen.push(ready);
    return true;
  }

  /** Returns how many notifications were dispatched. */
  dispatch(subscriptionRevision: string): number {
    const { workerId } = this;
    if (this.#chosen.length > 0) this.#worker!.take(this.#chosen, { workerId: workerId!, subscriptionRevision });
    if (this.#ordered.length > 0) this.#worker?.promote(this.#ordered);
    if (this.#streamed.size > 0) this.#worker?.wakeStreams(this.#streamed);
    return this.#chosen.length;
  }
}

/** Copies each member. With spread, V8 in Node 20 creates a hidden class per object and retains it for a long time. */
function readyOf(notification: Candidate, body: Buffer, createdDate: string): ReadyNotification {
  return {
    key: notification.key,
    createdDate,
    subscriptionKey: notification.subscriptionKey,
    attempts: 0,
    resendJob: null,
    replay: undefined,
    orderedObject: null,
    head: renderHead(notification),
    subject: notification.subject,
    body,
  };
}

/** Reserves capacity for one batch of new notifications. Within the batch, no capacity is reserved twice. */
export class CapacityLeft {
  readonly #lanes: ReadyLanes;
  readonly #inLane = new Map<number, number>();
  readonly #inPool = new Map<Pool, number>();

  constructor(lanes: ReadyLanes) {
    this.#lanes = lanes;
  }

  /** Reserves capacity for one more notification of a subscription. Returns false if there is none left. */
  take(subscriptionKey: number): boolean {
    const capacity = this.#lanes.directCapacity(subscriptionKey);
    const inLane = this.#inLane.get(subscriptionKey) ?? capacity.inLane;
    const inPool = this.#inPool.get(capacity.pool) ?? capacity.inPool;
    if (inLane <= 0 || inPool <= 0) return false;
    this.#inLane.set(subscriptionKey, inLane - 1);
    this.#inPool.set(capacity.pool, inPool - 1);
    return true;
  }
}
