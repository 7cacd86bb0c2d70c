// Direct dispatch: passes new notifications, already claimed, in memory to the worker of the same process.

import type { ReadyNotification } from '../queue/ready-notification.ts';
import type { CapacityLeft } from './capacity-left.ts';

export interface DirectDispatch {
  /** Undefined while direct dispatch is not possible. */
  readonly workerId: number | undefined;
  /** The capacity that one batch may use. */
  capacityLeft(): CapacityLeft;
  /** Call after COMMIT. `by`: the worker that has the claims, and the revision of subscriptions that matching used. */
  take(notifications: readonly ReadyNotification[], by: { workerId: number; subscriptionRevision: string }): void;
}
