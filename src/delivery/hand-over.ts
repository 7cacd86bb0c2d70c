// What matching hands on in memory, already claimed, to the worker of the same process.

import type { ReadyNotification } from './lanes/ready-notification.ts';
import type { RoomLeft } from './lanes/room-left.ts';

export interface HandOver {
  /** Undefined while nothing can be handed on. */
  readonly workerId: number | undefined;
  /** What there is room for. */
  roomLeft(): RoomLeft;
  /** After COMMIT. `by`: the worker that they are claimed by, and what matching knew of subscriptions. */
  take(notifications: readonly ReadyNotification[], by: { workerId: number; subscriptionRevision: string }): void;
  /** COMMIT has failed: what was claimed for the worker may be there all the same. */
  lose(): void;
}
